// The string has no end.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = arith.addi %n, %n {note = "no end} : i32
  fsm.return
}
