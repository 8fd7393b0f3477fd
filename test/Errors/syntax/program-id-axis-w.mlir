// The grid has axes x, y and z.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.program_id w : i32
  fsm.return
}
