// An alignment is an integer.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.align = 16.0 : f32}) {
  
  fsm.return
}
