// Two values have one name.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = arith.addi %n, %n : i32
  %a = arith.addi %n, %n : i32
  fsm.return
}
