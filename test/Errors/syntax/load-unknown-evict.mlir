// Lines go first or last.
fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {
  %a = fsm.load %p evict = never : !fsm.ptr<f32> -> f32
  fsm.return
}
