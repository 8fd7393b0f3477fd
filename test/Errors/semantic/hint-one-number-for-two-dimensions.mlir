// A block has one number per dimension.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %b = fsm.splat %n : tensor<4x8xi32>
  %a = fsm.hint %b {max_contiguous = array<i64: 8>} : tensor<4x8xi32>
  fsm.return
}
