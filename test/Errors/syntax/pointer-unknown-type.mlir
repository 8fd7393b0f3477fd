// The dialect has no such type.
fsm.kernel @k(%p: !fsm.block<f32>) {
  fsm.return
}
