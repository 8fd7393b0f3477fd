// The named kernel is not there.
// options: --kernel=b
fsm.kernel @a() {
  fsm.return
}
