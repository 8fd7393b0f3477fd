// Kernel 910298 of tools/dev/fuzz: what a sorting network makes of equal numbers is folded step by step, which takes fsm-combine
// more rounds than it makes where nothing was folded before. That is no failure.
//
// RUN: %fsm_run %s --device=cpu --compare=interp --without=canonicalize --grid=1 --arg=i32[256] | FileCheck %s
// RUN: %fsm_run %s --device=sim --compare=interp --without=canonicalize --grid=1 --arg=i32[256] | FileCheck %s
// CHECK: 256 elements agree

fsm.kernel @sorted(%out: !fsm.ptr<i32>) {
  %x = arith.constant dense<3.0> : tensor<16x16xf64>
  %values, %indices = fsm.topk %x axis 1 : tensor<16x16xf64> -> tensor<16x16xf64>
  %at = fsm.places strides [16, 1] : tensor<16x16xi32>
  fsm.store %indices, %out[%at] : tensor<16x16xi32>, !fsm.ptr<i32>, tensor<16x16xi32>
  fsm.return
}
