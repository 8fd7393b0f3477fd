// arith.truncf has one rounding in a kernel.
fsm.kernel @k(%x: f32) {
  %y = arith.truncf %x toward_zero : f32 to f16
  fsm.return
}
