// Rows in eight bits and back: each row is divided by its greatest magnitude over 448, the greatest number of f8E4M3FN, and
// rounded; the divisor is kept beside it. A row of zeros has the divisor 1. Grid: rows.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=f8-quantisation
//
// param BLOCK = 256

!ids = tensor<${BLOCK}xi32>
!vec = tensor<${BLOCK}xf32>

fsm.kernel @quantise(%out: !fsm.ptr<f8E4M3FN>, %scales: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %cols: i32) {
  %row = fsm.program_id x : i32
  %first = arith.muli %row, %cols overflow<nsw> : i32
  %x_row = fsm.offset %in, %first : !fsm.ptr<f32>, i32
  %y_row = fsm.offset %out, %first : !fsm.ptr<f8E4M3FN>, i32
  %column = fsm.range 0, ${BLOCK} : !ids
  %limits = fsm.splat %cols : !ids
  %mask = arith.cmpi slt, %column, %limits : !ids
  %x = fsm.load %x_row[%column], %mask : !fsm.ptr<f32>, !ids -> !vec
  %size = math.absf %x : !vec
  %most = fsm.reduce <max> %size axis 0 : !vec -> f32
  %greatest = arith.constant 448.0 : f32
  %ratio = fsm.div_rn %most, %greatest : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %is_zero = arith.cmpf oeq, %ratio, %zero : f32
  %scale = arith.select %is_zero, %one, %ratio : f32
  %divisor = fsm.splat %scale : !vec
  %small = fsm.div_rn %x, %divisor : !vec
  %y = fsm.convert %small rounding = nearest_even saturate : !vec -> tensor<${BLOCK}xf8E4M3FN>
  fsm.store %y, %y_row[%column], %mask : tensor<${BLOCK}xf8E4M3FN>, !fsm.ptr<f8E4M3FN>, !ids
  %scale_at = fsm.offset %scales, %row : !fsm.ptr<f32>, i32
  fsm.store %scale, %scale_at : f32, !fsm.ptr<f32>
  fsm.return
}

fsm.kernel @restore(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f8E4M3FN>, %scales: !fsm.ptr<f32>, %cols: i32) {
  %row = fsm.program_id x : i32
  %first = arith.muli %row, %cols overflow<nsw> : i32
  %x_row = fsm.offset %in, %first : !fsm.ptr<f8E4M3FN>, i32
  %y_row = fsm.offset %out, %first : !fsm.ptr<f32>, i32
  %column = fsm.range 0, ${BLOCK} : !ids
  %limits = fsm.splat %cols : !ids
  %mask = arith.cmpi slt, %column, %limits : !ids
  %x = fsm.load %x_row[%column], %mask : !fsm.ptr<f8E4M3FN>, !ids -> tensor<${BLOCK}xf8E4M3FN>
  %scale_at = fsm.offset %scales, %row : !fsm.ptr<f32>, i32
  %scale = fsm.load %scale_at : !fsm.ptr<f32> -> f32
  %wide = fsm.convert %x rounding = nearest_even : tensor<${BLOCK}xf8E4M3FN> -> !vec
  %factor = fsm.splat %scale : !vec
  %y = arith.mulf %wide, %factor : !vec
  fsm.store %y, %y_row[%column], %mask : !vec, !fsm.ptr<f32>, !ids
  fsm.return
}
