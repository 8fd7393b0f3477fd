// Scans of blocks that no memory holds in order: the compiler walks them; `fsm-run` is driven by scans_of_tables.py.
// param KIND
// param T
// param SHAPE
// param STRIDES
// param AXIS
// param OTHER = 0
fsm.kernel @forward(%out: !fsm.ptr<${T}> {fsm.noalias}, %in: !fsm.ptr<${T}> {fsm.noalias}) {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %y = fsm.scan <${KIND}> %x axis ${AXIS} : tensor<${SHAPE}x${T}>
  fsm.store %y, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
fsm.kernel @reverse(%out: !fsm.ptr<${T}> {fsm.noalias}, %in: !fsm.ptr<${T}> {fsm.noalias}) {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %y = fsm.scan <${KIND}> %x axis ${AXIS} reverse : tensor<${SHAPE}x${T}>
  fsm.store %y, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
// A table of sums: whichever dimension is walked, its pieces go on from one another.
fsm.kernel @across(%out: !fsm.ptr<${T}> {fsm.noalias}, %in: !fsm.ptr<${T}> {fsm.noalias}) {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %y = fsm.scan <${KIND}> %x axis ${AXIS} : tensor<${SHAPE}x${T}>
  %z = fsm.scan <${KIND}> %y axis ${OTHER} reverse : tensor<${SHAPE}x${T}>
  fsm.store %z, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
