// The value has another type.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = arith.addi %x, %n : i32
  fsm.return
}
