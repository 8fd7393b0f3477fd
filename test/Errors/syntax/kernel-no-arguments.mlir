// A kernel has an argument list, if only an empty one.
fsm.kernel @k {
  fsm.return
}
