// A product with weights of eight bits: y = x w scales, where x is ROWS x inner in ${T}, w inner x columns of i8 and one scale
// belongs to each column. The weights become floats as they are loaded; the scales are applied to the sums. Grid: tiles
// across, tiles down.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=int8-weights
//
// param BM = 16
// param BN = 32
// param BK = 32
// param T = f32
// param PRECISION = precision = ieee
// param STAGES = 2

!x_ints = tensor<${BM}x${BK}xi32>
!w_ints = tensor<${BK}x${BN}xi32>
!y_ints = tensor<${BM}x${BN}xi32>
!sums = tensor<${BM}x${BN}xf32>

fsm.kernel @product(%y: !fsm.ptr<f32>, %x: !fsm.ptr<${T}>, %w: !fsm.ptr<i8>, %scales: !fsm.ptr<f32>, %rows: i32, %inner: i32, %columns: i32) {
  %across = fsm.program_id x : i32
  %down = fsm.program_id y : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %bk = arith.constant ${BK} : i32
  %row = arith.muli %down, %bm overflow<nsw> : i32
  %column = arith.muli %across, %bn overflow<nsw> : i32
  %rm = fsm.range 0, ${BM} : tensor<${BM}xi32>
  %rn = fsm.range 0, ${BN} : tensor<${BN}xi32>
  %rk = fsm.range 0, ${BK} : tensor<${BK}xi32>
  %row_firsts = fsm.splat %row : tensor<${BM}xi32>
  %m = arith.addi %rm, %row_firsts overflow<nsw> : tensor<${BM}xi32>
  %column_firsts = fsm.splat %column : tensor<${BN}xi32>
  %n = arith.addi %rn, %column_firsts overflow<nsw> : tensor<${BN}xi32>
  %row_limits = fsm.splat %rows : tensor<${BM}xi32>
  %is_row = arith.cmpi slt, %m, %row_limits : tensor<${BM}xi32>
  %column_limits = fsm.splat %columns : tensor<${BN}xi32>
  %is_column = arith.cmpi slt, %n, %column_limits : tensor<${BN}xi32>
  %m1 = fsm.expand_dims %m axis 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %n1 = fsm.expand_dims %n axis 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %is_row1 = fsm.expand_dims %is_row axis 1 : tensor<${BM}xi1> -> tensor<${BM}x1xi1>
  %is_column1 = fsm.expand_dims %is_column axis 0 : tensor<${BN}xi1> -> tensor<1x${BN}xi1>

  %k0 = fsm.expand_dims %rk axis 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %k1 = fsm.expand_dims %rk axis 1 : tensor<${BK}xi32> -> tensor<${BK}x1xi32>
  %x_strides = fsm.splat %inner : tensor<${BM}x1xi32>
  %x_rows1 = arith.muli %m1, %x_strides overflow<nsw> : tensor<${BM}x1xi32>
  %x_rows = fsm.broadcast %x_rows1 : tensor<${BM}x1xi32> -> !x_ints
  %x_columns = fsm.broadcast %k0 : tensor<1x${BK}xi32> -> !x_ints
  %x_offs = arith.addi %x_rows, %x_columns overflow<nsw> : !x_ints
  %x_is_row = fsm.broadcast %is_row1 : tensor<${BM}x1xi1> -> tensor<${BM}x${BK}xi1>
  %w_strides = fsm.splat %columns : tensor<${BK}x1xi32>
  %w_rows1 = arith.muli %k1, %w_strides overflow<nsw> : tensor<${BK}x1xi32>
  %w_rows = fsm.broadcast %w_rows1 : tensor<${BK}x1xi32> -> !w_ints
  %w_columns = fsm.broadcast %n1 : tensor<1x${BN}xi32> -> !w_ints
  %w_offs = arith.addi %w_rows, %w_columns overflow<nsw> : !w_ints
  %w_is_column = fsm.broadcast %is_column1 : tensor<1x${BN}xi1> -> tensor<${BK}x${BN}xi1>

  %none = arith.constant 0 : i32
  %zeros = arith.constant dense<0.0> : !sums
  %sums = scf.for %k = %none to %inner step %bk iter_args(%sum = %zeros) -> (!sums) : i32 {
    %left = arith.subi %inner, %k overflow<nsw> : i32
    %left0 = fsm.splat %left : tensor<1x${BK}xi32>
    %left1 = fsm.splat %left : tensor<${BK}x1xi32>
    %in0 = arith.cmpi slt, %k0, %left0 : tensor<1x${BK}xi32>
    %in1 = arith.cmpi slt, %k1, %left1 : tensor<${BK}x1xi32>
    %x_in = fsm.broadcast %in0 : tensor<1x${BK}xi1> -> tensor<${BM}x${BK}xi1>
    %w_in = fsm.broadcast %in1 : tensor<${BK}x1xi1> -> tensor<${BK}x${BN}xi1>
    %x_mask = arith.andi %x_is_row, %x_in : tensor<${BM}x${BK}xi1>
    %w_mask = arith.andi %w_is_column, %w_in : tensor<${BK}x${BN}xi1>
    %px = fsm.offset %x, %k : !fsm.ptr<${T}>, i32
    %a = fsm.load %px[%x_offs], %x_mask : !fsm.ptr<${T}>, !x_ints -> tensor<${BM}x${BK}x${T}>
    %w_first = arith.muli %k, %columns overflow<nsw> : i32
    %pw = fsm.offset %w, %w_first : !fsm.ptr<i8>, i32
    %small = fsm.load %pw[%w_offs], %w_mask : !fsm.ptr<i8>, !w_ints -> tensor<${BK}x${BN}xi8>
    %b = arith.sitofp %small : tensor<${BK}x${BN}xi8> to tensor<${BK}x${BN}x${T}>
    %next = fsm.dot %a, %b, %sum ${PRECISION}
      : tensor<${BM}x${BK}x${T}>, tensor<${BK}x${BN}x${T}> -> !sums
    scf.yield %next : !sums
  } {fsm.num_stages = ${STAGES} : i32}

  %s = fsm.load %scales[%n], %is_column : !fsm.ptr<f32>, tensor<${BN}xi32> -> tensor<${BN}xf32>
  %s1 = fsm.expand_dims %s axis 0 : tensor<${BN}xf32> -> tensor<1x${BN}xf32>
  %s2 = fsm.broadcast %s1 : tensor<1x${BN}xf32> -> !sums
  %result = arith.mulf %sums, %s2 : !sums
  %y_strides = fsm.splat %columns : tensor<${BM}x1xi32>
  %y_rows1 = arith.muli %m1, %y_strides overflow<nsw> : tensor<${BM}x1xi32>
  %y_rows = fsm.broadcast %y_rows1 : tensor<${BM}x1xi32> -> !y_ints
  %y_columns = fsm.broadcast %n1 : tensor<1x${BN}xi32> -> !y_ints
  %y_offs = arith.addi %y_rows, %y_columns overflow<nsw> : !y_ints
  %y_is_row = fsm.broadcast %is_row1 : tensor<${BM}x1xi1> -> tensor<${BM}x${BN}xi1>
  %y_is_column = fsm.broadcast %is_column1 : tensor<1x${BN}xi1> -> tensor<${BM}x${BN}xi1>
  %y_mask = arith.andi %y_is_row, %y_is_column : tensor<${BM}x${BN}xi1>
  fsm.store %result, %y[%y_offs], %y_mask : !sums, !fsm.ptr<f32>, !y_ints
  fsm.return
}
