// There is no such promise.
fsm.kernel @k(%a: i32 {fsm.multiple = 4 : i32}) {
  
  fsm.return
}
