// RUN: %fsm_opt %s --pass-pipeline='builtin.module(inline,fsm-check-kernels)' --split-input-file --verify-diagnostics

// expected-note @below {{the helper is here}}
func.func private @external(i32) -> i32

fsm.kernel @calls_external(%n: i32) {
  // expected-error @below {{the call of '@external' cannot be inlined: the helper has no body}}
  %a = func.call @external(%n) : (i32) -> i32
  fsm.return
}

// -----

// expected-note @below {{the helper is here}}
func.func @recursive(%n: i32) -> i32 {
  %a = func.call @recursive(%n) : (i32) -> i32
  return %a : i32
}

fsm.kernel @calls_recursive(%n: i32) {
  // expected-error @below {{the call of '@recursive' cannot be inlined: the helper is recursive}}
  %a = func.call @recursive(%n) : (i32) -> i32
  fsm.return
}

// -----

// expected-note @below {{the helper is here}}
func.func @blocks(%c: i1) {
  llvm.cond_br %c, ^one, ^other
^one:
  return
^other:
  llvm.unreachable
}

fsm.kernel @calls_blocks(%n: i32, %m: i32, %c: i1) {
  scf.for %i = %n to %m step %n : i32 {
    // expected-error @below {{the call of '@blocks' cannot be inlined: the helper has several blocks; use scf control flow}}
    func.call @blocks(%c) : (i1) -> ()
  }
  fsm.return
}

// -----

// Plans are not taken from a text.
func.func @waits() {
  // expected-error @below {{'fsm.copy_wait' is written by passes for GPUs; kernels are written without}}
  fsm.copy_wait 0
  return
}

fsm.kernel @planned(%p: !fsm.ptr<f32>, %n: i32, %m: i32) {
  // expected-error @below {{'fsm.shared_barrier' is written by passes for GPUs; kernels are written without}}
  fsm.shared_barrier <program>
  func.call @waits() : () -> ()
  // expected-error @below {{'fsm.stages' is written by fsm-schedule-loops; give a loop 'fsm.num_stages' instead}}
  scf.for %i = %n to %m step %n : i32 {
    // expected-error @below {{'fsm.stage' is written by fsm-schedule-loops or fsm-advance-loads; give a loop 'fsm.num_stages' instead}}
    %x = fsm.load %p {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32
    fsm.store %x, %p : f32, !fsm.ptr<f32>
    // expected-error @below {{'fsm.copy_commit' is written by passes for GPUs; kernels are written without}}
    fsm.copy_commit
  } {fsm.stages = 2 : i32}
  // expected-error @below {{'fsm.buffer' is written by fsm-schedule-loops; give a loop 'fsm.num_stages' instead}}
  %x = fsm.load %p {fsm.buffer = #fsm.load_buffer<async>} : !fsm.ptr<f32> -> f32
  // expected-error @below {{'fsm.host_stream' is written by fsm-plan-host-loops; kernels are written without}}
  fsm.store %x, %p {fsm.host_stream} : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// A helper is named once, wherever it is called.

// expected-note @below {{the helper is here}}
func.func @again(%n: i32) -> i32 {
  %a = func.call @again(%n) : (i32) -> i32
  return %a : i32
}

fsm.kernel @calls_again(%n: i32) {
  // expected-error @below {{the call of '@again' cannot be inlined: the helper is recursive}}
  %a = func.call @again(%n) : (i32) -> i32
  %b = func.call @again(%a) : (i32) -> i32
  fsm.return
}
