// The parameter is not declared.
fsm.kernel @k() {
  %a = fsm.range 0, ${BLOCK} : tensor<64xi32>
  fsm.return
}
