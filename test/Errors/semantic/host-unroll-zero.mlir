// A host loop computes at least one vector at a time.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.program_id x {fsm.host_unroll = 0 : i32} : i32
  fsm.return
}
