// The size of the scratch memory is a number.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.program_id x {fsm.host_scratch} : i32
  fsm.return
}
