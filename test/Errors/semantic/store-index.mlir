// There is no index in memory.
fsm.kernel @k(%p: !fsm.ptr<f32>) {
  %i = ub.poison : index
  "fsm.store"(%i, %p) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (index, !fsm.ptr<f32>) -> ()
  fsm.return
}
