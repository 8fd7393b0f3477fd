// The equal number is positive.
fsm.kernel @k(%a: i32 {fsm.equal_to = -1 : i32}) {
  
  fsm.return
}
