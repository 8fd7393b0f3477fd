// The number of stages is an i32 or i64.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
  } {fsm.num_stages = 4 : i8}
  fsm.return
}
