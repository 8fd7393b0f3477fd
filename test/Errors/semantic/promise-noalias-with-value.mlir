// fsm.noalias is there or not.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.noalias = true}) {
  
  fsm.return
}
