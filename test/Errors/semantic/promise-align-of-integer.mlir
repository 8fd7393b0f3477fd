// Integers are divisible, pointers aligned.
fsm.kernel @k(%a: i32 {fsm.align = 16 : i32}) {
  
  fsm.return
}
