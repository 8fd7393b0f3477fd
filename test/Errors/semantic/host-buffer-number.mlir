// Places in the scratch memory are an array.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.program_id x {fsm.host_buffer = 0 : i64} : i32
  fsm.return
}
