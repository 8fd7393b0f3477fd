// Softmax backward: dx = y * (dy - sum(y * dy)). Two blocks are alive at once and
// share one mask; y is zero where it is masked off, so the sum needs no more.
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

fsm.kernel @softmax_backward(%dx: !fsm.ptr<${T}>, %y: !fsm.ptr<${T}>, %dy: !fsm.ptr<${T}>, %dx_stride: i32, %y_stride: i32, %dy_stride: i32, %cols: i32) {
  %row = fsm.program_id x : i32
  %offs = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %n = fsm.splat %cols : tensor<${BLOCK}xi32>
  %mask = arith.cmpi slt, %offs, %n : tensor<${BLOCK}xi32>

  %i = arith.muli %row, %y_stride overflow<nsw> : i32
  %y_row = fsm.offset %y, %i : !fsm.ptr<${T}>, i32
  %y_raw = fsm.load %y_row[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %ys = ${WIDEN} %y_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>
  %j = arith.muli %row, %dy_stride overflow<nsw> : i32
  %dy_row = fsm.offset %dy, %j : !fsm.ptr<${T}>, i32
  %dy_raw = fsm.load %dy_row[%offs], %mask : !fsm.ptr<${T}>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}x${T}>
  %dys = ${WIDEN} %dy_raw : tensor<${BLOCK}x${T}> to tensor<${BLOCK}x${C}>

  %product = arith.mulf %ys, %dys : tensor<${BLOCK}x${C}>
  %dot = fsm.reduce <sum> %product axis 0 : tensor<${BLOCK}x${C}> -> ${C}
  %dots = fsm.splat %dot : tensor<${BLOCK}x${C}>
  %centred = arith.subf %dys, %dots : tensor<${BLOCK}x${C}>
  %grad = arith.mulf %ys, %centred : tensor<${BLOCK}x${C}>

  %result = ${NARROW} %grad : tensor<${BLOCK}x${C}> to tensor<${BLOCK}x${T}>
  %o = arith.muli %row, %dx_stride overflow<nsw> : i32
  %dst = fsm.offset %dx, %o : !fsm.ptr<${T}>, i32
  fsm.store %result, %dst[%offs], %mask : tensor<${BLOCK}x${T}>, !fsm.ptr<${T}>, tensor<${BLOCK}xi32>
  fsm.return
}
