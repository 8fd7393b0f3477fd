// Scans of tuples by a region, in the form of scan.mlir; `fsm-run` is driven by scans.py.
// param T
// param N
// param SHAPE
// param STRIDES
// param PIECE
// param AXIS

// x = a x + b, all a multiplied and the x: not commutative.
fsm.kernel @recurrence(%out: !fsm.ptr<${T}>, %as: !fsm.ptr<${T}>, %bs: !fsm.ptr<${T}>) attributes {fsm.piece = ${PIECE} : i32} {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %a = fsm.load %as[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %b = fsm.load %bs[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %r:2 = fsm.scan_with %a, %b axis ${AXIS} : tensor<${SHAPE}x${T}>, tensor<${SHAPE}x${T}> {
  ^bb0(%a0: ${T}, %b0: ${T}, %a1: ${T}, %b1: ${T}):
    %both = arith.muli %a0, %a1 : ${T}
    %moved = arith.muli %a1, %b0 : ${T}
    %state = arith.addi %moved, %b1 : ${T}
    fsm.yield %both, %state : ${T}, ${T}
  }
  fsm.store %r#0, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  %n1 = arith.constant ${N} : i32
  %p1 = fsm.offset %out, %n1 : !fsm.ptr<${T}>, i32
  fsm.store %r#1, %p1[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
fsm.kernel @recurrence_reverse(%out: !fsm.ptr<${T}>, %as: !fsm.ptr<${T}>, %bs: !fsm.ptr<${T}>) attributes {fsm.piece = ${PIECE} : i32} {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %a = fsm.load %as[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %b = fsm.load %bs[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %r:2 = fsm.scan_with %a, %b axis ${AXIS} reverse : tensor<${SHAPE}x${T}>, tensor<${SHAPE}x${T}> {
  ^bb0(%a0: ${T}, %b0: ${T}, %a1: ${T}, %b1: ${T}):
    %both = arith.muli %a0, %a1 : ${T}
    %moved = arith.muli %a1, %b0 : ${T}
    %state = arith.addi %moved, %b1 : ${T}
    fsm.yield %both, %state : ${T}, ${T}
  }
  fsm.store %r#0, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  %n1 = arith.constant ${N} : i32
  %p1 = fsm.offset %out, %n1 : !fsm.ptr<${T}>, i32
  fsm.store %r#1, %p1[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
