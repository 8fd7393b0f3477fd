// A block is a tensor.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.splat"(%x) : (f32) -> vector<64xf32>
  fsm.return
}
