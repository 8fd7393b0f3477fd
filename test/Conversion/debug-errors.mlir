// What the conversions must be given, and say when they are not.
//
// RUN: %fsm_opt %s --convert-fsm-to-gpu --split-input-file --verify-diagnostics
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops),convert-fsm-to-cpu)' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU

fsm.kernel @number(%i: i32) attributes {num_warps = 1 : i32} {
  // CPU: error: expected 'fsm.debug_number' on 'fsm.print'; 'fsm-number-debug-ops' writes it
  // expected-error @below {{expected 'fsm.debug_number' on 'fsm.print'; 'fsm-number-debug-ops' writes it}}
  fsm.print "i" %i : i32
  fsm.return
}

// -----

fsm.kernel @list(%i: i32) attributes {num_warps = 1 : i32} {
  // expected-error @below {{expected 'fsm.debug_ops' on the kernel; 'fsm-number-debug-ops' writes it}}
  fsm.print "i" %i : i32 {fsm.debug_number = 0 : i32}
  fsm.return
}
