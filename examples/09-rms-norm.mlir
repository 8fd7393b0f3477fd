// RMS norm: y = x / sqrt(mean(x^2) + eps) * weight. Scalars may be computed with,
// too: the mean, its root and the number of columns are plain values, one per
// row. The weights are one row, read by every program from the same place.
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

fsm.kernel @rms_norm(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %weight: !fsm.ptr<${T}>, %in_stride: i32, %out_stride: i32, %cols: i32, %eps: ${C}) {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>

  %i = arith.muli %row, %in_stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<${T}>, i32
  %x_raw = fsm.load %src[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %x = ${WIDEN} %x_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
  %w_raw = fsm.load %weight[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %w = ${WIDEN} %w_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>

  %square = arith.mulf %x, %x : tensor<${BLOCK}x${C}>
  %sum = fsm.reduce <sum> %square axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %count = arith.sitofp %cols : i32 to ${C}
  %mean = arith.divf %sum, %count : ${C}
  %stable = arith.addf %mean, %eps : ${C}
  %scale = math.rsqrt %stable : ${C}

  %scales = fsm.splat %scale : tensor<${BLOCK}x${C}>
  %normal = arith.mulf %x, %scales : tensor<${BLOCK}x${C}>
  %weighted = arith.mulf %normal, %w : tensor<${BLOCK}x${C}>
  %y = ${NARROW} %weighted : tensor<${BLOCK}x${C}> to tensor<${BLOCK}x${T}>
  %o = arith.muli %row, %out_stride overflow<nsw> : i32
  %dst = fsm.offset %out, %o : !fsm.ptr<${T}>, i32
  fsm.store %y, %dst[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
