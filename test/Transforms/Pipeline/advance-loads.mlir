// Early loads, and copies of what computes their addresses, at the beginning of the body.

// RUN: %fsm_opt %s --fsm-advance-loads --split-input-file | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// The address of a row begins again in front of the body, in the first stage; what only it needed is gone from the last.
// CHECK-LABEL: fsm.kernel @one
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[A:.*]] = arith.muli %[[I]], %{{.*}} {fsm.stage = 0 : i32} : i32
// CHECK-NEXT:      %[[ROW:.*]] = fsm.offset %{{.*}}, %[[A]] {fsm.stage = 0 : i32}
// CHECK-NEXT:      %[[X:.*]] = fsm.load %[[ROW]][%{{.*}}] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32}
// CHECK-NEXT:      %[[AGAIN:.*]] = arith.muli %[[I]], %{{.*}} : i32
// CHECK-NEXT:      %[[TO:.*]] = fsm.offset %{{.*}}, %[[AGAIN]]
// CHECK-NEXT:      fsm.store %[[X]], %[[TO]]
// CHECK-NEXT:    } {fsm.stages = 3 : i32}
fsm.kernel @one(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %stride: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %i, %stride : i32
    %from = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %to = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    fsm.store %x, %to[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.stages = 3 : i32}
  fsm.return
}

// A carried address is carried once more for the stage of its load, which is further.
// CHECK-LABEL: fsm.kernel @carried
// CHECK:         scf.for {{.*}} iter_args(%[[LAST:.*]] = %[[IN:.*]], %[[SUM:.*]] = %{{.*}}, %[[EARLY:.*]] = %[[IN]])
// CHECK-NEXT:      fsm.load %[[EARLY]]{{.*}} fsm.stage = 0 : i32}
// CHECK-NEXT:      %[[NEXT:.*]] = fsm.offset %[[EARLY]], %{{.*}} {fsm.stage = 0 : i32}
// CHECK:           %[[STEP:.*]] = fsm.offset %[[LAST]], %{{[^{]*$}}
// CHECK:           scf.yield %[[STEP]], %{{.*}}, %[[NEXT]]
fsm.kernel @carried(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %stride: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %none = arith.constant dense<0.0> : tensor<128xf32, #row>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%from = %in, %sum = %none) -> (!fsm.ptr<f32>, tensor<128xf32, #row>) : i32 {
    %x = fsm.load %from[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %next = fsm.offset %from, %stride : !fsm.ptr<f32>, i32
    %more = arith.addf %sum, %x : tensor<128xf32, #row>
    scf.yield %next, %more : !fsm.ptr<f32>, tensor<128xf32, #row>
  } {fsm.stages = 2 : i32}
  fsm.store %r#1, %r#0[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  fsm.return
}

// What is loaded for an address is there when its stage begins.
// CHECK-LABEL: fsm.kernel @gather
// CHECK:         %[[K:.*]] = fsm.load {{.*}}fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32}
// CHECK-NEXT:    fsm.load %{{.*}}[%[[K]]] {{.*}} fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 2 : i32}
// CHECK:         {fsm.stages = 5 : i32}
fsm.kernel @gather(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %index: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %index, %i : !fsm.ptr<i32>, i32
    %k = fsm.load %from[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32} : !fsm.ptr<i32>, tensor<128xi32, #row> -> tensor<128xi32, #row>
    %x = fsm.load %in[%k] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 2 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.stages = 5 : i32}
  fsm.return
}

// A copy leaves zeros where the mask is false: another number is put there afterwards, in the last stage, and the
// mask is computed in both.
// CHECK-LABEL: fsm.kernel @other
// CHECK:         arith.cmpi slt, {{.*}} {fsm.stage = 0 : i32}
// CHECK:         %[[X:.*]] = fsm.load %{{[^,]*}}, %{{[^,]*}} {fsm.access_dim{{.*}} fsm.stage = 0 : i32}
// CHECK-NOT:     fsm.stage
// CHECK:         %[[MASK:.*]] = arith.cmpi slt
// CHECK-NEXT:    %[[NINF:.*]] = fsm.splat
// CHECK-NEXT:    %[[Y:.*]] = arith.select %[[MASK]], %[[X]], %[[NINF]]
// CHECK-NEXT:    fsm.store %[[Y]]
fsm.kernel @other(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ninf = arith.constant 0xFF800000 : f32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %end = fsm.splat %i : tensor<128xi32, #row>
    %mask = arith.cmpi slt, %o, %end : tensor<128xi32, #row>
    %x = fsm.load %in[%o], %mask, %ninf {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.stages = 2 : i32}
  fsm.return
}

// Zeros need no choice, but for what one thread copies, which leaves there what was there. -0 is another number.
// CHECK-LABEL: fsm.kernel @zeros
// CHECK:         %[[X:.*]] = fsm.load {{.*}}<async>
// CHECK:         %[[Y:.*]] = fsm.load {{.*}}<bulk>
// CHECK:         %[[Z:.*]] = fsm.load {{.*}}<async>
// CHECK-NOT:     arith.select
// CHECK:         %[[BULK:.*]] = arith.select %{{.*}}, %[[Y]], %{{.*}} {fsm.other_elements}
// CHECK:         %[[MINUS:.*]] = arith.select %{{.*}}, %[[Z]], %{{.*}} {fsm.other_elements}
// CHECK:         fsm.store %[[X]],
// CHECK:         fsm.store %[[BULK]],
// CHECK:         fsm.store %[[MINUS]],
fsm.kernel @zeros(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %end = fsm.splat %i : tensor<128xi32, #row>
    %mask = arith.cmpi slt, %o, %end : tensor<128xi32, #row>
    %x = fsm.load %in[%o], %mask, %none {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %y = fsm.load %in[%o], %mask, %none {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<bulk>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %z = fsm.load %in[%o], %mask, %minus {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
    fsm.store %y, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
    fsm.store %z, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.stages = 2 : i32}
  fsm.return
}
