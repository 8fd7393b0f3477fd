// Transposes of blocks in row-major order; `fsm-run` is driven by shapes.py.
// param T
// param FROM
// param TO
// param ORDER
// param N

// Elements move.
fsm.kernel @transpose(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %from = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${FROM}xi32>
  %to = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${TO}xi32>
  %x = fsm.load %in[%from] : !fsm.ptr<${T}>, tensor<${FROM}xi32> -> tensor<${FROM}x${T}>
  %y = fsm.transpose %x order [${ORDER}] : tensor<${FROM}x${T}> -> tensor<${TO}x${T}>
  fsm.store %y, %out[%to] : tensor<${TO}x${T}>, !fsm.ptr<${T}>, tensor<${TO}xi32>
  fsm.return
}

// Their addresses do, and a mask.
fsm.kernel @offsets(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %from = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${FROM}xi32>
  %to = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${TO}xi32>
  %three = arith.constant dense<3> : tensor<${FROM}xi32>
  %chosen = arith.cmpi ne, %from, %three : tensor<${FROM}xi32>
  %o = fsm.transpose %from order [${ORDER}] : tensor<${FROM}xi32> -> tensor<${TO}xi32>
  %m = fsm.transpose %chosen order [${ORDER}] : tensor<${FROM}xi1> -> tensor<${TO}xi1>
  %x = fsm.load %in[%o], %m : !fsm.ptr<${T}>, tensor<${TO}xi32> -> tensor<${TO}x${T}>
  fsm.store %x, %out[%to] : tensor<${TO}x${T}>, !fsm.ptr<${T}>, tensor<${TO}xi32>
  fsm.return
}
