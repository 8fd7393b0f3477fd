// A divisor is a number.
fsm.kernel @k(%a: i64 {fsm.divisible = "16"}) {
  
  fsm.return
}
