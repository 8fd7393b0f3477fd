// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fsm.kernel(fsm-unroll-loops))'

fsm.kernel @bounds(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{expected constant bounds and a constant step of a loop with 'fsm.unroll'}}
  scf.for %i = %zero to %n step %one : i32 {
  } {fsm.unroll}
  fsm.return
}

// -----

fsm.kernel @step() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{expected a positive step of a loop with 'fsm.unroll'}}
  scf.for %i = %zero to %one step %zero : i32 {
  } {fsm.unroll}
  fsm.return
}

// -----

fsm.kernel @long() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %many = arith.constant 2147483647 : i32
  // expected-error @below {{expected at most 8192 ops where a loop with 'fsm.unroll' is written out, got more}}
  scf.for %i = %zero to %many step %one : i32 {
  } {fsm.unroll}
  fsm.return
}

// -----

// Each loop by itself is short; what they make of one another is bounded, too.
fsm.kernel @nested() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %many = arith.constant 100 : i32
  scf.for %i = %zero to %many step %one : i32 {
    // expected-error @below {{expected at most 8192 ops where a loop with 'fsm.unroll' is written out, got more}}
    scf.for %j = %zero to %many step %one : i32 {
      scf.for %k = %zero to %many step %one : i32 {
        fsm.barrier
      } {fsm.unroll}
    } {fsm.unroll}
  } {fsm.unroll}
  fsm.return
}

// -----

fsm.kernel @branch(%condition: i1) {
  // expected-error @below {{expected 'fsm.unroll' on scf.for, with no value, as the author or fsm-count-trips writes it, got unit on 'scf.if'}}
  scf.if %condition {
  } {fsm.unroll}
  fsm.return
}
