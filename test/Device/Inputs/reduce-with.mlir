// Reductions of tuples by a region; `fsm-run` is driven by scans.py. The result has shape RSHAPE and RN elements.
// param T
// param N
// param SHAPE
// param AXIS
// param RN
// param RSHAPE

// Row-major numbers; of equal elements the first.
fsm.kernel @argmax(%out: !fsm.ptr<i32>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %offsets = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %along = fsm.range 0, ${N} : tensor<${N}xi32>
  %ids = fsm.reshape %along : tensor<${N}xi32> -> tensor<${SHAPE}xi32>
  %r:2 = fsm.reduce_with %x, %ids axis ${AXIS} : tensor<${SHAPE}x${T}>, tensor<${SHAPE}xi32>
      -> tensor<${RSHAPE}x${T}>, tensor<${RSHAPE}xi32> {
  ^bb0(%a: ${T}, %i: i32, %b: ${T}, %j: i32):
    %better = arith.cmpf ogt, %a, %b : ${T}
    %equal = arith.cmpf oeq, %a, %b : ${T}
    %earlier = arith.cmpi slt, %i, %j : i32
    %tie = arith.andi %equal, %earlier : i1
    %left = arith.ori %better, %tie : i1
    %value = arith.select %left, %a, %b : ${T}
    %index = arith.select %left, %i, %j : i32
    fsm.yield %value, %index : ${T}, i32
  }
  %rows = fsm.range 0, ${RN} : tensor<${RN}xi32>
  %places = fsm.reshape %rows : tensor<${RN}xi32> -> tensor<${RSHAPE}xi32>
  fsm.store %r#1, %out[%places] : tensor<${RSHAPE}xi32>, !fsm.ptr<i32>, tensor<${RSHAPE}xi32>
  fsm.return
}

fsm.kernel @argmin(%out: !fsm.ptr<i32>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %offsets = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %along = fsm.range 0, ${N} : tensor<${N}xi32>
  %ids = fsm.reshape %along : tensor<${N}xi32> -> tensor<${SHAPE}xi32>
  %r:2 = fsm.reduce_with %x, %ids axis ${AXIS} : tensor<${SHAPE}x${T}>, tensor<${SHAPE}xi32>
      -> tensor<${RSHAPE}x${T}>, tensor<${RSHAPE}xi32> {
  ^bb0(%a: ${T}, %i: i32, %b: ${T}, %j: i32):
    %better = arith.cmpf olt, %a, %b : ${T}
    %equal = arith.cmpf oeq, %a, %b : ${T}
    %earlier = arith.cmpi slt, %i, %j : i32
    %tie = arith.andi %equal, %earlier : i1
    %left = arith.ori %better, %tie : i1
    %value = arith.select %left, %a, %b : ${T}
    %index = arith.select %left, %i, %j : i32
    fsm.yield %value, %index : ${T}, i32
  }
  %rows = fsm.range 0, ${RN} : tensor<${RN}xi32>
  %places = fsm.reshape %rows : tensor<${RN}xi32> -> tensor<${RSHAPE}xi32>
  fsm.store %r#1, %out[%places] : tensor<${RSHAPE}xi32>, !fsm.ptr<i32>, tensor<${RSHAPE}xi32>
  fsm.return
}

// Mean, sum of squared distances from it, and count.
fsm.kernel @welford(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %offsets = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %zero = arith.constant 0.0 : ${T}
  %one = arith.constant 1.0 : ${T}
  %m2s = fsm.splat %zero : tensor<${SHAPE}x${T}>
  %ones = fsm.splat %one : tensor<${SHAPE}x${T}>
  %r:3 = fsm.reduce_with %x, %m2s, %ones axis ${AXIS} : tensor<${SHAPE}x${T}>, tensor<${SHAPE}x${T}>, tensor<${SHAPE}x${T}>
      -> tensor<${RSHAPE}x${T}>, tensor<${RSHAPE}x${T}>, tensor<${RSHAPE}x${T}> {
  ^bb0(%mean0: ${T}, %m0: ${T}, %n0: ${T}, %mean1: ${T}, %m1: ${T}, %n1: ${T}):
    %n = arith.addf %n0, %n1 : ${T}
    %share = arith.divf %n1, %n : ${T}
    %delta = arith.subf %mean1, %mean0 : ${T}
    %step = arith.mulf %delta, %share : ${T}
    %mean = arith.addf %mean0, %step : ${T}
    %square = arith.mulf %delta, %step : ${T}
    %spread = arith.mulf %square, %n0 : ${T}
    %both = arith.addf %m0, %m1 : ${T}
    %m = arith.addf %both, %spread : ${T}
    fsm.yield %mean, %m, %n : ${T}, ${T}, ${T}
  }
  %rows = fsm.range 0, ${RN} : tensor<${RN}xi32>
  %places = fsm.reshape %rows : tensor<${RN}xi32> -> tensor<${RSHAPE}xi32>
  fsm.store %r#0, %out[%places] : tensor<${RSHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${RSHAPE}xi32>
  %rn = arith.constant ${RN} : i32
  %p1 = fsm.offset %out, %rn : !fsm.ptr<${T}>, i32
  fsm.store %r#1, %p1[%places] : tensor<${RSHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${RSHAPE}xi32>
  %p2 = fsm.offset %p1, %rn : !fsm.ptr<${T}>, i32
  fsm.store %r#2, %p2[%places] : tensor<${RSHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${RSHAPE}xi32>
  fsm.return
}

// The maximum, and the sum of the exponentials below it.
fsm.kernel @max_sum(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>) {
  %flat = fsm.range 0, ${N} : tensor<${N}xi32>
  %offsets = fsm.reshape %flat : tensor<${N}xi32> -> tensor<${SHAPE}xi32>
  %x = fsm.load %in[%offsets] : !fsm.ptr<${T}>, tensor<${SHAPE}xi32> -> tensor<${SHAPE}x${T}>
  %one = arith.constant 1.0 : ${T}
  %ones = fsm.splat %one : tensor<${SHAPE}x${T}>
  %r:2 = fsm.reduce_with %x, %ones axis ${AXIS} : tensor<${SHAPE}x${T}>, tensor<${SHAPE}x${T}>
      -> tensor<${RSHAPE}x${T}>, tensor<${RSHAPE}x${T}> {
  ^bb0(%m0: ${T}, %s0: ${T}, %m1: ${T}, %s1: ${T}):
    %m = arith.maxnumf %m0, %m1 : ${T}
    %d0 = arith.subf %m0, %m : ${T}
    %d1 = arith.subf %m1, %m : ${T}
    %e0 = math.exp %d0 : ${T}
    %e1 = math.exp %d1 : ${T}
    %t0 = arith.mulf %s0, %e0 : ${T}
    %t1 = arith.mulf %s1, %e1 : ${T}
    %s = arith.addf %t0, %t1 : ${T}
    fsm.yield %m, %s : ${T}, ${T}
  }
  %rows = fsm.range 0, ${RN} : tensor<${RN}xi32>
  %places = fsm.reshape %rows : tensor<${RN}xi32> -> tensor<${RSHAPE}xi32>
  fsm.store %r#0, %out[%places] : tensor<${RSHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${RSHAPE}xi32>
  %rn = arith.constant ${RN} : i32
  %p1 = fsm.offset %out, %rn : !fsm.ptr<${T}>, i32
  fsm.store %r#1, %p1[%places] : tensor<${RSHAPE}x${T}>, !fsm.ptr<${T}>, tensor<${RSHAPE}xi32>
  fsm.return
}

// Of a block of rank 1, and so to scalars.
fsm.kernel @argmax_all(%out: !fsm.ptr<i32>, %in: !fsm.ptr<${T}>) {
  %ids = fsm.range 0, ${N} : tensor<${N}xi32>
  %x = fsm.load %in[%ids] : !fsm.ptr<${T}>, tensor<${N}xi32> -> tensor<${N}x${T}>
  %value, %index = fsm.reduce_with %x, %ids axis 0 : tensor<${N}x${T}>, tensor<${N}xi32> -> ${T}, i32 {
  ^bb0(%a: ${T}, %i: i32, %b: ${T}, %j: i32):
    %better = arith.cmpf ogt, %a, %b : ${T}
    %equal = arith.cmpf oeq, %a, %b : ${T}
    %earlier = arith.cmpi slt, %i, %j : i32
    %tie = arith.andi %equal, %earlier : i1
    %left = arith.ori %better, %tie : i1
    %max = arith.select %left, %a, %b : ${T}
    %at = arith.select %left, %i, %j : i32
    fsm.yield %max, %at : ${T}, i32
  }
  fsm.store %index, %out : i32, !fsm.ptr<i32>
  fsm.return
}
