// Helpers have one block.
func.func @helper(%n: i32) -> i32 {
  llvm.br ^end
^end:
  return %n : i32
}
fsm.kernel @k(%n: i32) {
  %a = func.call @helper(%n) : (i32) -> i32
  fsm.return
}
