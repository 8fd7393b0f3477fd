// Promised numbers are i32.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.align = 16 : i64}) {
  
  fsm.return
}
