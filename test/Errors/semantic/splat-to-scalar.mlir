// A splat is a block.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.splat"(%x) : (f32) -> f32
  fsm.return
}
