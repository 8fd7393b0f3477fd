// A product is made on one cta.

// RUN: %fsm_opt %s --verify-diagnostics --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps))'

// expected-error @below {{asks for 2 ctas, over which products of matrices are not spread yet: leave out 'num_ctas'}}
fsm.kernel @product(%p: !fsm.ptr<f32>) attributes {num_ctas = 2 : i32} {
  %x = arith.constant dense<1.0> : tensor<16x16xf32>
  %y = fsm.dot %x, %x, %x precision = ieee : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %s = fsm.reduce <sum> %y axis 0 : tensor<16x16xf32> -> tensor<16xf32>
  %t = fsm.reduce <sum> %s axis 0 : tensor<16xf32> -> f32
  fsm.store %t, %p : f32, !fsm.ptr<f32>
  fsm.return
}
