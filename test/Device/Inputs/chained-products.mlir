// Products whose first factor is made of others' sums, as attention has them; product_loops.py has the answers. The rows of b are
// a's partners, and behind them come as many that the first product chooses from.
//
// param T = f16
// param S = f32
// param BM = 32
// param BN = 32
// param BK = 16
// param STAGES = 3

!q = tensor<${BM}x${BN}x${T}>
!kv = tensor<${BK}x${BN}x${T}>
!kt = tensor<${BN}x${BK}x${T}>
!p = tensor<${BM}x${BK}x${S}>
!ph = tensor<${BM}x${BK}x${T}>
!c = tensor<${BM}x${BN}x${S}>
!ci = tensor<${BM}x${BN}xi32>
!xi = tensor<${BM}x${BK}xi32>
!kvi = tensor<${BK}x${BN}xi32>

// c = (a transpose(b)) d, where d has the rows behind b's.
fsm.kernel @chained(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %rows = arith.addi %k, %k overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : !c
  %nothing = arith.constant dense<0.0> : !p
  %a_at, %a_in = fsm.places origin [%row, %none] strides [%a_stride, 1] bounds [%m, %n] : !ci
  %q = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ci -> !q
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!c) : i32 {
    %b_at, %b_in = fsm.places origin [%i, %none] strides [%b_stride, 1] bounds [%k, %n] : !kvi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !kvi -> !kv
    %yt = fsm.transpose %y order [1, 0] : !kv -> !kt
    %p = fsm.dot %q, %yt, %nothing : !q, !kt -> !p
    %ph = arith.truncf %p : !p to !ph
    %behind = arith.addi %i, %k overflow<nsw> : i32
    %d_at, %d_in = fsm.places origin [%behind, %none] strides [%b_stride, 1] bounds [%rows, %n] : !kvi
    %z = fsm.load %b[%d_at], %d_in : !fsm.ptr<${T}>, !kvi -> !kv
    %next = fsm.dot %ph, %z, %sum : !ph, !kv -> !c
    scf.yield %next : !c
  } {fsm.num_stages = ${STAGES} : i32}
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}

// c = (a transpose(b)) b: one block is a factor twice, and the sums of both products are carried.
fsm.kernel @chained_same(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : !c
  %nothing = arith.constant dense<0.0> : !p
  %a_at, %a_in = fsm.places origin [%row, %none] strides [%a_stride, 1] bounds [%m, %n] : !ci
  %q = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ci -> !q
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!c) : i32 {
    %b_at, %b_in = fsm.places origin [%i, %none] strides [%b_stride, 1] bounds [%k, %n] : !kvi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !kvi -> !kv
    %yt = fsm.transpose %y order [1, 0] : !kv -> !kt
    %p = fsm.dot %q, %yt, %nothing : !q, !kt -> !p
    %ph = arith.truncf %p : !p to !ph
    %next = fsm.dot %ph, %y, %sum : !ph, !kv -> !c
    scf.yield %next : !c
  } {fsm.num_stages = ${STAGES} : i32}
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}

// c = (a transpose(b)) d + (a transpose(d)) b: two loops, of which the second may have the first one's slots.
fsm.kernel @chained_loops(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %rows = arith.addi %k, %k overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : !c
  %nothing = arith.constant dense<0.0> : !p
  %a_at, %a_in = fsm.places origin [%row, %none] strides [%a_stride, 1] bounds [%m, %n] : !ci
  %q = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ci -> !q
  %first = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!c) : i32 {
    %b_at, %b_in = fsm.places origin [%i, %none] strides [%b_stride, 1] bounds [%k, %n] : !kvi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !kvi -> !kv
    %yt = fsm.transpose %y order [1, 0] : !kv -> !kt
    %p = fsm.dot %q, %yt, %nothing : !q, !kt -> !p
    %ph = arith.truncf %p : !p to !ph
    %behind = arith.addi %i, %k overflow<nsw> : i32
    %d_at, %d_in = fsm.places origin [%behind, %none] strides [%b_stride, 1] bounds [%rows, %n] : !kvi
    %z = fsm.load %b[%d_at], %d_in : !fsm.ptr<${T}>, !kvi -> !kv
    %next = fsm.dot %ph, %z, %sum : !ph, !kv -> !c
    scf.yield %next : !c
  } {fsm.num_stages = ${STAGES} : i32}
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %first) -> (!c) : i32 {
    %behind = arith.addi %i, %k overflow<nsw> : i32
    %d_at, %d_in = fsm.places origin [%behind, %none] strides [%b_stride, 1] bounds [%rows, %n] : !kvi
    %z = fsm.load %b[%d_at], %d_in : !fsm.ptr<${T}>, !kvi -> !kv
    %zt = fsm.transpose %z order [1, 0] : !kv -> !kt
    %p = fsm.dot %q, %zt, %nothing : !q, !kt -> !p
    %ph = arith.truncf %p : !p to !ph
    %b_at, %b_in = fsm.places origin [%i, %none] strides [%b_stride, 1] bounds [%k, %n] : !kvi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !kvi -> !kv
    %next = fsm.dot %ph, %y, %sum : !ph, !kv -> !c
    scf.yield %next : !c
  } {fsm.num_stages = ${STAGES} : i32}
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}

// The same in one loop, each product beside the one before that threads hold a factor of.
fsm.kernel @chained_beside(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %rows = arith.addi %k, %k overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : !c
  %nothing = arith.constant dense<0.0> : !p
  %a_at, %a_in = fsm.places origin [%row, %none] strides [%a_stride, 1] bounds [%m, %n] : !ci
  %q = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ci -> !q
  %us, %vs = scf.for %i = %none to %k step %step iter_args(%u = %zeros, %v = %zeros) -> (!c, !c) : i32 {
    %b_at, %b_in = fsm.places origin [%i, %none] strides [%b_stride, 1] bounds [%k, %n] : !kvi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !kvi -> !kv
    %behind = arith.addi %i, %k overflow<nsw> : i32
    %d_at, %d_in = fsm.places origin [%behind, %none] strides [%b_stride, 1] bounds [%rows, %n] : !kvi
    %z = fsm.load %b[%d_at], %d_in : !fsm.ptr<${T}>, !kvi -> !kv
    %yt = fsm.transpose %y order [1, 0] : !kv -> !kt
    %p = fsm.dot %q, %yt, %nothing : !q, !kt -> !p
    %ph = arith.truncf %p : !p to !ph
    %u_next = fsm.dot %ph, %z, %u : !ph, !kv -> !c
    %zt = fsm.transpose %z order [1, 0] : !kv -> !kt
    %r = fsm.dot %q, %zt, %nothing : !q, !kt -> !p
    %rh = arith.truncf %r : !p to !ph
    %v_next = fsm.dot %rh, %y, %v : !ph, !kv -> !c
    scf.yield %u_next, %v_next : !c, !c
  } {fsm.num_stages = ${STAGES} : i32}
  %sums = arith.addf %us, %vs : !c
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}

// c = (a transpose(b)) d of the last step, less that of the one before, and so on: what is carried is negated in each.
fsm.kernel @chained_negated(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %rows = arith.addi %k, %k overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : !c
  %nothing = arith.constant dense<0.0> : !p
  %a_at, %a_in = fsm.places origin [%row, %none] strides [%a_stride, 1] bounds [%m, %n] : !ci
  %q = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ci -> !q
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (!c) : i32 {
    %b_at, %b_in = fsm.places origin [%i, %none] strides [%b_stride, 1] bounds [%k, %n] : !kvi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !kvi -> !kv
    %yt = fsm.transpose %y order [1, 0] : !kv -> !kt
    %p = fsm.dot %q, %yt, %nothing : !q, !kt -> !p
    %ph = arith.truncf %p : !p to !ph
    %less = arith.negf %sum : !c
    %behind = arith.addi %i, %k overflow<nsw> : i32
    %d_at, %d_in = fsm.places origin [%behind, %none] strides [%b_stride, 1] bounds [%rows, %n] : !kvi
    %z = fsm.load %b[%d_at], %d_in : !fsm.ptr<${T}>, !kvi -> !kv
    %next = fsm.dot %ph, %z, %less : !ph, !kv -> !c
    scf.yield %next : !c
  } {fsm.num_stages = ${STAGES} : i32}
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}

// c = (a transpose(b)) d, and what that is in front of each step: sums are looked at before the first product of a step.
fsm.kernel @chained_watched(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %rows = arith.addi %k, %k overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : !c
  %nothing = arith.constant dense<0.0> : !p
  %a_at, %a_in = fsm.places origin [%row, %none] strides [%a_stride, 1] bounds [%m, %n] : !ci
  %q = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ci -> !q
  %last, %others = scf.for %i = %none to %k step %step iter_args(%sum = %zeros, %seen = %zeros) -> (!c, !c) : i32 {
    %more = arith.addf %seen, %sum : !c
    %b_at, %b_in = fsm.places origin [%i, %none] strides [%b_stride, 1] bounds [%k, %n] : !kvi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !kvi -> !kv
    %yt = fsm.transpose %y order [1, 0] : !kv -> !kt
    %p = fsm.dot %q, %yt, %nothing : !q, !kt -> !p
    %ph = arith.truncf %p : !p to !ph
    %behind = arith.addi %i, %k overflow<nsw> : i32
    %d_at, %d_in = fsm.places origin [%behind, %none] strides [%b_stride, 1] bounds [%rows, %n] : !kvi
    %z = fsm.load %b[%d_at], %d_in : !fsm.ptr<${T}>, !kvi -> !kv
    %next = fsm.dot %ph, %z, %sum : !ph, !kv -> !c
    scf.yield %next, %more : !c, !c
  } {fsm.num_stages = ${STAGES} : i32}
  %sums = arith.addf %last, %others : !c
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}

// c = 2 a d, and what each row of a transpose(b) has in all: the second product's first factor is none of the first one's sums.
fsm.kernel @chained_apart(%c: !fsm.ptr<${S}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32, %c_stride: i32, %a_stride: i32, %b_stride: i32) {
  %none = arith.constant 0 : i32
  %bm = arith.constant ${BM} : i32
  %step = arith.constant ${BK} : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %bm overflow<nsw> : i32
  %rows = arith.addi %k, %k overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : !c
  %nothing = arith.constant dense<0.0> : !p
  %a_at, %a_in = fsm.places origin [%row, %none] strides [%a_stride, 1] bounds [%m, %n] : !ci
  %q = fsm.load %a[%a_at], %a_in : !fsm.ptr<${T}>, !ci -> !q
  %last, %others = scf.for %i = %none to %k step %step iter_args(%sum = %zeros, %seen = %nothing) -> (!c, !p) : i32 {
    %x_at, %x_in = fsm.places origin [%row, %i] strides [%a_stride, 1] bounds [%m, %n] : !xi
    %x = fsm.load %a[%x_at], %x_in : !fsm.ptr<${T}>, !xi -> !ph
    %twice = arith.addf %x, %x : !ph
    %b_at, %b_in = fsm.places origin [%i, %none] strides [%b_stride, 1] bounds [%k, %n] : !kvi
    %y = fsm.load %b[%b_at], %b_in : !fsm.ptr<${T}>, !kvi -> !kv
    %yt = fsm.transpose %y order [1, 0] : !kv -> !kt
    %p = fsm.dot %q, %yt, %nothing : !q, !kt -> !p
    %more = arith.addf %seen, %p : !p
    %behind = arith.addi %i, %k overflow<nsw> : i32
    %d_at, %d_in = fsm.places origin [%behind, %none] strides [%b_stride, 1] bounds [%rows, %n] : !kvi
    %z = fsm.load %b[%d_at], %d_in : !fsm.ptr<${T}>, !kvi -> !kv
    %next = fsm.dot %twice, %z, %sum : !ph, !kv -> !c
    scf.yield %next, %more : !c, !p
  } {fsm.num_stages = ${STAGES} : i32}
  %whole = fsm.reduce <sum> %others axis 1 : !p -> tensor<${BM}x${S}>
  %column = fsm.expand_dims %whole axis 1 : tensor<${BM}x${S}> -> tensor<${BM}x1x${S}>
  %columns = fsm.broadcast %column : tensor<${BM}x1x${S}> -> !c
  %sums = arith.addf %last, %columns : !c
  %c_at, %c_in = fsm.places origin [%row, %none] strides [%c_stride, 1] bounds [%m, %n] : !ci
  fsm.store %sums, %c[%c_at], %c_in : !c, !fsm.ptr<${S}>, !ci
  fsm.return
}
