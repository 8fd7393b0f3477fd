// Only integers are equal to a number.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.equal_to = 1 : i32}) {
  
  fsm.return
}
