// Early loads become copies into slots: one slot for each stage between the copy and the last, a group of copies a
// stage, and the blocks taken out behind a wait.

// RUN: %fsm_opt %s --fsm-buffer-loads | FileCheck %s
// RUN: %fsm_opt %s --fsm-buffer-loads | %fsm_opt | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// CHECK-DAG: #[[WIDE:.*]] = #fsm.layout<offset = {{\[\[1], \[2], \[4], \[8], \[16], \[32], \[64]]}}>
// CHECK-DAG: #[[NARROW:.*]] = #fsm.layout<offset = {{\[\[4], \[8], \[16], \[32], \[64], \[1], \[2]]}}>
// CHECK-LABEL: fsm.kernel @two_stages
// The elements of one access lie side by side, then the threads', then those of their other registers.
// CHECK-DAG:     %[[A:.*]] = fsm.shared_alloc : !fsm.shared<128xf32 slots 3, #[[WIDE]]>
// CHECK-DAG:     %[[B:.*]] = fsm.shared_alloc : !fsm.shared<128xf32 slots 3, #[[NARROW]]>
// CHECK-DAG:     %[[C:.*]] = fsm.shared_alloc : !fsm.shared<128xf32 slots 1, #[[WIDE]]>
// CHECK:         scf.for {{.*}} iter_args(%[[PUT:.*]] = %[[ZERO:.*]], %[[TAKE:.*]] = %[[ZERO]]) -> (i32, i32)
// CHECK:           fsm.copy_async %[[ROW:.*]][%[[O:.*]]], %[[MASK:.*]] into %[[A1:.*]][%[[PUT]]] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.stage = 0 : i32}
// CHECK-NEXT:      fsm.copy_async %[[ROW]][%[[O]]] into %[[B1:.*]][%[[PUT]]] {fsm.access_dim = 0 : i32, fsm.access_width = 1 : i32, fsm.stage = 0 : i32}
// CHECK-NEXT:      fsm.copy_commit {fsm.stage = 0 : i32}
// A single slot needs no counting.
// CHECK-NEXT:      fsm.copy_async %[[ROW]][%[[O]]] into %[[C1:.*]][%{{c0.*}}] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.stage = 2 : i32}
// CHECK-NEXT:      fsm.copy_commit {fsm.stage = 2 : i32}
// What waits in registers stays a load.
// CHECK-NEXT:      fsm.load {{.*}} {fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 2 : i32}
// CHECK-NEXT:      fsm.copy_wait 0
// CHECK-NEXT:      fsm.shared_load %[[A1]][%[[TAKE]]] :
// CHECK-NEXT:      fsm.shared_load %[[B1]][%[[TAKE]]] :
// CHECK-NEXT:      fsm.copy_wait 0
// CHECK-NEXT:      fsm.shared_load %[[C1]][%{{c0.*}}] :
// CHECK:           fsm.store
// From the last slot to the first.
// CHECK:           %[[NEXT:.*]] = arith.addi %[[PUT]], %{{.*}} {fsm.stage = 0 : i32}
// CHECK-NEXT:      %[[END:.*]] = arith.cmpi eq, %[[NEXT]], %c3{{.*}} {fsm.stage = 0 : i32}
// CHECK-NEXT:      %[[PUT1:.*]] = arith.select %[[END]], %c0{{.*}}, %[[NEXT]] {fsm.stage = 0 : i32}
// CHECK:           %[[NEXT1:.*]] = arith.addi %[[TAKE]], %{{[^{]*$}}
// CHECK-NEXT:      %[[END1:.*]] = arith.cmpi eq, %[[NEXT1]], %c3{{[^{]*$}}
// CHECK-NEXT:      %[[TAKE1:.*]] = arith.select %[[END1]], %c0{{.*}}, %[[NEXT1]]
// CHECK-NEXT:      scf.yield %[[PUT1]], %[[TAKE1]]
// CHECK-NEXT:    } {fsm.num_stages = 4 : i32, fsm.stages = 4 : i32}
fsm.kernel @two_stages(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %stride: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %end = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %o, %end : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %i, %stride {fsm.stage = 0 : i32} : i32
    %from = fsm.offset %in, %a {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o], %mask {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %y = fsm.load %from[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %z = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 2 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %r = fsm.load %from {fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 2 : i32} : !fsm.ptr<f32> -> f32
    %s = fsm.splat %r : tensor<128xf32, #row>
    %b = arith.addf %x, %y : tensor<128xf32, #row>
    %c = arith.addf %b, %z : tensor<128xf32, #row>
    %d = arith.addf %c, %s : tensor<128xf32, #row>
    %to = fsm.offset %out, %i : !fsm.ptr<f32>, i32
    fsm.store %d, %to[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.num_stages = 4 : i32, fsm.stages = 4 : i32}
  fsm.return
}

// Neither a load of the last stage nor one that stays, nor a loop without stages.
// CHECK-LABEL: fsm.kernel @nothing
// CHECK-NOT:     fsm.shared_alloc
// CHECK-NOT:     fsm.copy
// CHECK:         fsm.return
fsm.kernel @nothing(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %x = fsm.load %in[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 1 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
    %y = fsm.load %in[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<none>} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %y, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.stages = 2 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    %x = fsm.load %in[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  fsm.return
}

// The choice of what lies where the mask is false becomes part of taking the block out, unless it needs what is only
// known later, or somebody uses the zeros.
// CHECK-LABEL: fsm.kernel @choices
// CHECK:         fsm.copy_async %in[%{{.*}}], %[[MASK:.*]] into
// CHECK:         fsm.copy_wait 0
// CHECK:         %[[X:.*]] = fsm.shared_load %{{.*}}, %[[MASK]], %[[ONES:.*]] :
// CHECK-NOT:     arith.select
// CHECK:         fsm.store %[[X]]
// CHECK:         %[[Y:.*]] = fsm.shared_load %{{[^,]*}} :
// CHECK:         arith.select %[[MASK]], %[[Y]], %[[ONES]]
// CHECK:         fsm.return
fsm.kernel @choices(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %end = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %o, %end : tensor<128xi32, #row>
  %ones = arith.constant dense<1.0> : tensor<128xf32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %x = fsm.load %in[%o], %mask {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %c = arith.select %mask, %x, %ones {fsm.other_elements} : tensor<128xi1, #row>, tensor<128xf32, #row>
    fsm.store %c, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.stages = 2 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    %x = fsm.load %in[%o], %mask {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %c = arith.select %mask, %x, %ones {fsm.other_elements} : tensor<128xi1, #row>, tensor<128xf32, #row>
    %d = arith.addf %c, %x : tensor<128xf32, #row>
    fsm.store %d, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.stages = 2 : i32}
  fsm.return
}
