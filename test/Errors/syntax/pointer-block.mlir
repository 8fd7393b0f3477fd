// Pointees are element types and pointers.
fsm.kernel @k(%p: !fsm.ptr<tensor<4xf32>>) {
  fsm.return
}
