// Pointees are element types and pointers.
fsm.kernel @k(%p: !fsm.ptr<f80>) {
  fsm.return
}
