// A list of matrix products of different sizes by one launch, as a mixture of experts has
// them: c = a b for each. The matrices are in three arrays; numbers in memory say where in
// them each product has its c, a and b (`begins`), and how large these are (`sizes`: m, n
// and k). Programs go from tile to tile through all products, as if they were one. What is
// in memory no launch knows: that rows of 16-bit elements begin at multiples of 16 bytes,
// so that the hardware copies tiles, is to be said by MULTIPLE = 8. Grid: any number of
// programs.
//
// RUN: %python %S/../test/Examples/check.py --fsm-run=%fsm_run %s
//
// param BM = 64 in 16, 64, 128, 256
// param BN = 64 in 64, 128, 256
// param BK = 32 in 32, 64, 128
// param STAGES = 3 in 2, 3, 4, 6
// param GROUP = 8
// What n, k and each begin are multiples of.
// param MULTIPLE = 1
// Element types of a and b, of the sums, and of c; sums of f32 are rounded to f16 by arith.truncf:
// param T = f32
// param C = f32
// param O = f32
// param NARROW = arith.bitcast
// Only f32 operands have a precision; for others a comment leaves it out: PRECISION=//
// param PRECISION = precision = ieee

!a = tensor<${BM}x${BK}x${T}>
!b = tensor<${BK}x${BN}x${T}>
!sums = tensor<${BM}x${BN}x${C}>
!c = tensor<${BM}x${BN}x${O}>
!factor = !fsm.descriptor<2 x ${T}>
!product = !fsm.descriptor<2 x ${O}>

// Three numbers of a list of i32 or i64.
func.func private @sizes(%list: !fsm.ptr<i32>, %first: i32) -> (i32, i32, i32) {
  %one = arith.constant 1 : i32
  %p = fsm.offset %list, %first : !fsm.ptr<i32>, i32
  %q = fsm.offset %p, %one : !fsm.ptr<i32>, i32
  %r = fsm.offset %q, %one : !fsm.ptr<i32>, i32
  %m = fsm.load %p : !fsm.ptr<i32> -> i32
  %n = fsm.load %q : !fsm.ptr<i32> -> i32
  %k = fsm.load %r : !fsm.ptr<i32> -> i32
  %columns = fsm.hint %n {multiple_of = array<i64: ${MULTIPLE}>} : i32
  %inner = fsm.hint %k {multiple_of = array<i64: ${MULTIPLE}>} : i32
  func.return %m, %columns, %inner : i32, i32, i32
}

func.func private @begins(%list: !fsm.ptr<i64>, %first: i32) -> (i64, i64, i64) {
  %one = arith.constant 1 : i32
  %p = fsm.offset %list, %first : !fsm.ptr<i64>, i32
  %q = fsm.offset %p, %one : !fsm.ptr<i64>, i32
  %r = fsm.offset %q, %one : !fsm.ptr<i64>, i32
  %c = fsm.load %p : !fsm.ptr<i64> -> i64
  %a = fsm.load %q : !fsm.ptr<i64> -> i64
  %b = fsm.load %r : !fsm.ptr<i64> -> i64
  %c_at = fsm.hint %c {multiple_of = array<i64: ${MULTIPLE}>} : i64
  %a_at = fsm.hint %a {multiple_of = array<i64: ${MULTIPLE}>} : i64
  %b_at = fsm.hint %b {multiple_of = array<i64: ${MULTIPLE}>} : i64
  func.return %c_at, %a_at, %b_at : i64, i64, i64
}

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

// The tile of c that begins there.
func.func private @tile(%c: !product, %a: !factor, %b: !factor, %row: i32, %column: i32, %k: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant ${BK} : i32
  %zeros = arith.constant dense<0.0> : !sums
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!sums) : i32 {
    %x = fsm.load_tile %a[%row, %i] : !factor -> !a
    %y = fsm.load_tile %b[%i, %column] : !factor -> !b
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : !a, !b -> !sums
    scf.yield %next : !sums
  } {fsm.num_stages = ${STAGES} : i32}
  %result = ${NARROW} %sums : !sums to !c
  fsm.store_tile %result, %c[%row, %column] : !c, !product
  func.return
}

fsm.kernel @matmul(%cs: !fsm.ptr<${O}>, %as: !fsm.ptr<${T}>, %bs: !fsm.ptr<${T}>, %begins: !fsm.ptr<i64>, %sizes: !fsm.ptr<i32>, %count: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %bm = arith.constant ${BM} : i32
  %bn = arith.constant ${BN} : i32
  %program = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  // Tiles have numbers through all products: the next one of this program, and the product's first.
  %last:2 = scf.for %i = %none to %count step %one iter_args(%next = %program, %first = %none) -> (i32, i32) : i32 {
    %at = arith.muli %i, %three overflow<nsw> : i32
    %m, %n, %k = func.call @sizes(%sizes, %at) : (!fsm.ptr<i32>, i32) -> (i32, i32, i32)
    %c_at, %a_at, %b_at = func.call @begins(%begins, %at) : (!fsm.ptr<i64>, i32) -> (i64, i64, i64)
    %c = fsm.offset %cs, %c_at : !fsm.ptr<${O}>, i64
    %a = fsm.offset %as, %a_at : !fsm.ptr<${T}>, i64
    %b = fsm.offset %bs, %b_at : !fsm.ptr<${T}>, i64
    %in_c = fsm.descriptor %c sizes [%m, %n] strides [%n, 1] : !fsm.ptr<${O}> -> !product
    %in_a = fsm.descriptor %a sizes [%m, %k] strides [%k, 1] : !fsm.ptr<${T}> -> !factor
    %in_b = fsm.descriptor %b sizes [%k, %n] strides [%n, 1] : !fsm.ptr<${T}> -> !factor
    %down = arith.ceildivsi %m, %bm : i32
    %across = arith.ceildivsi %n, %bn : i32
    %tiles = arith.muli %down, %across overflow<nsw> : i32
    %end = arith.addi %first, %tiles overflow<nsw> : i32
    %after = scf.for %tile = %next to %end step %step iter_args(%here = %next) -> (i32) : i32 {
      %number = arith.subi %tile, %first overflow<nsw> : i32
      %row, %column = func.call @place(%number, %down, %across) : (i32, i32, i32) -> (i32, i32)
      func.call @tile(%in_c, %in_a, %in_b, %row, %column, %k) : (!product, !factor, !factor, i32, i32, i32) -> ()
      %then = arith.addi %tile, %step overflow<nsw> : i32
      scf.yield %then : i32
    }
    scf.yield %after, %end : i32, i32
  }
  fsm.return
}
