// The value is defined too late.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = arith.addi %n, %b : i32
  %b = arith.addi %n, %n : i32
  fsm.return
}
