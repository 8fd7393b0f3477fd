// Prints have a number each, by which their place in the source is found: they do not repeat.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-number-debug-ops,fsm-roll-loops{roll-from=1}))' | FileCheck %s

// CHECK-LABEL: @printed
// CHECK-NOT:     scf.for
// CHECK-COUNT-4: fsm.print
// CHECK-NOT:     fsm.print
fsm.kernel @printed(%x: i32) {
  fsm.print "x" %x : i32
  fsm.print "x" %x : i32
  fsm.print "x" %x : i32
  fsm.print "x" %x : i32
  fsm.return
}
