// The types of pointer and offset are given.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.offset %p, %n : !fsm.ptr<f32>
  fsm.return
}
