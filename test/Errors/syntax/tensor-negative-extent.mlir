// Extents are positive.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.splat %x : tensor<-4xf32>
  fsm.return
}
