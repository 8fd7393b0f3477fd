// Loops of products whose factors run ahead; product_loops.py has the answers. A factor's tile comes along its rows, or is
// loaded with rows for columns and transposed.
//
// param T = f16
// param S = f32
// param ZERO = 0.0
// param ADD = arith.addf
// param PRECISION = //
// param BM = 32
// param BN = 32
// param BK = 16
// param STAGES = 3
// The strides along rows and columns of a and b, of which one is 1.
// param AS = %a_stride, 1
// param BS = %b_stride, 1
// For elements of T:
// param TZERO = 0.0
// param TADD = arith.addf

!a = tensor<${BM}x${BK}x${T}>
!at = tensor<${BK}x${BM}x${T}>
!b = tensor<${BK}x${BN}x${T}>
!c = tensor<${BM}x${BN}x${S}>
!ai = tensor<${BM}x${BK}xi32>
!ati = tensor<${BK}x${BM}xi32>
!bi = tensor<${BK}x${BN}xi32>
!ci = tensor<${BM}x${BN}xi32>

// c = a b
fsm.kernel @plain(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %zeros = arith.constant dense<${ZERO}> : !c
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!c) : i32 {
    %a_at, %a_in = fsm.places origin [%row, %i] strides [${AS}] bounds [%m, %k] : !ai
    %x = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ai -> !a
    %b_at, %b_in = fsm.places origin [%i, %none] strides [${BS}] bounds [%k, %n] : !bi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !bi -> !b
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : !a, !b -> !c
    scf.yield %next : !c
  } {fsm.num_stages = ${STAGES} : i32}
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}

// The same of an a that is in memory with rows for columns, and is transposed behind its load.
fsm.kernel @transposed(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %zeros = arith.constant dense<${ZERO}> : !c
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!c) : i32 {
    %a_at, %a_in = fsm.places origin [%i, %row] strides [%a_stride, 1] bounds [%k, %m] : !ati
    %x = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ati -> !at
    %xt = fsm.transpose %x order [1, 0] : !at -> !a
    %b_at, %b_in = fsm.places origin [%i, %none] strides [${BS}] bounds [%k, %n] : !bi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !bi -> !b
    %next = fsm.dot %xt, %y, %sum ${PRECISION}
      : !a, !b -> !c
    scf.yield %next : !c
  } {fsm.num_stages = ${STAGES} : i32}
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}

// c = a b + a b', where b' lies behind the first k rows of b.
fsm.kernel @two(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %rows = arith.addi %k, %k overflow<nsw> : i32
  %zeros = arith.constant dense<${ZERO}> : !c
  %one, %other = scf.for %i = %none to %k step %step iter_args(%sum = %zeros, %more = %zeros) -> (!c, !c) : i32 {
    %a_at, %a_in = fsm.places origin [%row, %i] strides [${AS}] bounds [%m, %k] : !ai
    %x = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ai -> !a
    %b_at, %b_in = fsm.places origin [%i, %none] strides [%b_stride, 1] bounds [%k, %n] : !bi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !bi -> !b
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : !a, !b -> !c
    %behind = arith.addi %i, %k overflow<nsw> : i32
    %d_at, %d_in = fsm.places origin [%behind, %none] strides [%b_stride, 1] bounds [%rows, %n] : !bi
    %z = fsm.load %b[%d_at], %d_in : !fsm.ptr<${T}>, !bi -> !b
    %then = fsm.dot %x, %z, %more ${PRECISION}
      : !a, !b -> !c
    scf.yield %next, %then : !c, !c
  } {fsm.num_stages = ${STAGES} : i32}
  %sums = ${ADD} %one, %other : !c
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}

// c = a b, and d is the sum of a's tiles: a is used by more than a product.
fsm.kernel @elsewhere(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32, %d: !fsm.ptr<${T}>) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %width = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %zeros = arith.constant dense<${ZERO}> : !c
  %nothing = arith.constant dense<${TZERO}> : !a
  %sums, %seen = scf.for %i = %none to %k step %step iter_args(%sum = %zeros, %tiles = %nothing) -> (!c, !a) : i32 {
    %a_at, %a_in = fsm.places origin [%row, %i] strides [${AS}] bounds [%m, %k] : !ai
    %x = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ai -> !a
    %b_at, %b_in = fsm.places origin [%i, %none] strides [${BS}] bounds [%k, %n] : !bi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !bi -> !b
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : !a, !b -> !c
    %now = ${TADD} %tiles, %x : !a
    scf.yield %next, %now : !c, !a
  } {fsm.num_stages = ${STAGES} : i32}
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  %d_at, %d_in = fsm.places origin [%row, %none] strides [%width, 1] bounds [%m, %width] : !ai
  fsm.store %seen, %d[%d_at], %d_in : !a, !fsm.ptr<${T}>, !ai
  fsm.return
}

// Two products at once: a, b and c have the rows of a second one behind those of the first.
!a2 = tensor<2x${BM}x${BK}x${T}>
!b2 = tensor<2x${BK}x${BN}x${T}>
!c2 = tensor<2x${BM}x${BN}x${S}>
!ai2 = tensor<2x${BM}x${BK}xi32>
!bi2 = tensor<2x${BK}x${BN}xi32>
!ci2 = tensor<2x${BM}x${BN}xi32>
fsm.kernel @batches(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %a_batch = arith.muli %m, %a_stride overflow<nsw> : i32
  %b_batch = arith.muli %k, %b_stride overflow<nsw> : i32
  %c_batch = arith.muli %m, %c_stride overflow<nsw> : i32
  %zeros = arith.constant dense<${ZERO}> : !c2
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!c2) : i32 {
    %a_at, %a_in = fsm.places origin [%none, %row, %i] strides [%a_batch, %a_stride, 1] bounds [%two, %m, %k] : !ai2
    %x = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ai2 -> !a2
    %b_at, %b_in = fsm.places origin [%none, %i, %none] strides [%b_batch, %b_stride, 1] bounds [%two, %k, %n] : !bi2
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !bi2 -> !b2
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : !a2, !b2 -> !c2
    scf.yield %next : !c2
  } {fsm.num_stages = ${STAGES} : i32}
  %c_at, %c_in = fsm.places origin [%none, %row, %none] strides [%c_batch, %c_stride, 1] bounds [%two, %m, %n] : !ci2
  fsm.store %sums, %c[%c_at], %c_in : !c2, !fsm.ptr<${S}>, !ci2
  fsm.return
}

// c = a b, and what there was of that behind each iteration.
fsm.kernel @watched(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %zeros = arith.constant dense<${ZERO}> : !c
  %sums, %all = scf.for %i = %none to %k step %step iter_args(%sum = %zeros, %seen = %zeros) -> (!c, !c) : i32 {
    %a_at, %a_in = fsm.places origin [%row, %i] strides [${AS}] bounds [%m, %k] : !ai
    %x = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ai -> !a
    %b_at, %b_in = fsm.places origin [%i, %none] strides [${BS}] bounds [%k, %n] : !bi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !bi -> !b
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : !a, !b -> !c
    %now = ${ADD} %seen, %next : !c
    scf.yield %next, %now : !c, !c
  } {fsm.num_stages = ${STAGES} : i32}
  %both = ${ADD} %sums, %all : !c
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %both, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}
