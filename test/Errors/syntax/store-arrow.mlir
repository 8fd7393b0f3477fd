// A store gives nothing.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  fsm.store %x, %p : f32 -> !fsm.ptr<f32>
  fsm.return
}
