// Rows of a table looked up by number, and their gradients summed up: row t of `out` is row ids[t] of `table`, of zeros where
// there is no such row; going back, what belongs to one row of the table is added there by atomics. Numbers are i64, as
// frameworks have them. Grid: blocks of TOKENS tokens.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=embedding
//
// param TOKENS = 8
// param WIDTH = 64
// param T = f32

!offs = tensor<${TOKENS}x${WIDTH}xi64>
!mask = tensor<${TOKENS}x${WIDTH}xi1>
!tile = tensor<${TOKENS}x${WIDTH}x${T}>

// Where the elements of the tokens are in an array of one row for each token, where those of their rows are in the table, and
// which of them exist.
func.func private @places(%ids: !fsm.ptr<i64>, %tokens: i32, %rows: i64, %width: i32) -> (!offs, !offs, !mask, !mask) {
  %pid = fsm.program_id x : i32
  %block = arith.constant ${TOKENS} : i32
  %first = arith.muli %pid, %block overflow<nsw> : i32
  %r = fsm.range 0, ${TOKENS} : tensor<${TOKENS}xi32>
  %firsts = fsm.splat %first : tensor<${TOKENS}xi32>
  %token = arith.addi %firsts, %r overflow<nsw> : tensor<${TOKENS}xi32>
  %counts = fsm.splat %tokens : tensor<${TOKENS}xi32>
  %is_token = arith.cmpi slt, %token, %counts : tensor<${TOKENS}xi32>
  %none = arith.constant -1 : i64
  %id = fsm.load %ids[%token], %is_token, %none : !fsm.ptr<i64>, tensor<${TOKENS}xi32> -> tensor<${TOKENS}xi64>
  %limit = fsm.splat %rows : tensor<${TOKENS}xi64>
  %is_row = arith.cmpi ult, %id, %limit : tensor<${TOKENS}xi64>

  %c = fsm.range 0, ${WIDTH} : tensor<${WIDTH}xi32>
  %widths = fsm.splat %width : tensor<${WIDTH}xi32>
  %is_column = arith.cmpi slt, %c, %widths : tensor<${WIDTH}xi32>
  %c1 = arith.extsi %c : tensor<${WIDTH}xi32> to tensor<${WIDTH}xi64>
  %c2 = fsm.expand_dims %c1 axis 0 : tensor<${WIDTH}xi64> -> tensor<1x${WIDTH}xi64>
  %column = fsm.broadcast %c2 : tensor<1x${WIDTH}xi64> -> !offs
  %in1 = fsm.expand_dims %is_column axis 0 : tensor<${WIDTH}xi1> -> tensor<1x${WIDTH}xi1>
  %in_row = fsm.broadcast %in1 : tensor<1x${WIDTH}xi1> -> !mask

  %wide = arith.extsi %width : i32 to i64
  %strides = fsm.splat %wide : tensor<${TOKENS}xi64>
  %token1 = arith.extsi %token : tensor<${TOKENS}xi32> to tensor<${TOKENS}xi64>
  %token2 = arith.muli %token1, %strides overflow<nsw> : tensor<${TOKENS}xi64>
  %token3 = fsm.expand_dims %token2 axis 1 : tensor<${TOKENS}xi64> -> tensor<${TOKENS}x1xi64>
  %token4 = fsm.broadcast %token3 : tensor<${TOKENS}x1xi64> -> !offs
  %token_offs = arith.addi %token4, %column overflow<nsw> : !offs
  %id1 = arith.muli %id, %strides : tensor<${TOKENS}xi64>
  %id2 = fsm.expand_dims %id1 axis 1 : tensor<${TOKENS}xi64> -> tensor<${TOKENS}x1xi64>
  %id3 = fsm.broadcast %id2 : tensor<${TOKENS}x1xi64> -> !offs
  %table_offs = arith.addi %id3, %column : !offs

  %there1 = fsm.expand_dims %is_token axis 1 : tensor<${TOKENS}xi1> -> tensor<${TOKENS}x1xi1>
  %there2 = fsm.broadcast %there1 : tensor<${TOKENS}x1xi1> -> !mask
  %token_mask = arith.andi %there2, %in_row : !mask
  %known1 = fsm.expand_dims %is_row axis 1 : tensor<${TOKENS}xi1> -> tensor<${TOKENS}x1xi1>
  %known2 = fsm.broadcast %known1 : tensor<${TOKENS}x1xi1> -> !mask
  %table_mask = arith.andi %known2, %in_row : !mask
  func.return %token_offs, %table_offs, %token_mask, %table_mask : !offs, !offs, !mask, !mask
}

fsm.kernel @lookup(%out: !fsm.ptr<${T}>, %table: !fsm.ptr<${T}>, %ids: !fsm.ptr<i64>, %tokens: i32, %rows: i64, %width: i32) {
  %to, %from, %out_mask, %in_mask = func.call @places(%ids, %tokens, %rows, %width) : (!fsm.ptr<i64>, i32, i64, i32) -> (!offs, !offs, !mask, !mask)
  %x = fsm.load %table[%from], %in_mask : !fsm.ptr<${T}>, !offs -> !tile
  fsm.store %x, %out[%to], %out_mask : !tile, !fsm.ptr<${T}>, !offs
  fsm.return
}

fsm.kernel @gradient(%table: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %ids: !fsm.ptr<i64>, %tokens: i32, %rows: i64, %width: i32) {
  %from, %to, %in_mask, %table_mask = func.call @places(%ids, %tokens, %rows, %width) : (!fsm.ptr<i64>, i32, i64, i32) -> (!offs, !offs, !mask, !mask)
  %x = fsm.load %in[%from], %in_mask : !fsm.ptr<${T}>, !offs -> !tile
  %before = fsm.atomic_rmw <add> %x, %table[%to], %table_mask sem = relaxed : !tile, !fsm.ptr<${T}>, !offs
  fsm.return
}
