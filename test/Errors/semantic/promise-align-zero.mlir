// An alignment is at least 1.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.align = 0 : i32}) {
  
  fsm.return
}
