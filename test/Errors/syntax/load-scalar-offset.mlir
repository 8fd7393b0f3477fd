// Offsets are a block; fsm.offset moves by a scalar.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.load %p[%n] : !fsm.ptr<f32>, i32 -> f32
  fsm.return
}
