// The given parameter is not declared.
// options: -DBLCK=128
// param BLOCK = 64
// param STAGES = 2
fsm.kernel @k() {
  %a = fsm.range 0, ${BLOCK} : tensor<64xi32>
  fsm.return
}
