// Pointees are element types and pointers.
fsm.kernel @k(%p: !fsm.ptr<index>) {
  fsm.return
}
