// The axis is named.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.program_id : i32
  fsm.return
}
