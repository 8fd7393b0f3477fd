// Reductions of tuples by a region; `fsm-run` is driven by scans.py. The result has shape RSHAPE and RN elements.
// param T
// param N
// param SHAPE
// param AXIS
// param RN
// param RSHAPE

// The element with the highest key.
fsm.kernel @pick(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %keys: !fsm.ptr<i32>) {
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %offsets = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %k = fsm.load %keys[%offsets] : !fsm.ptr<i32>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}xi32>
  %r:2 = fsm.reduce_with %k, %x axis ${AXIS} : tensor<${SHAPE}xi32>, tensor<${SHAPE}x${T}>
      -> tensor<${RSHAPE}xi32>, tensor<${RSHAPE}x${T}> {
  ^bb0(%k0: i32, %v0: ${T}, %k1: i32, %v1: ${T}):
    %first = arith.cmpi sgt, %k0, %k1 : i32
    %key = arith.select %first, %k0, %k1 : i32
    %v = arith.select %first, %v0, %v1 : ${T}
    fsm.yield %key, %v : i32, ${T}
  }
  %rows = fsm.range 0, ${RN} : tensor<${RN}xi32>
  %places = fsm.reshape %rows : tensor<${RN}xi32> -> tensor<${RSHAPE}xi32>
  fsm.store %r#1, %out[%places] : tensor<${RSHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${RSHAPE}xi32>
  fsm.return
}
