// Sums in memory of neighbours: rows of `in` are added to rows of `out`, by number, up to a column. Grid: (blocks of ROWS rows,
// blocks of COLUMNS columns).
//
// param T = f32
// param ROWS = 4
// param COLUMNS = 64
// param ORDER = sem = relaxed

!rows = tensor<${ROWS}xi32>
!columns = tensor<${COLUMNS}xi32>
!offs = tensor<${ROWS}x${COLUMNS}xi32>
!mask = tensor<${ROWS}x${COLUMNS}xi1>
!tile = tensor<${ROWS}x${COLUMNS}x${T}>

func.func private @places(%numbers: !fsm.ptr<i32>, %count: i32, %pitch: i32, %end: i32) -> (!offs, !offs, !mask) {
  %x = fsm.program_id x : i32
  %y = fsm.program_id y : i32
  %rows = arith.constant ${ROWS} : i32
  %columns = arith.constant ${COLUMNS} : i32
  %first = arith.muli %x, %rows overflow<nsw> : i32
  %left = arith.muli %y, %columns overflow<nsw> : i32
  %r = fsm.range 0, ${ROWS} : !rows
  %c = fsm.range 0, ${COLUMNS} : !columns
  %firsts = fsm.splat %first : !rows
  %lefts = fsm.splat %left : !columns
  %row = arith.addi %firsts, %r overflow<nsw> : !rows
  %column = arith.addi %lefts, %c overflow<nsw> : !columns
  %counts = fsm.splat %count : !rows
  %is_row = arith.cmpi slt, %row, %counts : !rows
  %ends = fsm.splat %end : !columns
  %is_column = arith.cmpi slt, %column, %ends : !columns
  %none = arith.constant 0 : i32
  %number = fsm.load %numbers[%row], %is_row, %none : !fsm.ptr<i32>, !rows -> !rows
  %pitches = fsm.splat %pitch : !rows
  %from = arith.muli %row, %pitches overflow<nsw> : !rows
  %to = arith.muli %number, %pitches overflow<nsw> : !rows
  %column1 = fsm.expand_dims %column axis 0 : !columns -> tensor<1x${COLUMNS}xi32>
  %column2 = fsm.broadcast %column1 : tensor<1x${COLUMNS}xi32> -> !offs
  %from1 = fsm.expand_dims %from axis 1 : !rows -> tensor<${ROWS}x1xi32>
  %from2 = fsm.broadcast %from1 : tensor<${ROWS}x1xi32> -> !offs
  %to1 = fsm.expand_dims %to axis 1 : !rows -> tensor<${ROWS}x1xi32>
  %to2 = fsm.broadcast %to1 : tensor<${ROWS}x1xi32> -> !offs
  %sources = arith.addi %from2, %column2 overflow<nsw> : !offs
  %targets = arith.addi %to2, %column2 overflow<nsw> : !offs
  %m1 = fsm.expand_dims %is_row axis 1 : tensor<${ROWS}xi1> -> tensor<${ROWS}x1xi1>
  %m2 = fsm.broadcast %m1 : tensor<${ROWS}x1xi1> -> !mask
  %n1 = fsm.expand_dims %is_column axis 0 : tensor<${COLUMNS}xi1> -> tensor<1x${COLUMNS}xi1>
  %n2 = fsm.broadcast %n1 : tensor<1x${COLUMNS}xi1> -> !mask
  %mask = arith.andi %m2, %n2 : !mask
  func.return %sources, %targets, %mask : !offs, !offs, !mask
}

fsm.kernel @add(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %numbers: !fsm.ptr<i32>, %count: i32, %pitch: i32, %end: i32) {
  %from, %to, %mask = func.call @places(%numbers, %count, %pitch, %end) : (!fsm.ptr<i32>, i32, i32, i32) -> (!offs, !offs, !mask)
  %x = fsm.load %in[%from], %mask : !fsm.ptr<${T}>, !offs -> !tile
  %old = fsm.atomic_rmw <add> %x, %out[%to], %mask ${ORDER} : !tile, !fsm.ptr<${T}>, !offs
  fsm.return
}

// What was there goes to where the row came from, also where nothing was added: zeros.
fsm.kernel @found(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %numbers: !fsm.ptr<i32>, %count: i32, %pitch: i32, %end: i32) {
  %from, %to, %mask = func.call @places(%numbers, %count, %pitch, %end) : (!fsm.ptr<i32>, i32, i32, i32) -> (!offs, !offs, !mask)
  %x = fsm.load %in[%from], %mask : !fsm.ptr<${T}>, !offs -> !tile
  %old = fsm.atomic_rmw <add> %x, %out[%to], %mask ${ORDER} : !tile, !fsm.ptr<${T}>, !offs
  fsm.store %old, %in[%from] : !tile, !fsm.ptr<${T}>, !offs
  fsm.return
}
