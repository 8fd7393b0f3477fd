// Offsets are a block; fsm.offset moves by a scalar.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  fsm.store %x, %p[%n] : f32, !fsm.ptr<f32>, i32
  fsm.return
}
