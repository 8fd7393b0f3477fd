// The value has the shape of the offsets.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %s = fsm.splat %x : tensor<32xf32>
  fsm.store %s, %p[%o] : tensor<32xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
