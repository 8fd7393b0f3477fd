// One conversion of a block, in place of ${OP}; `fsm-run` is driven by conversions.py.
// param OP
// param FROM
// param TO
fsm.kernel @convert(%out: !fsm.ptr<${TO}>, %in: !fsm.ptr<${FROM}>) {
  %o = fsm.range 0, 1000 : tensor<1000xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<${FROM}>, tensor<1000xi32> -> tensor<1000x${FROM}>
  %y = ${OP} %x : tensor<1000x${FROM}> to tensor<1000x${TO}>
  fsm.store %y, %out[%o] : tensor<1000x${TO}>, !fsm.ptr<${TO}>, tensor<1000xi32>
  fsm.return
}
