// Only integers are divisible.
fsm.kernel @k(%a: f32 {fsm.divisible = 16 : i32}) {
  
  fsm.return
}
