// The value is not defined.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = arith.addi %n, %m : i32
  fsm.return
}
