// Places in the scratch memory are i64.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.program_id x {fsm.host_buffer = array<i32: 0>} : i32
  fsm.return
}
