// From how many ops on a kernel's repeats become loops, and how many ops those have. A product counts 16 times; the kernel
// itself, its constants and what ends it count too.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=0}))' | FileCheck %s --check-prefixes=KERNEL,LONG
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=8}))' | FileCheck %s --check-prefixes=KERNEL,LONG
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=9}))' | FileCheck %s --check-prefixes=KERNEL,SHORT
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=127}))' | FileCheck %s --check-prefixes=KERNEL,SHORT,ONE
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=128}))' | FileCheck %s --check-prefixes=KERNEL,SHORT,TWO
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=143}))' | FileCheck %s --check-prefixes=KERNEL,SHORT,TWO
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=144}))' | FileCheck %s --check-prefixes=KERNEL,SHORT,FEW
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=4294967295}))' | FileCheck %s --check-prefixes=KERNEL,SHORT,FEW

// fsm-run and the C API take 1 to 2^20 (RunOptionsTest.cpp, c-programs.test), the pass what its option holds.
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=4294967296}))' 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: for the --roll-from option: '4294967296' value invalid for uint argument!
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=-1}))' 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: for the --roll-from option: '-1' value invalid for uint argument!

// KERNEL-LABEL: @eight
// LONG:           scf.for
// SHORT-NOT:      scf.for
// KERNEL:         fsm.return
fsm.kernel @eight(%out: !fsm.ptr<f32>, %x: f32, %y: f32) {
  %a = arith.addf %x, %y : f32
  %b = arith.addf %a, %y : f32
  %c = arith.addf %b, %y : f32
  %d = arith.addf %c, %y : f32
  %e = arith.addf %d, %y : f32
  fsm.store %e, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// The nine products alone are 144. A repeat has a sixteenth of the bound at least: 7 ops below 128, 8 below 144, 9 from there
// on; and a loop's body a sixty-fourth: 2 ops from 128 on.
// KERNEL-LABEL: @products
// ONE:            scf.for
// ONE-NEXT:         arith.negf
// ONE-NEXT:         scf.yield
// TWO:            scf.for
// TWO-NEXT:         arith.negf
// TWO-NEXT:         arith.negf
// TWO-NEXT:         scf.yield
// FEW-NOT:        scf.for
// KERNEL:         fsm.return
fsm.kernel @products(%out: !fsm.ptr<f32>, %x: f32) {
  %m = fsm.splat %x : tensor<16x16xf32>
  %p0 = fsm.dot %m, %m, %m precision = ieee : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %p1 = fsm.dot %p0, %m, %m precision = ieee : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %p2 = fsm.dot %p1, %m, %m precision = ieee : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %p3 = fsm.dot %p2, %m, %m precision = tf32 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %p4 = fsm.dot %p3, %m, %m precision = tf32 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %p5 = fsm.dot %p4, %m, %m precision = tf32 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %p6 = fsm.dot %p5, %m, %m precision = tf32x3 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %p7 = fsm.dot %p6, %m, %m precision = tf32x3 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %p8 = fsm.dot %p7, %m, %m precision = tf32x3 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %n0 = arith.negf %x : f32
  %n1 = arith.negf %n0 : f32
  %n2 = arith.negf %n1 : f32
  %n3 = arith.negf %n2 : f32
  %n4 = arith.negf %n3 : f32
  %n5 = arith.negf %n4 : f32
  %n6 = arith.negf %n5 : f32
  %n7 = arith.negf %n6 : f32
  %at = fsm.range 0, 16 : tensor<16xi32>
  %sum = fsm.reduce <sum> %p8 axis 0 : tensor<16x16xf32> -> tensor<16xf32>
  fsm.store %sum, %out[%at] : tensor<16xf32>, !fsm.ptr<f32>, tensor<16xi32>
  fsm.store %n7, %out : f32, !fsm.ptr<f32>
  fsm.return
}
