// An extent fits in 64 bits.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.splat %x : tensor<99999999999999999999xf32>
  fsm.return
}
