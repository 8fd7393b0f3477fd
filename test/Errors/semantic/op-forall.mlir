// The language has scf.for, scf.if and scf.while.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  scf.forall (%i) in (4) {
  }
  fsm.return
}
