// MLIR makes room for so many results.
fsm.kernel @k(%n: i32) {
  %a = arith.addi %x#4294967294, %n : i32
  fsm.return
}
