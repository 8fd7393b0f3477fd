// Each argument has a name.
fsm.kernel @k(i32) {
  fsm.return
}
