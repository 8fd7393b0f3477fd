// Alignments are powers of two.
fsm.kernel @k(%a: !fsm.ptr<f32> {fsm.align = 12 : i32}) {
  
  fsm.return
}
