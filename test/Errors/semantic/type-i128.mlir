// Integers have at most 64 bits.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = ub.poison : i128
  fsm.return
}
