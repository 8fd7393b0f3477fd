// Of a block whose extents are no powers of two a slot has what all threads hold together, and not the next power of two.

// RUN: %fsm_opt %s --fsm-buffer-loads --fsm-allocate-shared | FileCheck %s

// Seven vectors of four for each of 32 lanes: 896 numbers, 3584 bytes.
// CHECK-DAG: #[[LINE:.*]] = #fsm.layout<offset = {{\[\[1], \[2], \[4], \[8], \[16], \[32], \[64], \[128], \[256], \[512]]}}>
#line = #fsm.layout<register = [[1], [2], [128], [256], [512]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// Three times 32 columns of 4 rows: 12 registers of 32 lanes, 1536 bytes. That there is no fourth time is the slot's end, because
// the rows come first.
// CHECK-DAG: #[[TILE:.*]] = #fsm.layout<offset = {{\[\[0, 1], \[0, 2], \[0, 4], \[0, 8], \[0, 16], \[1, 0], \[2, 0], \[0, 32], \[0, 64]]}}>
#tile = #fsm.layout<register = [[0, 32], [0, 64], [1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], cta = []>

// CHECK-LABEL: fsm.kernel @line
// CHECK-SAME:    fsm.shared_bytes = 7168 : i32
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<896xf32 slots 2, #[[LINE]]>
fsm.kernel @line(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 781 : tensor<781xi32, #line>
  scf.for %i = %zero to %n step %one : i32 {
    %x = fsm.load %p[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<781xi32, #line> -> tensor<781xf32, #line>
    fsm.store %x, %q[%o] : tensor<781xf32, #line>, !fsm.ptr<f32>, tensor<781xi32, #line>
  } {fsm.stages = 3 : i32}
  fsm.return
}

// CHECK-LABEL: fsm.kernel @tile
// CHECK-SAME:    fsm.shared_bytes = 1536 : i32
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<4x96xf32 slots 1, #[[TILE]]>
fsm.kernel @tile(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = ub.poison : tensor<4x70xi32, #tile>
  scf.for %i = %zero to %n step %one : i32 {
    %x = fsm.load %p[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<4x70xi32, #tile> -> tensor<4x70xf32, #tile>
    fsm.store %x, %q[%o] : tensor<4x70xf32, #tile>, !fsm.ptr<f32>, tensor<4x70xi32, #tile>
  } {fsm.stages = 2 : i32}
  fsm.return
}
