// Each argument has a type.
fsm.kernel @k(%n) {
  fsm.return
}
