// The bounds are i32.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.range 0, 4294967296 : tensor<64xi32>
  fsm.return
}
