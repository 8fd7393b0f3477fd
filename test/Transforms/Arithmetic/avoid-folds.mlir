// The angle of the origin is that of 1 or -1 with the same zero, as IEEE 754 has it, also where both numbers are known before
// the code runs: upstream alone makes NaN of them.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-avoid-folds)' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-avoid-folds,canonicalize)' | FileCheck %s --check-prefix=FOLDED
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=ALONE

// CHECK-LABEL: func.func private @angle(
// CHECK-SAME:    %[[Y:.*]]: f32, %[[X:.*]]: f32)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.0
// CHECK:         %[[Y0:.*]] = arith.cmpf oeq, %[[Y]], %[[ZERO]]
// CHECK:         %[[X0:.*]] = arith.cmpf oeq, %[[X]], %[[ZERO]]
// CHECK:         %[[ORIGIN:.*]] = arith.andi %[[Y0]], %[[X0]]
// CHECK:         %[[SIDE:.*]] = math.copysign %[[ONE]], %[[X]]
// CHECK:         %[[THERE:.*]] = arith.select %[[ORIGIN]], %[[SIDE]], %[[X]]
// CHECK:         math.atan2 %[[Y]], %[[THERE]]
func.func private @angle(%y: f32, %x: f32) -> f32 {
  %angle = math.atan2 %y, %x : f32
  return %angle : f32
}

// 0, -0, pi and -pi.
// FOLDED-LABEL: fsm.kernel @origin
// FOLDED-DAG:     arith.constant 0.000000e+00 : f32
// FOLDED-DAG:     arith.constant -0.000000e+00 : f32
// FOLDED-DAG:     arith.constant 3.14159274 : f32
// FOLDED-DAG:     arith.constant -3.14159274 : f32
// FOLDED-NOT:     math.atan2
// ALONE:        fsm.kernel @origin
// ALONE:          0x7FC00000
fsm.kernel @origin(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %r: !fsm.ptr<f32>, %s: !fsm.ptr<f32>) {
  %zero = arith.constant 0.0 : f32
  %negative = arith.constant -0.0 : f32
  %a = math.atan2 %zero, %zero : f32
  %b = math.atan2 %negative, %zero : f32
  %c = math.atan2 %zero, %negative : f32
  %d = math.atan2 %negative, %negative : f32
  fsm.store %a, %p : f32, !fsm.ptr<f32>
  fsm.store %b, %q : f32, !fsm.ptr<f32>
  fsm.store %c, %r : f32, !fsm.ptr<f32>
  fsm.store %d, %s : f32, !fsm.ptr<f32>
  fsm.return
}
