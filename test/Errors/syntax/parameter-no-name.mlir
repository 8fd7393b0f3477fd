// A placeholder has a name.
fsm.kernel @k() {
  %a = fsm.range 0, ${} : tensor<64xi32>
  fsm.return
}
