// A scan of one dimension of a block of any shape; `fsm-run` is driven by scans.py.
// param KIND
// param T
// param SHAPE
// param STRIDES
// param PIECE
// param AXIS
// param OTHER = 0
fsm.kernel @forward(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) attributes {fsm.piece = ${PIECE} : i32} {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %y = fsm.scan <${KIND}> %x axis ${AXIS} : tensor<${SHAPE}x${T}>
  fsm.store %y, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
fsm.kernel @reverse(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) attributes {fsm.piece = ${PIECE} : i32} {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %y = fsm.scan <${KIND}> %x axis ${AXIS} reverse : tensor<${SHAPE}x${T}>
  fsm.store %y, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
// Neither way alone suffices.
fsm.kernel @both(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) attributes {fsm.piece = ${PIECE} : i32} {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %y = fsm.scan <${KIND}> %x axis ${AXIS} : tensor<${SHAPE}x${T}>
  %z = fsm.scan <${KIND}> %y axis ${AXIS} reverse : tensor<${SHAPE}x${T}>
  fsm.store %z, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
// Of a block that is walked along either dimension, pieces go on from one another.
fsm.kernel @across(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) attributes {fsm.piece = ${PIECE} : i32} {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %y = fsm.scan <${KIND}> %x axis ${AXIS} : tensor<${SHAPE}x${T}>
  %z = fsm.scan <${KIND}> %y axis ${OTHER} reverse : tensor<${SHAPE}x${T}>
  fsm.store %z, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
