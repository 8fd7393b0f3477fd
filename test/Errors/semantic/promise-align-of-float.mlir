// Only pointers are aligned.
fsm.kernel @k(%a: f32 {fsm.align = 16 : i32}) {
  
  fsm.return
}
