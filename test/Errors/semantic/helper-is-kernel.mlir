// Kernels are launched, not called.
// options: --kernel=k
fsm.kernel @other() {
  fsm.return
}
fsm.kernel @k() {
  func.call @other() : () -> ()
  fsm.return
}
