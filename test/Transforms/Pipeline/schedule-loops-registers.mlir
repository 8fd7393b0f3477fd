// Blocks that an iteration takes one after the other are all there at its beginning when they run ahead, but where a thread takes
// each where it is used.

// RUN: %fsm_opt %s --fsm-schedule-loops --split-input-file --verify-diagnostics -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %fsm_opt %s --fsm-schedule-loops=remarks=true --split-input-file -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %fsm_opt %s --fsm-gpu-pipeline='stage=fsm num-stages=2' --split-input-file -o %t.mlir

#big = #fsm.layout<register = [[1], [2], [512], [1024], [2048]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], cta = []>

// 32 words each, and 32 for the sum: of 255 registers are left 223, for six. So each is taken where it is used.
// CHECK-LABEL: fsm.kernel @eight
// CHECK-COUNT-8: fsm.buffer = #fsm.load_buffer<async>
// REMARK:        remark: a thread takes each block from its slot where it is used
// CHECK:         {fsm.forced_stages, fsm.num_stages = 2 : i32, fsm.stages = 2 : i32, fsm.takes_late}
fsm.kernel @eight(%out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 4096 : i32
  %o = fsm.range 0, 4096 : tensor<4096xi32, #big>
  %none = arith.constant dense<0.0> : tensor<4096xf32, #big>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s0 = %none) -> tensor<4096xf32, #big> : i32 {
    %a = arith.muli %i, %width : i32
    %p0 = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x0 = fsm.load %p0[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<4096xi32, #big> -> tensor<4096xf32, #big>
    %s1 = arith.addf %s0, %x0 : tensor<4096xf32, #big>
    %p1 = fsm.offset %p0, %width : !fsm.ptr<f32>, i32
    %x1 = fsm.load %p1[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<4096xi32, #big> -> tensor<4096xf32, #big>
    %s2 = arith.addf %s1, %x1 : tensor<4096xf32, #big>
    %p2 = fsm.offset %p1, %width : !fsm.ptr<f32>, i32
    %x2 = fsm.load %p2[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<4096xi32, #big> -> tensor<4096xf32, #big>
    %s3 = arith.addf %s2, %x2 : tensor<4096xf32, #big>
    %p3 = fsm.offset %p2, %width : !fsm.ptr<f32>, i32
    %x3 = fsm.load %p3[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<4096xi32, #big> -> tensor<4096xf32, #big>
    %s4 = arith.addf %s3, %x3 : tensor<4096xf32, #big>
    %p4 = fsm.offset %p3, %width : !fsm.ptr<f32>, i32
    %x4 = fsm.load %p4[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<4096xi32, #big> -> tensor<4096xf32, #big>
    %s5 = arith.addf %s4, %x4 : tensor<4096xf32, #big>
    %p5 = fsm.offset %p4, %width : !fsm.ptr<f32>, i32
    %x5 = fsm.load %p5[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<4096xi32, #big> -> tensor<4096xf32, #big>
    %s6 = arith.addf %s5, %x5 : tensor<4096xf32, #big>
    %p6 = fsm.offset %p5, %width : !fsm.ptr<f32>, i32
    %x6 = fsm.load %p6[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<4096xi32, #big> -> tensor<4096xf32, #big>
    %s7 = arith.addf %s6, %x6 : tensor<4096xf32, #big>
    %p7 = fsm.offset %p6, %width : !fsm.ptr<f32>, i32
    %x7 = fsm.load %p7[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<4096xi32, #big> -> tensor<4096xf32, #big>
    %s8 = arith.addf %s7, %x7 : tensor<4096xf32, #big>
    %p8 = fsm.offset %p7, %width : !fsm.ptr<f32>, i32
    scf.yield %s8 : tensor<4096xf32, #big>
  } {fsm.forced_stages, fsm.num_stages = 2 : i32}
  fsm.store %sum, %out[%o] : tensor<4096xf32, #big>, !fsm.ptr<f32>, tensor<4096xi32, #big>
  fsm.return
}

// -----

// Numbers that addresses are computed from wait for longer, in one register each or, of a block, in many.
// CHECK-LABEL: fsm.kernel @gather
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32}
// CHECK:         {fsm.forced_stages, fsm.num_stages = 8 : i32, fsm.stages = 6 : i32}
#big = #fsm.layout<register = [[1], [2], [128], [256], [512]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @gather(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %index: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 1024 : tensor<1024xi32, #big>
  %none = arith.constant dense<0.0> : tensor<1024xf32, #big>
  // expected-warning@+1 {{num_stages is reduced from 8 to 6: 8 stages need 256 registers a thread, of which 223 are left; use smaller blocks or a lower num_stages}}
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<1024xf32, #big> : i32 {
    %from = fsm.offset %index, %i : !fsm.ptr<i32>, i32
    // expected-note@+1 {{this load is to run ahead of the loop}}
    %k = fsm.load %from[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i32>, tensor<1024xi32, #big> -> tensor<1024xi32, #big>
    // expected-note@+1 {{this load is to run ahead of the loop}}
    %x = fsm.load %in[%k] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<1024xi32, #big> -> tensor<1024xf32, #big>
    %t = arith.addf %s, %x : tensor<1024xf32, #big>
    scf.yield %t : tensor<1024xf32, #big>
  } {fsm.forced_stages, fsm.num_stages = 8 : i32}
  fsm.store %sum, %out[%o] : tensor<1024xf32, #big>, !fsm.ptr<f32>, tensor<1024xi32, #big>
  fsm.return
}

// -----

// A line that is repeated is in the registers of the line: with it and the sum, 68, both blocks of 64 words run ahead.
// CHECK-LABEL: fsm.kernel @repeated
// CHECK-COUNT-2: fsm.buffer = #fsm.load_buffer<async>
// CHECK:         {fsm.forced_stages
#tile = #fsm.layout<register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [], cta = []>
#rows = #fsm.layout<register = [[4], [8], [16], [32]], lane = [[0], [0], [0], [1], [2]], warp = [], cta = []>
#columns = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [0], [0]], warp = [], cta = []>
#first = #fsm.layout<register = [[4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [], cta = []>
#line = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 0], [0, 0]], warp = [], cta = []>
fsm.kernel @repeated(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32) attributes {num_warps = 1 : i32} {
  %r = fsm.range 0, 64 : tensor<64xi32, #rows>
  %c = fsm.range 0, 32 : tensor<32xi32, #columns>
  %width = arith.constant dense<32> : tensor<64xi32, #rows>
  %begins = arith.muli %r, %width overflow<nsw> : tensor<64xi32, #rows>
  %r2 = fsm.expand_dims %begins axis 1 : tensor<64xi32, #rows> -> tensor<64x1xi32, #first>
  %places = fsm.expand_dims %c axis 0 : tensor<32xi32, #columns> -> tensor<1x32xi32, #line>
  %rr = fsm.broadcast %r2 : tensor<64x1xi32, #first> -> tensor<64x32xi32, #tile>
  %cc = fsm.broadcast %places : tensor<1x32xi32, #line> -> tensor<64x32xi32, #tile>
  %o = arith.addi %rr, %cc overflow<nsw> : tensor<64x32xi32, #tile>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 2048 : i32
  %none = arith.constant dense<0.0> : tensor<64x32xf32, #tile>
  %weights = fsm.load %in[%places] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f32>, tensor<1x32xi32, #line> -> tensor<1x32xf32, #line>
  %lines = fsm.broadcast %weights : tensor<1x32xf32, #line> -> tensor<64x32xf32, #tile>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s0 = %none) -> tensor<64x32xf32, #tile> : i32 {
    %a = arith.muli %i, %size : i32
    %p0 = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %p0[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f32>, tensor<64x32xi32, #tile> -> tensor<64x32xf32, #tile>
    %p1 = fsm.offset %p0, %size : !fsm.ptr<f32>, i32
    %y = fsm.load %p1[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f32>, tensor<64x32xi32, #tile> -> tensor<64x32xf32, #tile>
    %xy = arith.addf %x, %y : tensor<64x32xf32, #tile>
    %w = arith.mulf %xy, %lines : tensor<64x32xf32, #tile>
    %s = arith.addf %s0, %w : tensor<64x32xf32, #tile>
    scf.yield %s : tensor<64x32xf32, #tile>
  } {fsm.forced_stages, fsm.num_stages = 2 : i32}
  fsm.store %sum, %out[%o] : tensor<64x32xf32, #tile>, !fsm.ptr<f32>, tensor<64x32xi32, #tile>
  fsm.return
}

// -----

// What is taken from its slot in front of a store waits behind it, and halves in a register each: of 191 that the sum leaves, 64 for
// each block of 32 words, too many for three.
// CHECK-LABEL: fsm.kernel @behind_a_store
// CHECK-COUNT-3: fsm.buffer = #fsm.load_buffer<async>
// CHECK:         fsm.takes_late
#flat = #fsm.layout<register = [[1], [2], [128], [256], [512], [1024]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @behind_a_store(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 2048 : i32
  %o = fsm.range 0, 2048 : tensor<2048xi32, #flat>
  %none = arith.constant dense<0.0> : tensor<2048xf32, #flat>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<2048xf32, #flat> : i32 {
    %a = arith.muli %i, %size : i32
    %to = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    fsm.store %s, %to[%o] : tensor<2048xf32, #flat>, !fsm.ptr<f32>, tensor<2048xi32, #flat>
    %p0 = fsm.offset %in, %a : !fsm.ptr<f16>, i32
    %x = fsm.load %p0[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<2048xi32, #flat> -> tensor<2048xf16, #flat>
    %p1 = fsm.offset %p0, %size : !fsm.ptr<f16>, i32
    %y = fsm.load %p1[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<2048xi32, #flat> -> tensor<2048xf16, #flat>
    %p2 = fsm.offset %p1, %size : !fsm.ptr<f16>, i32
    %z = fsm.load %p2[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<2048xi32, #flat> -> tensor<2048xf16, #flat>
    %xy = arith.addf %x, %y : tensor<2048xf16, #flat>
    %xyz = arith.addf %xy, %z : tensor<2048xf16, #flat>
    %wide = arith.extf %xyz : tensor<2048xf16, #flat> to tensor<2048xf32, #flat>
    %t = arith.addf %s, %wide : tensor<2048xf32, #flat>
    scf.yield %t : tensor<2048xf32, #flat>
  } {fsm.forced_stages, fsm.num_stages = 2 : i32}
  fsm.store %sum, %out[%o] : tensor<2048xf32, #flat>, !fsm.ptr<f32>, tensor<2048xi32, #flat>
  fsm.return
}

// -----

// In front of the store they have 32, and are taken where the iteration begins.
// CHECK-LABEL: fsm.kernel @before_a_store
// CHECK-COUNT-3: fsm.buffer = #fsm.load_buffer<async>
// CHECK-NOT:     fsm.takes_late
// CHECK:         return
#flat = #fsm.layout<register = [[1], [2], [128], [256], [512], [1024]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @before_a_store(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 2048 : i32
  %o = fsm.range 0, 2048 : tensor<2048xi32, #flat>
  %none = arith.constant dense<0.0> : tensor<2048xf32, #flat>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> tensor<2048xf32, #flat> : i32 {
    %a = arith.muli %i, %size : i32
    %p0 = fsm.offset %in, %a : !fsm.ptr<f16>, i32
    %x = fsm.load %p0[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<2048xi32, #flat> -> tensor<2048xf16, #flat>
    %p1 = fsm.offset %p0, %size : !fsm.ptr<f16>, i32
    %y = fsm.load %p1[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<2048xi32, #flat> -> tensor<2048xf16, #flat>
    %p2 = fsm.offset %p1, %size : !fsm.ptr<f16>, i32
    %z = fsm.load %p2[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<2048xi32, #flat> -> tensor<2048xf16, #flat>
    %to = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    fsm.store %s, %to[%o] : tensor<2048xf32, #flat>, !fsm.ptr<f32>, tensor<2048xi32, #flat>
    %xy = arith.addf %x, %y : tensor<2048xf16, #flat>
    %xyz = arith.addf %xy, %z : tensor<2048xf16, #flat>
    %wide = arith.extf %xyz : tensor<2048xf16, #flat> to tensor<2048xf32, #flat>
    %t = arith.addf %s, %wide : tensor<2048xf32, #flat>
    scf.yield %t : tensor<2048xf32, #flat>
  } {fsm.forced_stages, fsm.num_stages = 2 : i32}
  fsm.store %sum, %out[%o] : tensor<2048xf32, #flat>, !fsm.ptr<f32>, tensor<2048xi32, #flat>
  fsm.return
}
