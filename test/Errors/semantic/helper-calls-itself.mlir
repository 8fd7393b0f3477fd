// Recursion cannot be inlined.
func.func @helper(%n: i32) -> i32 {
  %a = func.call @helper(%n) : (i32) -> i32
  return %a : i32
}
fsm.kernel @k(%n: i32) {
  %a = func.call @helper(%n) : (i32) -> i32
  fsm.return
}
