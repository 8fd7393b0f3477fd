// Loops know no such attribute.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
  } {fsm.vectorize = 4 : i32}
  fsm.return
}
