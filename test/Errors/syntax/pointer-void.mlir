// Pointees are element types and pointers.
fsm.kernel @k(%p: !fsm.ptr<none>) {
  fsm.return
}
