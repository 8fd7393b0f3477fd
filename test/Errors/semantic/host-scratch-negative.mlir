// Memory has no negative size.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.program_id x {fsm.host_scratch = -8 : i64} : i32
  fsm.return
}
