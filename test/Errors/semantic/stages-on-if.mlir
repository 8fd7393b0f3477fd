// Stages belong to a loop.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %c = arith.constant true
  scf.if %c {
  } {fsm.num_stages = 2 : i32}
  fsm.return
}
