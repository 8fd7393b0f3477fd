// A pointer has a pointee.
fsm.kernel @k(%p: !fsm.ptr<>) {
  fsm.return
}
