// An op stands beside the kernel.
%x = fsm.range 0, 16 : tensor<16xi32>
fsm.kernel @k() {
  fsm.return
}
