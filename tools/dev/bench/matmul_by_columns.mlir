// Example 17 without its epilogue, for factors that both lie along the inner extent, as groups of warps multiply elements of 8 and 32
// bits: c = a transpose(b), where b has a row for each column of c. Grid: any number of programs.
//
// param BM = 64
// param BN = 64
// param BK = 32
// param GROUP = 8
// param STAGES = 3
// Element types of a and b, of the sums and of c, as for example 16.
// param T = f32
// param C = f32
// param O = f32
// param ZERO = 0.0
// param NARROW = arith.bitcast
// param PRECISION = precision = ieee

!a = tensor<${BM}x${BK}x${T}>
!stored = tensor<${BN}x${BK}x${T}>
!b = tensor<${BK}x${BN}x${T}>
!sums = tensor<${BM}x${BN}x${C}>
!c = tensor<${BM}x${BN}x${O}>
!factor = !fsm.descriptor<2 x ${T}>

// Where a tile begins, down groups of GROUP rows of tiles.
func.func private @place(%tile: i32, %down: i32, %across: i32) -> (i32, i32) {
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %most = arith.constant ${GROUP} : i32
  %in_group = arith.muli %most, %across overflow<nsw> : i32
  %group = arith.divsi %tile, %in_group : i32
  %number = arith.remsi %tile, %in_group : i32
  %first = arith.muli %group, %most overflow<nsw> : i32
  %left = arith.subi %down, %first overflow<nsw> : i32
  %rows = arith.minsi %left, %most : i32
  %part = arith.remsi %number, %rows : i32
  %row_number = arith.addi %first, %part overflow<nsw> : i32
  %column_number = arith.divsi %number, %rows : i32
  // What begins at 0 or more the hardware stores, and nothing else says it of these.
  %origin = arith.constant 0 : i32
  %row = arith.maxsi %row_number, %origin : i32
  %column = arith.maxsi %column_number, %origin : i32
  %first_row = arith.muli %row, %bm overflow<nsw> : i32
  %first_column = arith.muli %column, %bn overflow<nsw> : i32
  func.return %first_row, %first_column : i32, i32
}

fsm.kernel @matmul(%c: !fsm.ptr<${O}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %in_a = fsm.descriptor %a sizes [%m, %k] strides [%a_stride, 1] : !fsm.ptr<${T}> -> !factor
  %in_b = fsm.descriptor %b sizes [%n, %k] strides [%b_stride, 1] : !fsm.ptr<${T}> -> !factor
  %in_c = fsm.descriptor %c sizes [%m, %n] strides [%c_stride, 1] : !fsm.ptr<${O}> -> !fsm.descriptor<2 x ${O}>
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %down = arith.ceildivsi %m, %bm : i32
  %across = arith.ceildivsi %n, %bn : i32
  %tiles = arith.muli %down, %across overflow<nsw> : i32
  %first = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  scf.for %tile = %first to %tiles step %programs : i32 {
    %row, %column = func.call @place(%tile, %down, %across) : (i32, i32, i32) -> (i32, i32)
    %none = arith.constant 0 : i32
    %step = arith.constant ${BK} : i32
    %zeros = arith.constant dense<${ZERO}> : !sums
    %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!sums) : i32 {
      %x = fsm.load_tile %in_a[%row, %i] : !factor -> !a
      %stored = fsm.load_tile %in_b[%column, %i] : !factor -> !stored
      %y = fsm.transpose %stored order [1, 0] : !stored -> !b
      %next = fsm.dot %x, %y, %sum ${PRECISION}
        : !a, !b -> !sums
      scf.yield %next : !sums
    } {fsm.num_stages = ${STAGES} : i32}
    %result = ${NARROW} %sums : !sums to !c
    fsm.store_tile %result, %in_c[%row, %column] : !c, !fsm.descriptor<2 x ${O}>
  }
  fsm.return
}
