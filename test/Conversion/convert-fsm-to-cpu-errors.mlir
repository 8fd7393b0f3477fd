// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --convert-fsm-to-cpu

// expected-error @below {{expected a plan for the host; run 'fsm-plan-host-loops' first}}
fsm.kernel @no_plan() {
  fsm.return
}

// -----

fsm.kernel @no_loop(%out: !fsm.ptr<i32>) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected a loop in the plan; run 'fsm-plan-host-loops' first}}
  fsm.store %o, %out[%o] : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @two_blocks(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  %c1 = arith.constant 1 : i32
  // expected-error @below {{expected the roots of loop 0 of the plan to stand in one block}}
  fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  scf.for %i = %c1 to %n step %c1 : i32 {
    fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  }
  fsm.return
}

// -----

fsm.kernel @too_early(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  %s = fsm.reduce <sum> %o axis 0 {fsm.host_loop = 0 : i32} : tensor<16xi32> -> i32
  // expected-error @below {{uses a result of loop 0 of the plan before the loop has run}}
  fsm.store %s, %out : i32, !fsm.ptr<i32>
  fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @shapes(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  %p = fsm.range 0, 32 : tensor<32xi32>
  fsm.store %o, %out[%o] {fsm.host_loop = 0 : i32} : tensor<16xi32>, !fsm.ptr<i32>, tensor<16xi32>
  // expected-error @below {{expected the roots of one loop to have one shape}}
  fsm.store %p, %out[%p] {fsm.host_loop = 0 : i32} : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  fsm.return
}

// -----

fsm.kernel @not_kept(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %o = fsm.range 0, 16 : tensor<16xi32>
  // expected-error @below {{expected a buffer for a value that is kept}}
  %s = arith.addi %o, %o {fsm.host_loop = 0 : i32} : tensor<16xi32>
  fsm.return
}

// -----

fsm.kernel @no_result_buffer(%out: !fsm.ptr<i32>, %n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %c = arith.constant dense<1> : tensor<4x16xi32>
  // expected-error @below {{expected buffers in the plan; run 'fsm-plan-host-loops' first}}
  %s = fsm.reduce <sum> %c axis 0 {fsm.host_loop = 0 : i32} : tensor<4x16xi32> -> tensor<16xi32>
  fsm.return
}
