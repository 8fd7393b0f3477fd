// Layer norm: y = (x - mean) / sqrt(variance + eps) * weight + bias. What is
// masked off must be neutral in the middle of the arithmetic, too: x - mean is
// not zero there, so a select makes it zero before the squares are summed. Mean
// and 1 / deviation are stored for the backward pass.
// Grid: one program per row of at most BLOCK columns.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BLOCK = 1024
//
// Element types as in 04-softmax.mlir.
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast

fsm.kernel @layer_norm(%out: !fsm.ptr<${T}>, %means: !fsm.ptr<${C}>, %rstds: !fsm.ptr<${C}>, %in: !fsm.ptr<${T}>, %weight: !fsm.ptr<${T}>, %bias: !fsm.ptr<${T}>, %in_stride: i32, %out_stride: i32, %cols: i32, %eps: ${C}) {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
  %count = arith.sitofp %cols : i32 to ${C}

  %i = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<${T}>, i32
  %x_raw = fsm.load %src[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %x = ${WIDEN} %x_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %mean = arith.divf %sum, %count : ${C}
  %mean_at = fsm.offset %means, %row : !fsm.ptr<${C}>, i32
  fsm.store %mean, %mean_at : ${C}, !fsm.ptr<${C}>

  %mean_block = fsm.splat %mean : tensor<${BLOCK}x${C}>
  %difference = arith.subf %x, %mean_block : tensor<${BLOCK}x${C}>
  %zeros = arith.constant dense<0.0> : tensor<${BLOCK}x${C}>
  %centred = arith.select %mask, %difference, %zeros : tensor<${BLOCK}xi1>, tensor<${BLOCK}x${C}>
  %square = arith.mulf %centred, %centred : tensor<${BLOCK}x${C}>
  %squares = fsm.reduce <sum> %square axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %variance = arith.divf %squares, %count : ${C}
  %stable = arith.addf %variance, %eps : ${C}
  %rstd = math.rsqrt %stable : ${C}
  %rstd_at = fsm.offset %rstds, %row : !fsm.ptr<${C}>, i32
  fsm.store %rstd, %rstd_at : ${C}, !fsm.ptr<${C}>

  %w_raw = fsm.load %weight[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %w = ${WIDEN} %w_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
  %b_raw = fsm.load %bias[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %b = ${WIDEN} %b_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
  %rstd_block = fsm.splat %rstd : tensor<${BLOCK}x${C}>
  %normal = arith.mulf %centred, %rstd_block : tensor<${BLOCK}x${C}>
  %weighted = arith.mulf %normal, %w fastmath<contract> : tensor<${BLOCK}x${C}>
  %shifted = arith.addf %weighted, %b fastmath<contract> : tensor<${BLOCK}x${C}>
  %y = ${NARROW} %shifted : tensor<${BLOCK}x${C}> to tensor<${BLOCK}x${T}>
  %o = arith.muli %row, %out_stride overflow<nsw> : i32
  %dst = fsm.offset %out, %o : !fsm.ptr<${T}>, i32
  fsm.store %y, %dst[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
