// Pointers are aligned, integers divisible.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.divisible = 16 : i32}) {
  
  fsm.return
}
