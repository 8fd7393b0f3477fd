// What fsm-assign-layouts refuses.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-assign-layouts))' --verify-diagnostics

// expected-error@+1 {{expected 'num_warps' on the kernel; 'fsm-choose-warps' writes it}}
fsm.kernel @no_warps() {
  fsm.return
}
