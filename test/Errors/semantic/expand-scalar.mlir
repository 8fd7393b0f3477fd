// Scalars are splat.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.expand_dims"(%x) <{axis = 0 : i32}> : (f32) -> tensor<1xf32>
  fsm.return
}
