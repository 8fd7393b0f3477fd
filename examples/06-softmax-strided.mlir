// Strided softmax: a block may have two dimensions. One program takes ROWS whole
// rows; helpers are plain functions, inlined. Offsets are ordinary integers, so
// any strides do: element (r, c) is at r * row stride + c * column stride.
// Grid: rows / ROWS, rounded up; at most BLOCK columns.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param ROWS = 4
// param BLOCK = 1024
// Element types as in 04-softmax.mlir.
// param T = f32
// param C = f32
// param WIDEN = arith.bitcast
// param NARROW = arith.bitcast
// param NINF = 0xFF800000

!ints = tensor<${ROWS}x${BLOCK}xi32>
!stored = tensor<${ROWS}x${BLOCK}x${T}>
!tile = tensor<${ROWS}x${BLOCK}x${C}>
!column = tensor<${ROWS}x${C}>

// Where element (r, c) is.
func.func private @offsets(%r: !ints, %c: !ints, %row_stride: i32, %col_stride: i32) -> !ints {
  %row_strides = fsm.splat %row_stride : !ints
  %col_strides = fsm.splat %col_stride : !ints
  %down = arith.muli %r, %row_strides overflow<nsw> : !ints
  %across = arith.muli %c, %col_strides overflow<nsw> : !ints
  %sum = arith.addi %down, %across overflow<nsw> : !ints
  func.return %sum : !ints
}

// One number per row, repeated along its row.
func.func private @along_rows(%v: !column) -> !tile {
  %column = fsm.expand_dims %v axis 1 : !column -> tensor<${ROWS}x1x${C}>
  %tile = fsm.broadcast %column : tensor<${ROWS}x1x${C}> -> !tile
  func.return %tile : !tile
}

fsm.kernel @softmax(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %in_row: i32, %in_col: i32, %out_row: i32, %out_col: i32, %rows: i32, %cols: i32) {
  %program = fsm.program_id x : i32
  %size = arith.constant ${ROWS} : i32
  %first = arith.muli %program, %size overflow<nsw> : i32
  %left = arith.subi %rows, %first overflow<nsw> : i32

  // Row and column of each element of the tile, and which are in the matrix.
  %r1 = fsm.range 0, ${ROWS} : tensor<${ROWS}xi32>
  %r2 = fsm.expand_dims %r1 axis 1 : tensor<${ROWS}xi32> -> tensor<${ROWS}x1xi32>
  %r = fsm.broadcast %r2 : tensor<${ROWS}x1xi32> -> !ints
  %c1 = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %c2 = fsm.expand_dims %c1 axis 0 : tensor<${BLOCK}xi32> -> tensor<1x${BLOCK}xi32>
  %c = fsm.broadcast %c2 : tensor<1x${BLOCK}xi32> -> !ints
  %row_limit = fsm.splat %left : !ints
  %col_limit = fsm.splat %cols : !ints
  %row_mask = arith.cmpi slt, %r, %row_limit : !ints
  %col_mask = arith.cmpi slt, %c, %col_limit : !ints
  %mask = arith.andi %row_mask, %col_mask : tensor<${ROWS}x${BLOCK}xi1>
  %ninf = arith.constant ${NINF} : ${T}

  %i = arith.muli %first, %in_row overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<${T}>, i32
  %from = func.call @offsets(%r, %c, %in_row, %in_col) : (!ints, !ints, i32, i32) -> !ints
  %raw = fsm.load %src[%from], %mask, %ninf : !fsm.ptr<${T}>, !ints -> !stored
  %x = ${WIDEN} %raw : !stored to !tile

  %max = fsm.reduce <max> %x axis 1 : !tile -> !column
  %maxes = func.call @along_rows(%max) : (!column) -> !tile
  %shifted = arith.subf %x, %maxes : !tile
  %num = math.exp %shifted : !tile
  %sum = fsm.reduce <sum> %num axis 1 : !tile -> !column
  %den = func.call @along_rows(%sum) : (!column) -> !tile
  %quotient = arith.divf %num, %den : !tile
  %y = ${NARROW} %quotient : !tile to !stored

  %o = arith.muli %first, %out_row overflow<nsw> : i32
  %dst = fsm.offset %out, %o : !fsm.ptr<${T}>, i32
  %to = func.call @offsets(%r, %c, %out_row, %out_col) : (!ints, !ints, i32, i32) -> !ints
  fsm.store %y, %dst[%to], %mask : !stored, !fsm.ptr<${T}>, !ints
  fsm.return
}
