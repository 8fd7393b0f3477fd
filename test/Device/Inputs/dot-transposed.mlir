// Products of which the left, or the right, matrix lies in memory by columns; `fsm-run` is driven by dots.py. AT
// and BT are their shapes there, the other parameters are those of dot.mlir.
// param T
// param S
// param A
// param AT
// param B
// param BT
// param C
// param AN
// param BN
// param CN
// param PRECISION

!left = tensor<${A}x${T}>
!right = tensor<${B}x${T}>
!sum = tensor<${C}x${S}>

fsm.kernel @transposed(%out: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %c: !fsm.ptr<${S}>) {
  %n = fsm.range 0, ${AN} : tensor<${AN}xi32>
  %p = fsm.reshape %n : tensor<${AN}xi32> -> tensor<${AT}xi32>
  %x = fsm.load %a[%p] : !fsm.ptr<${T}>, tensor<${AT}xi32> -> tensor<${AT}x${T}>
  %left = fsm.transpose %x order [1, 0] : tensor<${AT}x${T}> -> !left
  %m = fsm.range 0, ${BN} : tensor<${BN}xi32>
  %q = fsm.reshape %m : tensor<${BN}xi32> -> tensor<${B}xi32>
  %right = fsm.load %b[%q] : !fsm.ptr<${T}>, tensor<${B}xi32> -> !right
  %l = fsm.range 0, ${CN} : tensor<${CN}xi32>
  %o = fsm.reshape %l : tensor<${CN}xi32> -> tensor<${C}xi32>
  %acc = fsm.load %c[%o] : !fsm.ptr<${S}>, tensor<${C}xi32> -> !sum
  %d = fsm.dot %left, %right, %acc ${PRECISION}
    : !left, !right -> !sum
  fsm.store %d, %out[%o] : !sum, !fsm.ptr<${S}>, tensor<${C}xi32>
  fsm.return
}

fsm.kernel @transposed_right(%out: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %c: !fsm.ptr<${S}>) {
  %n = fsm.range 0, ${AN} : tensor<${AN}xi32>
  %p = fsm.reshape %n : tensor<${AN}xi32> -> tensor<${A}xi32>
  %left = fsm.load %a[%p] : !fsm.ptr<${T}>, tensor<${A}xi32> -> !left
  %m = fsm.range 0, ${BN} : tensor<${BN}xi32>
  %q = fsm.reshape %m : tensor<${BN}xi32> -> tensor<${BT}xi32>
  %y = fsm.load %b[%q] : !fsm.ptr<${T}>, tensor<${BT}xi32> -> tensor<${BT}x${T}>
  %right = fsm.transpose %y order [1, 0] : tensor<${BT}x${T}> -> !right
  %l = fsm.range 0, ${CN} : tensor<${CN}xi32>
  %o = fsm.reshape %l : tensor<${CN}xi32> -> tensor<${C}xi32>
  %acc = fsm.load %c[%o] : !fsm.ptr<${S}>, tensor<${C}xi32> -> !sum
  %d = fsm.dot %left, %right, %acc ${PRECISION}
    : !left, !right -> !sum
  fsm.store %d, %out[%o] : !sum, !fsm.ptr<${S}>, tensor<${C}xi32>
  fsm.return
}
