// Matrix product with an epilogue: c = f(a b + bias), by as many programs as the GPU
// runs at once. Each goes from tile to tile of c, in steps of the number of programs.
// Descriptors say where the matrices are and how large: what a tile of a or b has
// outside counts as 0, and what a tile of c has there is not stored. The bias has an
// element for each column. Grid: any number of programs.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BM = 64 in 16, 64, 128, 256
// param BN = 64 in 64, 128, 192, 256
// param BK = 32 in 32, 64, 128
// param GROUP = 8
// param STAGES = 3 in 2, 3, 4, 6, 8
// Element types of a, b and c; of the sums and the bias: f32; f64 for f64:
// param T = f32
// param C = f32
// What rounds sums to c's type: arith.truncf for f16 and bf16.
// param NARROW = arith.bitcast
// Only f32 operands have a precision; for others a comment leaves it out: PRECISION=//
// param PRECISION = precision = ieee
// What f is: plain, leaky_relu or gelu. What it is taken of: %sums leaves out the bias.
// param EPILOGUE = leaky_relu
// param OF = %shifted
// param SLOPE = 0.01

!a = tensor<${BM}x${BK}x${T}>
!b = tensor<${BK}x${BN}x${T}>
!sums = tensor<${BM}x${BN}x${C}>
!c = tensor<${BM}x${BN}x${T}>
!matrix = !fsm.descriptor<2 x ${T}>

// Where a tile begins: down groups of GROUP rows of tiles, so that programs that run at the
// same time share rows of a and columns of b in the cache.
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

func.func private @plain(%x: !sums) -> !sums {
  func.return %x : !sums
}

func.func private @leaky_relu(%x: !sums) -> !sums {
  %zeros = arith.constant dense<0.0> : !sums
  %slopes = arith.constant dense<${SLOPE}> : !sums
  %scaled = arith.mulf %x, %slopes : !sums
  %below = arith.cmpf olt, %x, %zeros : !sums
  %y = arith.select %below, %scaled, %x : tensor<${BM}x${BN}xi1>, !sums
  func.return %y : !sums
}

// x / 2 * (1 + erf(x / sqrt 2))
func.func private @gelu(%x: !sums) -> !sums {
  %root = arith.constant dense<0.70710678118654752> : !sums
  %half = arith.constant dense<0.5> : !sums
  %scaled = arith.mulf %x, %root : !sums
  %erf = math.erf %scaled : !sums
  %halves = arith.mulf %x, %half : !sums
  %part = arith.mulf %halves, %erf : !sums
  %y = arith.addf %halves, %part : !sums
  func.return %y : !sums
}

// The sums of products of a tile of BM x BN, along the inner dimension in steps of BK.
func.func private @product(%a: !matrix, %b: !matrix, %row: i32, %column: i32, %k: i32) -> !sums {
  %none = arith.constant 0 : i32
  %step = arith.constant ${BK} : i32
  %zeros = arith.constant dense<0.0> : !sums
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!sums) : i32 {
    %x = fsm.load_tile %a[%row, %i] : !matrix -> !a
    %y = fsm.load_tile %b[%i, %column] : !matrix -> !b
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : !a, !b -> !sums
    scf.yield %next : !sums
  } {fsm.num_stages = ${STAGES} : i32}
  func.return %sums : !sums
}

fsm.kernel @matmul(%c: !fsm.ptr<${T}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %bias: !fsm.ptr<${C}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %in_a = fsm.descriptor %a sizes [%m, %k] strides [%a_stride, 1] : !fsm.ptr<${T}> -> !matrix
  %in_b = fsm.descriptor %b sizes [%k, %n] strides [%b_stride, 1] : !fsm.ptr<${T}> -> !matrix
  %in_c = fsm.descriptor %c sizes [%m, %n] strides [%c_stride, 1] : !fsm.ptr<${T}> -> !matrix
  %in_bias = fsm.descriptor %bias sizes [%n] strides [1] : !fsm.ptr<${C}> -> !fsm.descriptor<1 x ${C}>
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %down = arith.ceildivsi %m, %bm : i32
  %across = arith.ceildivsi %n, %bn : i32
  %tiles = arith.muli %down, %across overflow<nsw> : i32
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  scf.for %tile = %first to %tiles step %step : i32 {
    %row, %column = func.call @place(%tile, %down, %across) : (i32, i32, i32) -> (i32, i32)
    %sums = func.call @product(%in_a, %in_b, %row, %column, %k) : (!matrix, !matrix, i32, i32, i32) -> !sums
    %line = fsm.load_tile %in_bias[%column] : !fsm.descriptor<1 x ${C}> -> tensor<${BN}x${C}>
    %lines = fsm.broadcast %line dims [1] : tensor<${BN}x${C}> -> !sums
    %shifted = arith.addf %sums, %lines : !sums
    %bent = func.call @${EPILOGUE}(${OF}) : (!sums) -> !sums
    %result = ${NARROW} %bent : !sums to !c
    fsm.store_tile %result, %in_c[%row, %column] : !c, !matrix
  }
  fsm.return
}
