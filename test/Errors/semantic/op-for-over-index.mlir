// Loops count in i32 or i64.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %c = arith.constant 1 : index
  scf.for %i = %c to %c step %c {
  }
  fsm.return
}
