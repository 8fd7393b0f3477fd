// A module stands in the module.
module {
  fsm.kernel @inner() {
    fsm.return
  }
}
fsm.kernel @k() {
  fsm.return
}
