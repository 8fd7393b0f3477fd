// A kernel ends with fsm.return.
fsm.kernel @k(%n: i32) {
  %a = arith.addi %n, %n : i32
}
