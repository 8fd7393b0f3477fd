// Columns behind a placeholder stay those of the file.
// param BLOCK = 4
fsm.kernel @k() {
  %a = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32> ?
  fsm.return
}
