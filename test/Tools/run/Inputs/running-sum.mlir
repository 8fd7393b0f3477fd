// A scan of a block as long as its parameter says: what is too long for shared memory is walked in pieces, but where
// nobody says that the arrays do not overlap.
// param T = f32
// param BLOCK = 1024
fsm.kernel @running_sum(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %o = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %y = fsm.scan <sum> %x axis 0 : tensor<${BLOCK}x${T}>
  fsm.store %y, %out[%o] : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
