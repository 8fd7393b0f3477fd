// A kernel stands in a module.
fsm.kernel @outer() {
  fsm.kernel @inner() {
    fsm.return
  }
  fsm.return
}
