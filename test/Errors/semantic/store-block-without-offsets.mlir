// Without offsets a store writes one element.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %s = fsm.splat %x : tensor<64xf32>
  fsm.store %s, %p : tensor<64xf32>, !fsm.ptr<f32>
  fsm.return
}
