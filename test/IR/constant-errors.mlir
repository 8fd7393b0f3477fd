// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

fsm.kernel @resource(%out: !fsm.ptr<f32>) {
  // expected-error @below {{expected a constant written as a number or with 'dense<...>'}}
  %c = arith.constant dense_resource<elsewhere> : tensor<4xf32>
  fsm.return
}

// -----

fsm.kernel @sparse(%out: !fsm.ptr<f32>) {
  // expected-error @below {{expected a constant written as a number or with 'dense<...>'}}
  %c = arith.constant sparse<[[0]], [1.0]> : tensor<4xf32>
  fsm.return
}
