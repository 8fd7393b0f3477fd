// The value makes no type.
// options: -DBLOCK=many
// param BLOCK = 64
fsm.kernel @k() {
  %a = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  fsm.return
}
