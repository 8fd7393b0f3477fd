// Nothing but zero is divisible by zero.
fsm.kernel @k(%a: i32 {fsm.divisible = 0 : i32}) {
  
  fsm.return
}
