// There is one brace too many.
fsm.kernel @k() {
  fsm.return
}
}
