// A range has one dimension.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.range 0, 16 : tensor<4x4xi32>
  fsm.return
}
