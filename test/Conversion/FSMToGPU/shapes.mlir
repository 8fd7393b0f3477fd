// Transposes, joins and splits of blocks with layouts: other names for the registers of a thread.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#part = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#side_by_side = #fsm.layout<register = [[0, 1], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], cta = []>
#halves = #fsm.layout<register = [[32, 0], [64, 0], [0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], cta = []>

// 75 elements are three of each lane: 0, 1, 2 on the left and 3, 4, 5 on the right.
// CHECK-LABEL: gpu.func @joined
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 3, 1, 4, 2, 5] : vector<3xi32>, vector<3xi32>
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5] : vector<3xi32>, vector<3xi32>
// CHECK-NOT:     nvvm.
// CHECK:         gpu.return
fsm.kernel @joined(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %l = fsm.range 0, 75 : tensor<75xi32, #part>
  %r = fsm.range 75, 150 : tensor<75xi32, #part>
  %a = fsm.join %l, %r : tensor<75xi32, #part> -> tensor<75x2xi32, #side_by_side>
  fsm.store %a, %out[%a] : tensor<75x2xi32, #side_by_side>, !fsm.ptr<i32>, tensor<75x2xi32, #side_by_side>
  %b = fsm.join %l, %r : tensor<75xi32, #part> -> tensor<75x2xi32, #halves>
  fsm.store %b, %out[%b] : tensor<75x2xi32, #halves>, !fsm.ptr<i32>, tensor<75x2xi32, #halves>
  fsm.return
}

// CHECK-LABEL: gpu.func @split
// CHECK:         %[[X:.*]] = llvm.load
// CHECK:         vector.shuffle %[[S:.*]], %[[S]] [0, 2, 4] : vector<6xf32>, vector<6xf32>
// CHECK:         vector.shuffle %[[S]], %[[S]] [1, 3, 5] : vector<6xf32>, vector<6xf32>
// CHECK:         vector.shuffle %[[H:.*]], %[[H]] [0, 1, 2] : vector<6xf32>, vector<6xf32>
// CHECK:         vector.shuffle %[[H]], %[[H]] [3, 4, 5] : vector<6xf32>, vector<6xf32>
// CHECK-NOT:     nvvm.shfl
// CHECK:         gpu.return
fsm.kernel @split(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 75 : tensor<75xi32, #part>
  %e = fsm.join %o, %o : tensor<75xi32, #part> -> tensor<75x2xi32, #side_by_side>
  %f = fsm.join %o, %o : tensor<75xi32, #part> -> tensor<75x2xi32, #halves>
  %x = fsm.load %p[%e] : !fsm.ptr<f32>, tensor<75x2xi32, #side_by_side> -> tensor<75x2xf32, #side_by_side>
  %y = fsm.load %p[%f] : !fsm.ptr<f32>, tensor<75x2xi32, #halves> -> tensor<75x2xf32, #halves>
  %a, %b = fsm.split %x : tensor<75x2xf32, #side_by_side> -> tensor<75xf32, #part>
  %c, %d = fsm.split %y : tensor<75x2xf32, #halves> -> tensor<75xf32, #part>
  fsm.store %a, %q[%o] : tensor<75xf32, #part>, !fsm.ptr<f32>, tensor<75xi32, #part>
  fsm.store %b, %q[%o] : tensor<75xf32, #part>, !fsm.ptr<f32>, tensor<75xi32, #part>
  fsm.store %c, %q[%o] : tensor<75xf32, #part>, !fsm.ptr<f32>, tensor<75xi32, #part>
  fsm.store %d, %q[%o] : tensor<75xf32, #part>, !fsm.ptr<f32>, tensor<75xi32, #part>
  fsm.return
}

#rows = #fsm.layout<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], cta = []>
#columns = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], cta = []>
#others = #fsm.layout<register = [[0, 2], [0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], cta = []>

// The same registers, and their order where it differs.
// CHECK-LABEL: gpu.func @transposed
// CHECK-COUNT-4: llvm.load
// CHECK-NOT:     vector.shuffle
// CHECK-COUNT-4: llvm.{{(intr.masked.)?}}store
// CHECK:         vector.shuffle %[[X:.*]], %[[X]] [0, 2, 1, 3] : vector<4xf32>, vector<4xf32>
// CHECK:         gpu.return
fsm.kernel @transposed(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %zero = arith.constant dense<0> : tensor<4x32xi32, #rows>
  %zeros = arith.constant dense<0> : tensor<32x4xi32, #columns>
  %others = arith.constant dense<0> : tensor<32x4xi32, #others>
  %x = fsm.load %p[%zero] : !fsm.ptr<f32>, tensor<4x32xi32, #rows> -> tensor<4x32xf32, #rows>
  %y = fsm.transpose %x order [1, 0] : tensor<4x32xf32, #rows> -> tensor<32x4xf32, #columns>
  fsm.store %y, %q[%zeros] : tensor<32x4xf32, #columns>, !fsm.ptr<f32>, tensor<32x4xi32, #columns>
  %z = fsm.transpose %x order [1, 0] : tensor<4x32xf32, #rows> -> tensor<32x4xf32, #others>
  fsm.store %z, %q[%others] : tensor<32x4xf32, #others>, !fsm.ptr<f32>, tensor<32x4xi32, #others>
  fsm.return
}
