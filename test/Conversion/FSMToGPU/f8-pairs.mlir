// Where a GPU has the instruction, two floats become f8 at once; what it does not do is computed as elsewhere.

// RUN: %fsm_opt %s --convert-fsm-to-gpu=target=sm_89 | FileCheck %s
// RUN: %fsm_opt %s --convert-fsm-to-gpu=target=sm_80 | FileCheck %s --check-prefix=NONE
// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s --check-prefix=NONE
// RUN: not %fsm_opt %s --convert-fsm-to-gpu=target=sm_1 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: unknown GPU target 'sm_1'; expected one of sm_75
// NONE-NOT: nvvm.convert

#w = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>
#one = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// The second operand becomes the first byte.
// CHECK-LABEL: gpu.func @pairs
// CHECK:         %[[X:.*]]:2 = vector.to_elements %{{.*}} : vector<2xf32>
// CHECK-NEXT:    nvvm.convert.f32x2.to.f8x2 %[[X]]#1, %[[X]]#0 {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : vector<2xi8>(f8E5M2)
// CHECK:         arith.extf %{{.*}} : vector<2xf16> to vector<2xf32>
// CHECK:         nvvm.convert.f32x2.to.f8x2 {{.*}}(f8E4M3FN)
fsm.kernel @pairs(%p: !fsm.ptr<f8E5M2>, %q: !fsm.ptr<f8E4M3FN>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %x = arith.sitofp %o : tensor<64xi32, #w> to tensor<64xf32, #w>
  %y = fsm.convert %x rounding = nearest_even : tensor<64xf32, #w> -> tensor<64xf8E5M2, #w>
  %h = arith.truncf %x : tensor<64xf32, #w> to tensor<64xf16, #w>
  %z = fsm.convert %h rounding = nearest_even : tensor<64xf16, #w> -> tensor<64xf8E4M3FN, #w>
  fsm.store %y, %p[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<64xf8E5M2, #w>, !fsm.ptr<f8E5M2>, tensor<64xi32, #w>
  fsm.store %z, %q[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<64xf8E4M3FN, #w>, !fsm.ptr<f8E4M3FN>, tensor<64xi32, #w>
  fsm.return
}

// CHECK-LABEL: gpu.func @scalar
// CHECK:         nvvm.convert.f32x2.to.f8x2 %[[S:.*]], %[[S]]
fsm.kernel @scalar(%p: !fsm.ptr<f8E5M2>, %x: f32) attributes {num_warps = 1 : i32} {
  %y = fsm.convert %x rounding = nearest_even : f32 -> f8E5M2
  fsm.store %y, %p : f8E5M2, !fsm.ptr<f8E5M2>
  fsm.return
}

// One by itself, and roundings that the instruction has not, or sources.
// CHECK-LABEL: gpu.func @others
// CHECK:         nvvm.convert.f32x2.to.f8x2 %[[C:.*]], %[[C]]
// CHECK-NOT:     nvvm.convert
fsm.kernel @others(%p: !fsm.ptr<f8E5M2>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 32 : tensor<32xi32, #one>
  %x = arith.sitofp %o : tensor<32xi32, #one> to tensor<32xf32, #one>
  %y = fsm.convert %x rounding = nearest_even : tensor<32xf32, #one> -> tensor<32xf8E5M2, #one>
  %z = fsm.convert %x rounding = toward_zero : tensor<32xf32, #one> -> tensor<32xf8E5M2, #one>
  %d = arith.sitofp %o : tensor<32xi32, #one> to tensor<32xf64, #one>
  %e = fsm.convert %d rounding = nearest_even : tensor<32xf64, #one> -> tensor<32xf8E5M2, #one>
  fsm.store %y, %p[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<32xf8E5M2, #one>, !fsm.ptr<f8E5M2>, tensor<32xi32, #one>
  fsm.store %z, %p[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<32xf8E5M2, #one>, !fsm.ptr<f8E5M2>, tensor<32xi32, #one>
  fsm.store %e, %p[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<32xf8E5M2, #one>, !fsm.ptr<f8E5M2>, tensor<32xi32, #one>
  fsm.return
}
