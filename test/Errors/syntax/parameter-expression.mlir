// A placeholder is a name, no expression.
// param BLOCK = 64
fsm.kernel @k() {
  %a = fsm.range 0, ${BLOCK * 2} : tensor<128xi32>
  fsm.return
}
