// An alignment is at least 1.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.align = -16 : i32}) {
  
  fsm.return
}
