// Results carry no promises.
func.func @f(%n: i32) -> (i32 {fsm.divisible = 4 : i32}) {
  return %n : i32
}
fsm.kernel @k() {
  fsm.return
}
