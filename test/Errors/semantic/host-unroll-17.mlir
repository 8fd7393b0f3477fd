// A host loop computes at most 16 vectors at a time.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.program_id x {fsm.host_unroll = 17 : i32} : i32
  fsm.return
}
