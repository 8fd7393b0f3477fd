// A load has a pointer.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.load"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> f32
  fsm.return
}
