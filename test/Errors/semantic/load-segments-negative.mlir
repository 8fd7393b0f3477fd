// Operand segments are not negative.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.load"(%p, %n) <{operandSegmentSizes = array<i32: 3, -1, 0, 0>}> : (!fsm.ptr<f32>, i32) -> f32
  fsm.return
}
