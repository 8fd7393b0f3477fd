// Attributes follow the word 'attributes'.
fsm.kernel @k() {num_warps = 4 : i32} {
  fsm.return
}
