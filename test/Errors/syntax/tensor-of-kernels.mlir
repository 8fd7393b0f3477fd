// An element has a type.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.splat %x : tensor<4x@k>
  fsm.return
}
