// What fsm-assign-layouts refuses.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-assign-layouts))' --verify-diagnostics

// expected-error@+1 {{expected 'num_warps' on the kernel; 'fsm-choose-warps' writes it}}
fsm.kernel @no_warps() {
  fsm.return
}

fsm.kernel @random(%out: !fsm.ptr<i32>, %i: i32) attributes {num_warps = 1 : i32} {
  %r = fsm.range 0, 32 : tensor<32xi32>
  // expected-error@+1 {{expected no 'fsm.philox' when blocks get layouts; 'fsm-expand-random' takes it apart}}
  %a, %b, %c, %d = fsm.philox counter %r, %r, %r, %r key %r, %r : tensor<32xi32>
  fsm.store %a, %out[%r] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  fsm.return
}

func.func @ranges() -> (tensor<8xi32>, tensor<8xi32>) {
  %r = fsm.range 0, 8 : tensor<8xi32>
  return %r, %r : tensor<8xi32>, tensor<8xi32>
}

fsm.kernel @calls(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  // expected-error@+1 {{expected no 'func.call' when blocks get layouts; 'inline' takes it apart}}
  %r:2 = func.call @ranges() : () -> (tensor<8xi32>, tensor<8xi32>)
  fsm.store %r#0, %out[%r#1] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}
