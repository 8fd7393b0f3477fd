// The called helper has no body.
func.func private @helper(i32) -> i32
fsm.kernel @k(%n: i32) {
  %a = func.call @helper(%n) : (i32) -> i32
  fsm.return
}
