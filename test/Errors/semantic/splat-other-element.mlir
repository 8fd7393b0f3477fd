// A splat has the type of its scalar.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.splat"(%n) : (i32) -> tensor<64xf32>
  fsm.return
}
