// Scalars do not join to a block.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.join %x, %x : f32 -> tensor<2xf32>
  fsm.return
}
