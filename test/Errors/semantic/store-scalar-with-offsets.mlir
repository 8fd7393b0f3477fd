// With a block of offsets a store writes a block.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  fsm.store %x, %p[%o] : f32, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
