// Recursion cannot be inlined.
func.func @even(%n: i32) -> i32 {
  %a = func.call @odd(%n) : (i32) -> i32
  return %a : i32
}
func.func @odd(%n: i32) -> i32 {
  %a = func.call @even(%n) : (i32) -> i32
  return %a : i32
}
fsm.kernel @k(%n: i32) {
  %a = func.call @even(%n) : (i32) -> i32
  fsm.return
}
