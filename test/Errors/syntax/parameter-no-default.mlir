// The parameter has no default and is not given.
// param BLOCK
fsm.kernel @k() {
  %a = fsm.range 0, ${BLOCK} : tensor<64xi32>
  fsm.return
}
