// Pointees are element types and pointers.
fsm.kernel @k(%p: !fsm.ptr<i7>) {
  fsm.return
}
