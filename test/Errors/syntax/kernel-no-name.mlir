// A kernel has a name.
fsm.kernel (%n: i32) {
  fsm.return
}
