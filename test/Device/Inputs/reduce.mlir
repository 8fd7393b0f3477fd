// A reduction of rows and one of columns; `fsm-run` is driven by reductions.py.
// param KIND
// param T
// param R
// param RC
// param C
fsm.kernel @all(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %range = fsm.range 0, ${C} : tensor<${C}xi32>
  %x = fsm.load %in[%range] : !fsm.ptr<${T}>, tensor<${C}xi32> -> tensor<${C}x${T}>
  %y = fsm.reduce <${KIND}> %x axis 0 : tensor<${C}x${T}> -> ${T}
  fsm.store %y, %out : ${T}, !fsm.ptr<${T}>
  fsm.return
}
fsm.kernel @rows(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${RC} : tensor<${RC}xi32>
  %offsets = fsm.reshape %flat : tensor<${RC}xi32> -> tensor<${R}x${C}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${R}x${C}xi32> -> tensor<${R}x${C}x${T}>
  %y = fsm.reduce <${KIND}> %x axis 1 : tensor<${R}x${C}x${T}> -> tensor<${R}x${T}>
  %r = fsm.range 0, ${R} : tensor<${R}xi32>
  fsm.store %y, %out[%r] : tensor<${R}x${T}>, !fsm.ptr<${T}>, tensor<${R}xi32>
  fsm.return
}
fsm.kernel @columns(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${RC} : tensor<${RC}xi32>
  %offsets = fsm.reshape %flat : tensor<${RC}xi32> -> tensor<${R}x${C}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${R}x${C}xi32> -> tensor<${R}x${C}x${T}>
  %y = fsm.reduce <${KIND}> %x axis 0 : tensor<${R}x${C}x${T}> -> tensor<${C}x${T}>
  %c = fsm.range 0, ${C} : tensor<${C}xi32>
  fsm.store %y, %out[%c] : tensor<${C}x${T}>, !fsm.ptr<${T}>, tensor<${C}xi32>
  fsm.return
}
