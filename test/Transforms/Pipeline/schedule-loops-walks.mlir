// Loops that walk along rows or a sequence have their loads run ahead unasked: they store, and carry numbers on.

// RUN: %fsm_opt %s --fsm-schedule-loops | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#wide = #fsm.layout<register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#many = #fsm.layout<register = [[1], [2], [128], [256], [512], [1024], [2048]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// Nothing orders accesses through two arguments.
// CHECK-LABEL: fsm.kernel @sums
// CHECK:         fsm.load {{.*}}fsm.stage = 0
// CHECK:         } {fsm.num_stages = 4 : i32, fsm.stages = 4 : i32}
fsm.kernel @sums(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %total: !fsm.ptr<f32>, %n: i64) attributes {num_warps = 1 : i32, fsm.unordered_arguments} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %none = arith.constant dense<0.0> : tensor<128xf32, #row>
  %sums = scf.for %i = %zero to %n step %one iter_args(%sum = %none) -> tensor<128xf32, #row> : i64 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i64
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %next = arith.addf %sum, %x : tensor<128xf32, #row>
    %to = fsm.offset %out, %i : !fsm.ptr<f32>, i64
    fsm.store %x, %to[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
    scf.yield %next : tensor<128xf32, #row>
  }
  fsm.store %sums, %total[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  fsm.return
}

// What an iteration stores the next one may load; a loop that stores nothing is left to ptxas; and programs that share rows hide one another's waits.
// CHECK-LABEL: fsm.kernel @others
// CHECK-NOT:     fsm.num_stages
// CHECK:         fsm.return
fsm.kernel @others(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i64) attributes {num_warps = 1 : i32, fsm.unordered_arguments} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %programs32 = fsm.num_programs x : i32
  %programs = arith.extui %programs32 : i32 to i64
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %none = arith.constant dense<0.0> : tensor<128xf32, #row>
  %0 = scf.for %i = %zero to %n step %one iter_args(%sum = %none) -> tensor<128xf32, #row> : i64 {
    %from = fsm.offset %out, %i : !fsm.ptr<f32>, i64
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %next = arith.addf %sum, %x : tensor<128xf32, #row>
    fsm.store %next, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
    scf.yield %next : tensor<128xf32, #row>
  }
  %1 = scf.for %i = %zero to %n step %one iter_args(%sum = %0) -> tensor<128xf32, #row> : i64 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i64
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %next = arith.addf %sum, %x : tensor<128xf32, #row>
    scf.yield %next : tensor<128xf32, #row>
  }
  %2 = scf.for %i = %zero to %n step %programs iter_args(%sum = %1) -> tensor<128xf32, #row> : i64 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i64
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %next = arith.addf %sum, %x : tensor<128xf32, #row>
    fsm.store %next, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
    scf.yield %next : tensor<128xf32, #row>
  }
  fsm.store %2, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  fsm.return
}

// Arguments may lead to the same memory.
// CHECK-LABEL: fsm.kernel @ordered
// CHECK-NOT:     fsm.num_stages
// CHECK:         fsm.return
fsm.kernel @ordered(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %none = arith.constant dense<0.0> : tensor<128xf32, #row>
  %0 = scf.for %i = %zero to %n step %one iter_args(%sum = %none) -> tensor<128xf32, #row> : i64 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i64
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %next = arith.addf %sum, %x : tensor<128xf32, #row>
    fsm.store %next, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
    scf.yield %next : tensor<128xf32, #row>
  }
  fsm.store %0, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  fsm.return
}

// 128 registers of sums leave too few for what is loaded ahead.
// CHECK-LABEL: fsm.kernel @held
// CHECK-NOT:     fsm.num_stages
// CHECK:         fsm.return
fsm.kernel @held(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i64) attributes {num_warps = 1 : i32, fsm.unordered_arguments} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %o = fsm.range 0, 4096 : tensor<4096xi32, #many>
  %none = arith.constant dense<0.0> : tensor<4096xf32, #many>
  %0:2 = scf.for %i = %zero to %n step %one iter_args(%a = %none, %b = %none) -> (tensor<4096xf32, #many>, tensor<4096xf32, #many>) : i64 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i64
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<4096xi32, #many> -> tensor<4096xf32, #many>
    %c = arith.addf %a, %x : tensor<4096xf32, #many>
    %d = arith.mulf %b, %x : tensor<4096xf32, #many>
    fsm.store %c, %out[%o] : tensor<4096xf32, #many>, !fsm.ptr<f32>, tensor<4096xi32, #many>
    scf.yield %c, %d : tensor<4096xf32, #many>, tensor<4096xf32, #many>
  }
  fsm.store %0#0, %out[%o] : tensor<4096xf32, #many>, !fsm.ptr<f32>, tensor<4096xi32, #many>
  fsm.store %0#1, %out[%o] : tensor<4096xf32, #many>, !fsm.ptr<f32>, tensor<4096xi32, #many>
  fsm.return
}

// 32 CTAs wait for 16 KB of rows of 128; of rows of 256 that is enough.
// CHECK-LABEL: fsm.kernel @little
// CHECK:         fsm.num_stages = 4
// CHECK-NOT:     fsm.num_stages
// CHECK:         fsm.return
fsm.kernel @little(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i64) attributes {num_warps = 1 : i32, fsm.unordered_arguments} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %w = fsm.range 0, 256 : tensor<256xi32, #wide>
  scf.for %i = %zero to %n step %one : i64 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i64
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %s = fsm.reduce <sum> %x axis 0 : tensor<128xf32, #row> -> f32
    %y = fsm.splat %s : tensor<128xf32, #row>
    fsm.store %y, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  scf.for %i = %zero to %n step %one : i64 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i64
    %x = fsm.load %from[%w] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<256xi32, #wide> -> tensor<256xf32, #wide>
    %s = fsm.reduce <sum> %x axis 0 : tensor<256xf32, #wide> -> f32
    %y = fsm.splat %s : tensor<256xf32, #wide>
    fsm.store %y, %out[%w] : tensor<256xf32, #wide>, !fsm.ptr<f32>, tensor<256xi32, #wide>
  }
  fsm.return
}
