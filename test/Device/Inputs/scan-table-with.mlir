// A scan by a region of a block that the compiler walks, as scan-table.mlir has those of kinds.
// param T
// param SHAPE
// param STRIDES
// param AXIS
// The last odd number, or the first of all.
fsm.kernel @last(%out: !fsm.ptr<${T}> {fsm.noalias}, %in: !fsm.ptr<${T}> {fsm.noalias}) {
  %offsets = fsm.places strides [${STRIDES}] : tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %y = fsm.scan_with %x axis ${AXIS} : tensor<${SHAPE}x${T}> {
  ^bb0(%left: ${T}, %right: ${T}):
    %one = arith.constant 1 : ${T}
    %bit = arith.andi %right, %one : ${T}
    %isOdd = arith.cmpi ne, %bit, %one : ${T}
    %chosen = arith.select %isOdd, %left, %right : ${T}
    fsm.yield %chosen : ${T}
  }
  fsm.store %y, %out[%offsets] : tensor<${SHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${SHAPE}xi32>
  fsm.return
}
