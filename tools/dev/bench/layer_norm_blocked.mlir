// Layer norm in three loops over a row's blocks, as it is often written: the sum, the squares, the result. No load has a hint.
//
// param BLOCK = 1024
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast

fsm.kernel @layer_norm_blocked(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %weight: !fsm.ptr<${T}>, %bias: !fsm.ptr<${T}>, %in_stride: i32, %out_stride: i32, %cols: i32, %eps: ${C}) {
  %row = fsm.program_id x : i32
  %range = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %begin = arith.constant 0 : i32
  %block = arith.constant ${BLOCK} : i32
  %zeros = arith.constant dense<0.0> : tensor<${BLOCK}x${C}>
  %i = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<${T}>, i32
  %o = arith.muli %row, %out_stride overflow<nsw> : i32
  %dst = fsm.offset %out, %o : !fsm.ptr<${T}>, i32
  %count = arith.sitofp %cols : i32 to ${C}

  %sums = scf.for %start = %begin to %cols step %block iter_args(%so_far = %zeros) -> (tensor<${BLOCK}x${C}>) : i32 {
    %starts = fsm.splat %start : tensor<${BLOCK}xi32>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<${BLOCK}xi32>
    %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
    %raw = fsm.load %src[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %x = ${WIDEN} %raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %more = arith.addf %so_far, %x : tensor<${BLOCK}x${C}>
    scf.yield %more : tensor<${BLOCK}x${C}>
  }
  %sum = fsm.reduce <sum> %sums axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %mean = arith.divf %sum, %count : ${C}
  %means = fsm.splat %mean : tensor<${BLOCK}x${C}>

  %squares = scf.for %start = %begin to %cols step %block iter_args(%so_far = %zeros) -> (tensor<${BLOCK}x${C}>) : i32 {
    %starts = fsm.splat %start : tensor<${BLOCK}xi32>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<${BLOCK}xi32>
    %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
    %raw = fsm.load %src[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %x = ${WIDEN} %raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %centred = arith.subf %x, %means : tensor<${BLOCK}x${C}>
    %counted = arith.select %mask, %centred, %zeros : tensor<${BLOCK}xi1>, tensor<${BLOCK}x${C}>
    %square = arith.mulf %counted, %counted fastmath<contract> : tensor<${BLOCK}x${C}>
    %more = arith.addf %so_far, %square fastmath<contract> : tensor<${BLOCK}x${C}>
    scf.yield %more : tensor<${BLOCK}x${C}>
  }
  %total = fsm.reduce <sum> %squares axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %variance = arith.divf %total, %count : ${C}
  %kept = arith.addf %variance, %eps : ${C}
  %rstd = math.rsqrt %kept : ${C}
  %rstds = fsm.splat %rstd : tensor<${BLOCK}x${C}>

  scf.for %start = %begin to %cols step %block : i32 {
    %starts = fsm.splat %start : tensor<${BLOCK}xi32>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<${BLOCK}xi32>
    %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
    %w_raw = fsm.load %weight[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %w = ${WIDEN} %w_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %b_raw = fsm.load %bias[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %b = ${WIDEN} %b_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %raw = fsm.load %src[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %x = ${WIDEN} %raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %centred = arith.subf %x, %means : tensor<${BLOCK}x${C}>
    %xhat = arith.mulf %centred, %rstds : tensor<${BLOCK}x${C}>
    %scaled = arith.mulf %xhat, %w fastmath<contract> : tensor<${BLOCK}x${C}>
    %shifted = arith.addf %scaled, %b fastmath<contract> : tensor<${BLOCK}x${C}>
    %y = ${NARROW} %shifted : tensor<${BLOCK}x${C}> to tensor<${BLOCK}x${T}>
    fsm.store %y, %dst[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  }
  fsm.return
}
