// Lines go first or last.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.load"(%p) <{evict = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!fsm.ptr<f32>) -> f32
  fsm.return
}
