// fsm.readonly is there or not.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.readonly = 1 : i32}) {
  
  fsm.return
}
