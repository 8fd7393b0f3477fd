// Matrix product with a fused leaky ReLU: c = leaky(a b), where leaky(x) is x, or
// SLOPE x where x < 0; a SLOPE of 1 leaves it out. One program computes a tile of
// BM x BN, going along the inner dimension in steps of BK; its sums stay in
// registers. Masks make any extents do: what they mask off of a and b counts as 0.
// Element (r, c) is at r * stride + c. Grid: tiles down times tiles across.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BM = 64 in 16, 64, 128, 256
// param BN = 64 in 64, 128, 192, 256
// param BK = 32 in 32, 64, 128
// param GROUP = 8
// param STAGES = 3 in 2, 3, 4, 6, 8
// Element types of a and b, of the sums and of c: f32; f64, f64, f64; f16 (or bf16),
// f32 and f16 (or f32); i8, i32, i32. Where the sums are no f32, or c is not of their
// type, the others have to follow:
// param T = f32
// param C = f32
// param O = f32
// param NARROW = arith.bitcast
// Only f32 operands have a precision; for others a comment leaves it out: PRECISION=//
// param PRECISION = precision = ieee
// Where b's columns lie one behind the other: 1, %b_stride
// param B_STRIDES = %b_stride, 1
// param SLOPE = 0.01
// For i32 sums: 0, arith.muli, arith.cmpi slt, and a whole SLOPE.
// param ZERO = 0.0
// param MUL = arith.mulf
// param LESS = arith.cmpf olt,

!a = tensor<${BM}x${BK}x${T}>
!b = tensor<${BK}x${BN}x${T}>
!sums = tensor<${BM}x${BN}x${C}>
!c = tensor<${BM}x${BN}x${O}>

// Where this program's tile begins: down groups of GROUP rows of tiles, so that programs that
// run at the same time share rows of a and columns of b in the cache.
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
  %row_number = arith.addi %first, %down overflow<nsw> : i32
  %column_number = arith.divsi %number, %rows : i32
  // What begins at 0 or more the hardware stores, and nothing else says it of these.
  %origin = arith.constant 0 : i32
  %row = arith.maxsi %row_number, %origin : i32
  %column = arith.maxsi %column_number, %origin : i32
  %first_row = arith.muli %row, %bm overflow<nsw> : i32
  %first_column = arith.muli %column, %bn overflow<nsw> : i32
  func.return %first_row, %first_column : i32, i32
}

fsm.kernel @matmul(%c: !fsm.ptr<${O}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) grid [ceildiv(%m, ${BM}) * ceildiv(%n, ${BN})] {
  %row, %column = func.call @tile(%m, %n) : (i32, i32) -> (i32, i32)
  %none = arith.constant 0 : i32
  %step = arith.constant ${BK} : i32
  %zeros = arith.constant dense<${ZERO}> : !sums
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!sums) : i32 {
    %a_at, %a_in = fsm.places origin [%row, %i] strides [%a_stride, 1] bounds [%m, %k] : tensor<${BM}x${BK}xi32>
    %x = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, tensor<${BM}x${BK}xi32> -> !a
    %b_at, %b_in = fsm.places origin [%i, %column] strides [${B_STRIDES}] bounds [%k, %n] : tensor<${BK}x${BN}xi32>
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, tensor<${BK}x${BN}xi32> -> !b
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : !a, !b -> !sums
    scf.yield %next : !sums
  } {fsm.num_stages = ${STAGES} : i32}
  %slopes = arith.constant dense<${SLOPE}> : !sums
  %scaled = ${MUL} %sums, %slopes : !sums
  %below = ${LESS} %sums, %zeros : !sums
  %leaky = arith.select %below, %scaled, %sums : tensor<${BM}x${BN}xi1>, !sums
  %result = ${NARROW} %leaky : !sums to !c
  %c_at, %c_in = fsm.places origin [%row, %column] strides [%c_stride, 1] bounds [%m, %n] : tensor<${BM}x${BN}xi32>
  fsm.store %result, %c[%c_at], %c_in : !c, !fsm.ptr<${O}>, tensor<${BM}x${BN}xi32>
  fsm.return
}
