// Integers have 1, 8, 16, 32 or 64 bits.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = ub.poison : i7
  fsm.return
}
