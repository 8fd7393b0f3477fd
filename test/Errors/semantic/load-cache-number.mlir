// Cache hints are the six of PTX.
fsm.kernel @k(%p: !fsm.ptr<f32>, %q: !fsm.ptr<i32>, %n: i32, %x: f32) {
  %a = "fsm.load"(%p) <{cache = 6 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!fsm.ptr<f32>) -> f32
  fsm.return
}
