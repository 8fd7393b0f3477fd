// A block has at most 1048576 elements.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.splat %x : tensor<1048577xf32>
  fsm.return
}
