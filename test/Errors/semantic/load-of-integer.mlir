// Loads go through pointers.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.load"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (i32) -> i32
  fsm.return
}
