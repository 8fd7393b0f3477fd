// The number does not fit.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = arith.constant 2147483648123 : i32
  fsm.return
}
