// RUN: %fsm_opt %s --convert-fsm-to-cpu --split-input-file --verify-diagnostics

fsm.kernel @no_loop() attributes {fsm.host_scratch = 0 : i64} {
  %a = arith.constant dense<1.0> : tensor<4x4xf64>
  // expected-error @below {{expected a loop in the plan for the host}}
  %d = fsm.dot %a, %a, %a {fsm.host_buffer = array<i64: 0>} : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  fsm.return
}

// -----

fsm.kernel @no_buffer() attributes {fsm.host_scratch = 0 : i64} {
  %a = arith.constant dense<1.0> : tensor<4x4xf64>
  // expected-error @below {{expected buffers in the plan for the host}}
  %d = fsm.dot %a, %a, %a {fsm.host_loop = 0 : i32, fsm.host_tile = array<i64: 4, 1>} : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  fsm.return
}

// -----

fsm.kernel @shared_loop() attributes {fsm.host_scratch = 0 : i64} {
  %a = arith.constant dense<1.0> : tensor<4x4xf64>
  // expected-error @below {{expected a loop of its own for 'fsm.dot'}}
  %d = fsm.dot %a, %a, %a {fsm.host_loop = 0 : i32, fsm.host_buffer = array<i64: 0>, fsm.host_tile = array<i64: 4, 1>} : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  // expected-note@+1 {{another root of the loop is here}}
  %e = fsm.dot %a, %a, %a {fsm.host_loop = 0 : i32, fsm.host_buffer = array<i64: 0>, fsm.host_tile = array<i64: 4, 1>} : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  fsm.return
}

// -----

// What the loop reads has no buffer and is carried.
fsm.kernel @carried(%n: i32) attributes {fsm.host_scratch = 0 : i64} {
  %a = arith.constant dense<1.0> : tensor<4x4xf64>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{expected buffers in the plan for the host}}
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (tensor<4x4xf64>) : i32 {
    %d = fsm.dot %x, %x, %x {fsm.host_loop = 0 : i32, fsm.host_buffer = array<i64: 0>, fsm.host_tile = array<i64: 4, 1>} : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
    scf.yield %d : tensor<4x4xf64>
  }
  fsm.return
}

// -----

fsm.kernel @no_tile() attributes {fsm.host_scratch = 0 : i64} {
  %a = arith.constant dense<1.0> : tensor<4x4xf64>
  // expected-error @below {{expected 1 to 16 rows and vectors of a tile in the plan for the host}}
  %d = fsm.dot %a, %a, %a {fsm.host_loop = 0 : i32, fsm.host_buffer = array<i64: 0>, fsm.host_tile = array<i64: 0, 2>} : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  fsm.return
}
