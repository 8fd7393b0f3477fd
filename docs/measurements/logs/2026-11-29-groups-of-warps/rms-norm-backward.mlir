// RMS norm backward, as it was measured: @G stands for nothing, or for a number of groups.
// param BLOCK = 1024
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast
// param GROUPS = 1
fsm.kernel @rms_backward(%dx: !fsm.ptr<${T}>, %dw: !fsm.ptr<${C}>, %dy: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %weight: !fsm.ptr<${T}>, %rstds: !fsm.ptr<${C}>, %dx_stride: i32, %dy_stride: i32, %in_stride: i32, %rows: i32, %cols: i32) {
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<${BLOCK}x${C}>
  %apart = arith.cmpi sge, %dx_stride, %cols : i32
  fsm.assume %apart
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>
  %count = arith.sitofp %cols : i32 to ${C}
  %dw_sum = scf.for %row = %first to %rows step %step iter_args(%old = %zeros) -> (tensor<${BLOCK}x${C}>) : i32 {
    %i = arith.muli %row, %dx_stride overflow<nsw> : i32
    %dx_row = fsm.offset %dx, %i : !fsm.ptr<${T}>, i32
    %j = arith.muli %row, %dy_stride overflow<nsw> : i32
    %dy_row = fsm.offset %dy, %j : !fsm.ptr<${T}>, i32
    %k = arith.muli %row, %in_stride overflow<nsw> : i32
    %x_row = fsm.offset %in, %k : !fsm.ptr<${T}>, i32
    %rstd_at = fsm.offset %rstds, %row : !fsm.ptr<${C}>, i32
    %rstd = fsm.load %rstd_at : !fsm.ptr<${C}> -> ${C}
    %x_raw = fsm.load %x_row[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %x = ${WIDEN} %x_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %dy_raw = fsm.load %dy_row[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %y = ${WIDEN} %dy_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %w_raw = fsm.load %weight[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
    %w = ${WIDEN} %w_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
    %rs = fsm.splat %rstd : tensor<${BLOCK}x${C}>
    %xhat = arith.mulf %x, %rs : tensor<${BLOCK}x${C}>
    %wdy = arith.mulf %w, %y : tensor<${BLOCK}x${C}>
    %product = arith.mulf %xhat, %wdy : tensor<${BLOCK}x${C}>
    %sum = fsm.reduce <sum> %product axis 0 : tensor<${BLOCK}x${C}> -> ${C}
    %c1 = arith.divf %sum, %count : ${C}
    %c1s = fsm.splat %c1 : tensor<${BLOCK}x${C}>
    %taken = arith.mulf %xhat, %c1s : tensor<${BLOCK}x${C}>
    %left = arith.subf %wdy, %taken : tensor<${BLOCK}x${C}>
    %grad = arith.mulf %left, %rs : tensor<${BLOCK}x${C}>
    %out = ${NARROW} %grad : tensor<${BLOCK}x${C}> to tensor<${BLOCK}x${T}>
    fsm.store %out, %dx_row[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
    %own = arith.mulf %y, %xhat : tensor<${BLOCK}x${C}>
    %new = arith.addf %old, %own fastmath<reassoc> : tensor<${BLOCK}x${C}>
    scf.yield %new : tensor<${BLOCK}x${C}>
  } {fsm.num_stages = 2 : i32@G}
  %at = arith.muli %first, %cols overflow<nsw> : i32
  %dw_row = fsm.offset %dw, %at : !fsm.ptr<${C}>, i32
  fsm.store %dw_sum, %dw_row[%offs], %mask : tensor<${BLOCK}x${C}>, !fsm.ptr<${C}>, tensor<${BLOCK}xi32>
  fsm.return
}
