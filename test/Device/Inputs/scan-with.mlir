// Scans of tuples by a region, in the form of scan.mlir; `fsm-run` is driven by scans.py.
// param T
// param SHAPE
// param STRIDES
// param PIECE
// param AXIS

// The last element that is marked, or the first of all.
fsm.kernel @last(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %flags: !fsm.ptr<i1>) attributes {fsm.piece = ${PIECE} : i32} {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %f = fsm.load %flags[%offsets] : !fsm.ptr<i1>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}xi1>
  %r:2 = fsm.scan_with %f, %x axis ${AXIS} : tensor<${SHAPE}xi1>, tensor<${SHAPE}x${T}> {
  ^bb0(%f0: i1, %v0: ${T}, %f1: i1, %v1: ${T}):
    %any = arith.ori %f0, %f1 : i1
    %v = arith.select %f1, %v1, %v0 : ${T}
    fsm.yield %any, %v : i1, ${T}
  }
  fsm.store %r#1, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
fsm.kernel @last_reverse(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %flags: !fsm.ptr<i1>) attributes {fsm.piece = ${PIECE} : i32} {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %f = fsm.load %flags[%offsets] : !fsm.ptr<i1>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}xi1>
  %r:2 = fsm.scan_with %f, %x axis ${AXIS} reverse : tensor<${SHAPE}xi1>, tensor<${SHAPE}x${T}> {
  ^bb0(%f0: i1, %v0: ${T}, %f1: i1, %v1: ${T}):
    %any = arith.ori %f0, %f1 : i1
    %v = arith.select %f1, %v1, %v0 : ${T}
    fsm.yield %any, %v : i1, ${T}
  }
  fsm.store %r#1, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
