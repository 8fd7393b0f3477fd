// Pointees are element types and pointers.
fsm.kernel @k(%p: !fsm.ptr<si32>) {
  fsm.return
}
