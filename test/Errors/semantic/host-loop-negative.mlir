// Host loops are numbered from 0.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = fsm.program_id x {fsm.host_loop = -1 : i32} : i32
  fsm.return
}
