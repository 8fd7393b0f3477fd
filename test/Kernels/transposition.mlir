// out[c, r] = in[r, c] for any extents and element types, a tile at a time: reads and writes both go along rows. Grid: tiles
// across, tiles down.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=transposition
//
// param ROWS = 32
// param COLS = 32
// param T = f32

!ints = tensor<${ROWS}x${COLS}xi32>
!mask = tensor<${ROWS}x${COLS}xi1>
!turned_ints = tensor<${COLS}x${ROWS}xi32>
!turned_mask = tensor<${COLS}x${ROWS}xi1>

// Where the elements of a tile are whose first is at (row, column), and which of them exist.
func.func private @places_in(%row: i32, %column: i32, %rows: i32, %columns: i32) -> (!ints, !mask) {
  %r0 = fsm.range 0, ${ROWS} : tensor<${ROWS}xi32>
  %c0 = fsm.range 0, ${COLS} : tensor<${COLS}xi32>
  %r1 = fsm.expand_dims %r0 axis 1 : tensor<${ROWS}xi32> -> tensor<${ROWS}x1xi32>
  %c1 = fsm.expand_dims %c0 axis 0 : tensor<${COLS}xi32> -> tensor<1x${COLS}xi32>
  %r2 = fsm.broadcast %r1 : tensor<${ROWS}x1xi32> -> !ints
  %c2 = fsm.broadcast %c1 : tensor<1x${COLS}xi32> -> !ints
  %row_block = fsm.splat %row : !ints
  %column_block = fsm.splat %column : !ints
  %r = arith.addi %r2, %row_block overflow<nsw> : !ints
  %c = arith.addi %c2, %column_block overflow<nsw> : !ints
  %row_limit = fsm.splat %rows : !ints
  %column_limit = fsm.splat %columns : !ints
  %down = arith.muli %r, %column_limit overflow<nsw> : !ints
  %offs = arith.addi %down, %c overflow<nsw> : !ints
  %in_rows = arith.cmpi slt, %r, %row_limit : !ints
  %in_columns = arith.cmpi slt, %c, %column_limit : !ints
  %mask = arith.andi %in_rows, %in_columns : !mask
  func.return %offs, %mask : !ints, !mask
}

// The same for a tile of the result.
func.func private @places_out(%row: i32, %column: i32, %rows: i32, %columns: i32) -> (!turned_ints, !turned_mask) {
  %r0 = fsm.range 0, ${COLS} : tensor<${COLS}xi32>
  %c0 = fsm.range 0, ${ROWS} : tensor<${ROWS}xi32>
  %r1 = fsm.expand_dims %r0 axis 1 : tensor<${COLS}xi32> -> tensor<${COLS}x1xi32>
  %c1 = fsm.expand_dims %c0 axis 0 : tensor<${ROWS}xi32> -> tensor<1x${ROWS}xi32>
  %r2 = fsm.broadcast %r1 : tensor<${COLS}x1xi32> -> !turned_ints
  %c2 = fsm.broadcast %c1 : tensor<1x${ROWS}xi32> -> !turned_ints
  %row_block = fsm.splat %row : !turned_ints
  %column_block = fsm.splat %column : !turned_ints
  %r = arith.addi %r2, %row_block overflow<nsw> : !turned_ints
  %c = arith.addi %c2, %column_block overflow<nsw> : !turned_ints
  %row_limit = fsm.splat %rows : !turned_ints
  %column_limit = fsm.splat %columns : !turned_ints
  %down = arith.muli %r, %column_limit overflow<nsw> : !turned_ints
  %offs = arith.addi %down, %c overflow<nsw> : !turned_ints
  %in_rows = arith.cmpi slt, %r, %row_limit : !turned_ints
  %in_columns = arith.cmpi slt, %c, %column_limit : !turned_ints
  %mask = arith.andi %in_rows, %in_columns : !turned_mask
  func.return %offs, %mask : !turned_ints, !turned_mask
}

fsm.kernel @transpose(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %rows: i32, %columns: i32) {
  %across = fsm.program_id x : i32
  %down = fsm.program_id y : i32
  %tile_rows = arith.constant ${ROWS} : i32
  %tile_columns = arith.constant ${COLS} : i32
  %row = arith.muli %down, %tile_rows overflow<nsw> : i32
  %column = arith.muli %across, %tile_columns overflow<nsw> : i32
  %from, %in_mask = func.call @places_in(%row, %column, %rows, %columns) : (i32, i32, i32, i32) -> (!ints, !mask)
  %x = fsm.load %in[%from], %in_mask : !fsm.ptr<${T}>, !ints -> tensor<${ROWS}x${COLS}x${T}>
  %y = fsm.transpose %x order [1, 0] : tensor<${ROWS}x${COLS}x${T}> -> tensor<${COLS}x${ROWS}x${T}>
  %to, %out_mask = func.call @places_out(%column, %row, %columns, %rows) : (i32, i32, i32, i32) -> (!turned_ints, !turned_mask)
  fsm.store %y, %out[%to], %out_mask : tensor<${COLS}x${ROWS}x${T}>, !fsm.ptr<${T}>, !turned_ints
  fsm.return
}
