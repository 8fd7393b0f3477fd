// An alignment is a number.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.align}) {
  
  fsm.return
}
