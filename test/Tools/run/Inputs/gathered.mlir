// A gather of a block as long as its parameter says, of which threads need all.
// param T = f32
// param BLOCK = 1024
fsm.kernel @gathered(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %o = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %y = fsm.gather %x[%o] axis 0 : tensor<${BLOCK}x${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  fsm.store %y, %out[%o] : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
