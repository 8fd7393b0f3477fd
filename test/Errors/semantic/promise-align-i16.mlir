// Promised numbers are i32 or i64.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.align = 16 : i16}) {
  
  fsm.return
}
