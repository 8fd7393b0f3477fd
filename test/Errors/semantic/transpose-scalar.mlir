// A scalar has no dimensions.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.transpose %x order [0] : f32 -> f32
  fsm.return
}
