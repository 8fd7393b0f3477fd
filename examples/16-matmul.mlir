// Matrix product with a fused leaky ReLU: c = leaky(a b), where leaky(x) is x, or
// SLOPE x where x < 0; a SLOPE of 1 leaves it out. One program computes a tile of
// BM x BN, going along the inner dimension in steps of BK; its sums stay in
// registers. Masks make any extents do: what they mask off of a and b counts as 0.
// Rows may have gaps between them: element (r, c) is at r * stride + c.
//
// Programs are numbered down groups of GROUP rows of tiles, not row by row, so that
// those that run at the same time share rows of a and columns of b in the cache.
// Grid: tiles down times tiles across.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BM = 64
// param BN = 64
// param BK = 32
// param GROUP = 8
// param STAGES = 3
//
// Element types of a and b, of the sums and of c: f32; f64, f64, f64; f16 (or bf16),
// f32 and f16 (or f32); i8, i32, i32. Where the sums are no f32, or c is not of their
// type, the others have to follow:
// param T = f32
// param C = f32
// param O = f32
// param NARROW = arith.bitcast
// Only f32 operands have a precision; for others a comment leaves it out: PRECISION=//
// param PRECISION = precision = ieee
// param SLOPE = 0.01
// For i32 sums: 0, arith.muli, arith.cmpi slt, and a whole SLOPE.
// param ZERO = 0.0
// param MUL = arith.mulf
// param LESS = arith.cmpf olt,

!a_ints = tensor<${BM}x${BK}xi32>
!a_mask = tensor<${BM}x${BK}xi1>
!a_tile = tensor<${BM}x${BK}x${T}>
!b_ints = tensor<${BK}x${BN}xi32>
!b_mask = tensor<${BK}x${BN}xi1>
!b_tile = tensor<${BK}x${BN}x${T}>
!c_ints = tensor<${BM}x${BN}xi32>
!c_mask = tensor<${BM}x${BN}xi1>
!c_tile = tensor<${BM}x${BN}x${O}>
!sums = tensor<${BM}x${BN}x${C}>

// Where the elements of a tile of a are, and which of them are among the first `rows`
// rows and `cols` columns.
func.func private @places_a(%stride: i32, %rows: i32, %cols: i32) -> (!a_ints, !a_mask) {
  %r1 = fsm.range 0, ${BM} : tensor<${BM}xi32>
  %r2 = fsm.expand_dims %r1 axis 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %r = fsm.broadcast %r2 : tensor<${BM}x1xi32> -> !a_ints
  %c1 = fsm.range 0, ${BK} : tensor<${BK}xi32>
  %c2 = fsm.expand_dims %c1 axis 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %c = fsm.broadcast %c2 : tensor<1x${BK}xi32> -> !a_ints
  %strides = fsm.splat %stride : !a_ints
  %down = arith.muli %r, %strides overflow<nsw> : !a_ints
  %offs = arith.addi %down, %c overflow<nsw> : !a_ints
  %row_limit = fsm.splat %rows : !a_ints
  %col_limit = fsm.splat %cols : !a_ints
  %row_mask = arith.cmpi slt, %r, %row_limit : !a_ints
  %col_mask = arith.cmpi slt, %c, %col_limit : !a_ints
  %mask = arith.andi %row_mask, %col_mask : !a_mask
  func.return %offs, %mask : !a_ints, !a_mask
}

// The same for b.
func.func private @places_b(%stride: i32, %rows: i32, %cols: i32) -> (!b_ints, !b_mask) {
  %r1 = fsm.range 0, ${BK} : tensor<${BK}xi32>
  %r2 = fsm.expand_dims %r1 axis 1 : tensor<${BK}xi32> -> tensor<${BK}x1xi32>
  %r = fsm.broadcast %r2 : tensor<${BK}x1xi32> -> !b_ints
  %c1 = fsm.range 0, ${BN} : tensor<${BN}xi32>
  %c2 = fsm.expand_dims %c1 axis 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %c = fsm.broadcast %c2 : tensor<1x${BN}xi32> -> !b_ints
  %strides = fsm.splat %stride : !b_ints
  %down = arith.muli %r, %strides overflow<nsw> : !b_ints
  %offs = arith.addi %down, %c overflow<nsw> : !b_ints
  %row_limit = fsm.splat %rows : !b_ints
  %col_limit = fsm.splat %cols : !b_ints
  %row_mask = arith.cmpi slt, %r, %row_limit : !b_ints
  %col_mask = arith.cmpi slt, %c, %col_limit : !b_ints
  %mask = arith.andi %row_mask, %col_mask : !b_mask
  func.return %offs, %mask : !b_ints, !b_mask
}

// The same for c.
func.func private @places_c(%stride: i32, %rows: i32, %cols: i32) -> (!c_ints, !c_mask) {
  %r1 = fsm.range 0, ${BM} : tensor<${BM}xi32>
  %r2 = fsm.expand_dims %r1 axis 1 : tensor<${BM}xi32> -> tensor<${BM}x1xi32>
  %r = fsm.broadcast %r2 : tensor<${BM}x1xi32> -> !c_ints
  %c1 = fsm.range 0, ${BN} : tensor<${BN}xi32>
  %c2 = fsm.expand_dims %c1 axis 0 : tensor<${BN}xi32> -> tensor<1x${BN}xi32>
  %c = fsm.broadcast %c2 : tensor<1x${BN}xi32> -> !c_ints
  %strides = fsm.splat %stride : !c_ints
  %down = arith.muli %r, %strides overflow<nsw> : !c_ints
  %offs = arith.addi %down, %c overflow<nsw> : !c_ints
  %row_limit = fsm.splat %rows : !c_ints
  %col_limit = fsm.splat %cols : !c_ints
  %row_mask = arith.cmpi slt, %r, %row_limit : !c_ints
  %col_mask = arith.cmpi slt, %c, %col_limit : !c_ints
  %mask = arith.andi %row_mask, %col_mask : !c_mask
  func.return %offs, %mask : !c_ints, !c_mask
}

// Which tile is this program's: groups of GROUP rows of tiles, fewer in the last; in a
// group down the first column, then the second.
func.func private @tile(%m: i32, %n: i32) -> (i32, i32) {
  %program = fsm.program_id x : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %most = arith.constant ${GROUP} : i32
  %tiles_down = arith.ceildivsi %m, %bm : i32
  %tiles_across = arith.ceildivsi %n, %bn : i32
  %in_group = arith.muli %most, %tiles_across overflow<nsw> : i32
  %group = arith.divsi %program, %in_group : i32
  %number = arith.remsi %program, %in_group : i32
  %first = arith.muli %group, %most overflow<nsw> : i32
  %left = arith.subi %tiles_down, %first overflow<nsw> : i32
  %rows = arith.minsi %left, %most : i32
  %down = arith.remsi %number, %rows : i32
  %row = arith.addi %first, %down overflow<nsw> : i32
  %column = arith.divsi %number, %rows : i32
  %first_row = arith.muli %row, %bm overflow<nsw> : i32
  %first_column = arith.muli %column, %bn overflow<nsw> : i32
  func.return %first_row, %first_column : i32, i32
}

fsm.kernel @matmul(%c: !fsm.ptr<${O}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %row, %column = func.call @tile(%m, %n) : (i32, i32) -> (i32, i32)
  %rows = arith.subi %m, %row overflow<nsw> : i32
  %columns = arith.subi %n, %column overflow<nsw> : i32
  %a_first = arith.muli %row, %a_stride overflow<nsw> : i32
  %a_rows = fsm.offset %a, %a_first : !fsm.ptr<${T}>, i32
  %b_columns = fsm.offset %b, %column : !fsm.ptr<${T}>, i32

  %none = arith.constant 0 : i32
  %step = arith.constant ${BK} : i32
  %zeros = arith.constant dense<${ZERO}> : !sums
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!sums) : i32 {
    %left = arith.subi %k, %i overflow<nsw> : i32
    %a_offs, %a_in = func.call @places_a(%a_stride, %rows, %left) : (i32, i32, i32) -> (!a_ints, !a_mask)
    %pa = fsm.offset %a_rows, %i : !fsm.ptr<${T}>, i32
    %x = fsm.load %pa[%a_offs], %a_in : !fsm.ptr<${T}>, !a_ints -> !a_tile
    %b_offs, %b_in = func.call @places_b(%b_stride, %left, %columns) : (i32, i32, i32) -> (!b_ints, !b_mask)
    %b_first = arith.muli %i, %b_stride overflow<nsw> : i32
    %pb = fsm.offset %b_columns, %b_first : !fsm.ptr<${T}>, i32
    %y = fsm.load %pb[%b_offs], %b_in : !fsm.ptr<${T}>, !b_ints -> !b_tile
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : !a_tile, !b_tile -> !sums
    scf.yield %next : !sums
  } {fsm.num_stages = ${STAGES} : i32}

  %slopes = arith.constant dense<${SLOPE}> : !sums
  %scaled = ${MUL} %sums, %slopes : !sums
  %below = ${LESS} %sums, %zeros : !sums
  %leaky = arith.select %below, %scaled, %sums : !c_mask, !sums
  %result = ${NARROW} %leaky : !sums to !c_tile
  %c_first = arith.muli %row, %c_stride overflow<nsw> : i32
  %c_rows = fsm.offset %c, %c_first : !fsm.ptr<${O}>, i32
  %pc = fsm.offset %c_rows, %column : !fsm.ptr<${O}>, i32
  %c_offs, %c_in = func.call @places_c(%c_stride, %rows, %columns) : (i32, i32, i32) -> (!c_ints, !c_mask)
  fsm.store %result, %pc[%c_offs], %c_in : !c_tile, !fsm.ptr<${O}>, !c_ints
  fsm.return
}
