// Causal attention with an online softmax (Dao et al., "FlashAttention", 2022): query q sees the keys 0 to q. Each program has
// BQ queries of one head and goes along the keys, BK at a time; what it has summed up is scaled anew whenever a greater score
// comes. Arrays are heads x length x DEPTH. Grid: blocks of queries, heads.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=attention
//
// param BQ = 16
// param BK = 32
// param DEPTH = 32
// param SCALE = 0.17677669
// param T = f32
// param PRECISION = precision = ieee
// param NARROW = arith.bitcast

!scores = tensor<${BQ}x${BK}xf32>
!keys = tensor<${BK}x${DEPTH}x${T}>
!sums = tensor<${BQ}x${DEPTH}xf32>
!rows = tensor<${BQ}xf32>

func.func private @spread(%x: !rows) -> !scores {
  %1 = fsm.expand_dims %x axis 1 : !rows -> tensor<${BQ}x1xf32>
  %2 = fsm.broadcast %1 : tensor<${BQ}x1xf32> -> !scores
  func.return %2 : !scores
}

func.func private @spread_wide(%x: !rows) -> !sums {
  %1 = fsm.expand_dims %x axis 1 : !rows -> tensor<${BQ}x1xf32>
  %2 = fsm.broadcast %1 : tensor<${BQ}x1xf32> -> !sums
  func.return %2 : !sums
}

fsm.kernel @attention(%out: !fsm.ptr<${T}>, %q: !fsm.ptr<${T}>, %k: !fsm.ptr<${T}>, %v: !fsm.ptr<${T}>, %length: i32) {
  %block = fsm.program_id x : i32
  %head = fsm.program_id y : i32
  %bq = arith.constant ${BQ} : i32
  %bk = arith.constant ${BK} : i32
  %depth = arith.constant ${DEPTH} : i32
  %none = arith.constant 0 : i32
  %first = arith.muli %block, %bq overflow<nsw> : i32
  %size = arith.muli %length, %depth overflow<nsw> : i32
  %begin = arith.muli %head, %size overflow<nsw> : i32
  %q_head = fsm.offset %q, %begin : !fsm.ptr<${T}>, i32
  %k_head = fsm.offset %k, %begin : !fsm.ptr<${T}>, i32
  %v_head = fsm.offset %v, %begin : !fsm.ptr<${T}>, i32
  %o_head = fsm.offset %out, %begin : !fsm.ptr<${T}>, i32

  %rq = fsm.range 0, ${BQ} : tensor<${BQ}xi32>
  %firsts = fsm.splat %first : tensor<${BQ}xi32>
  %query = arith.addi %rq, %firsts overflow<nsw> : tensor<${BQ}xi32>
  %query1 = fsm.expand_dims %query axis 1 : tensor<${BQ}xi32> -> tensor<${BQ}x1xi32>
  %d = fsm.range 0, ${DEPTH} : tensor<${DEPTH}xi32>
  %d1 = fsm.expand_dims %d axis 0 : tensor<${DEPTH}xi32> -> tensor<1x${DEPTH}xi32>
  %q_strides = arith.constant dense<${DEPTH}> : tensor<${BQ}x1xi32>
  %q_rows1 = arith.muli %query1, %q_strides overflow<nsw> : tensor<${BQ}x1xi32>
  %q_rows = fsm.broadcast %q_rows1 : tensor<${BQ}x1xi32> -> tensor<${BQ}x${DEPTH}xi32>
  %q_columns = fsm.broadcast %d1 : tensor<1x${DEPTH}xi32> -> tensor<${BQ}x${DEPTH}xi32>
  %q_offs = arith.addi %q_rows, %q_columns overflow<nsw> : tensor<${BQ}x${DEPTH}xi32>
  %q_limit = fsm.splat %length : tensor<${BQ}x1xi32>
  %is_query1 = arith.cmpi slt, %query1, %q_limit : tensor<${BQ}x1xi32>
  %is_query = fsm.broadcast %is_query1 : tensor<${BQ}x1xi1> -> tensor<${BQ}x${DEPTH}xi1>
  %queries = fsm.load %q_head[%q_offs], %is_query : !fsm.ptr<${T}>, tensor<${BQ}x${DEPTH}xi32> -> tensor<${BQ}x${DEPTH}x${T}>

  %rk = fsm.range 0, ${BK} : tensor<${BK}xi32>
  %rk1 = fsm.expand_dims %rk axis 1 : tensor<${BK}xi32> -> tensor<${BK}x1xi32>
  %k_strides = arith.constant dense<${DEPTH}> : tensor<${BK}x1xi32>
  %k_rows1 = arith.muli %rk1, %k_strides overflow<nsw> : tensor<${BK}x1xi32>
  %k_rows = fsm.broadcast %k_rows1 : tensor<${BK}x1xi32> -> tensor<${BK}x${DEPTH}xi32>
  %k_columns = fsm.broadcast %d1 : tensor<1x${DEPTH}xi32> -> tensor<${BK}x${DEPTH}xi32>
  %k_offs = arith.addi %k_rows, %k_columns overflow<nsw> : tensor<${BK}x${DEPTH}xi32>
  %query2 = fsm.broadcast %query1 : tensor<${BQ}x1xi32> -> tensor<${BQ}x${BK}xi32>
  %rk0 = fsm.expand_dims %rk axis 0 : tensor<${BK}xi32> -> tensor<1x${BK}xi32>
  %key_place = fsm.broadcast %rk0 : tensor<1x${BK}xi32> -> tensor<${BQ}x${BK}xi32>

  %low = arith.constant dense<0xFF800000> : !scores
  %lowest = arith.constant dense<0xFF800000> : !rows
  %nothing = arith.constant dense<0.0> : !rows
  %no_sums = arith.constant dense<0.0> : !sums
  %no_scores = arith.constant dense<0.0> : !scores
  %scale = arith.constant dense<${SCALE}> : !scores
  %past = arith.addi %first, %bq overflow<nsw> : i32
  %end = arith.minsi %past, %length : i32
  %most, %weight, %sums = scf.for %at = %none to %end step %bk iter_args(%m = %lowest, %l = %nothing, %acc = %no_sums) -> (!rows, !rows, !sums) : i32 {
    %left = arith.subi %length, %at overflow<nsw> : i32
    %lefts = fsm.splat %left : tensor<${BK}x1xi32>
    %is_key1 = arith.cmpi slt, %rk1, %lefts : tensor<${BK}x1xi32>
    %is_key = fsm.broadcast %is_key1 : tensor<${BK}x1xi1> -> tensor<${BK}x${DEPTH}xi1>
    %moved = arith.muli %at, %depth overflow<nsw> : i32
    %pk = fsm.offset %k_head, %moved : !fsm.ptr<${T}>, i32
    %keys = fsm.load %pk[%k_offs], %is_key : !fsm.ptr<${T}>, tensor<${BK}x${DEPTH}xi32> -> !keys
    %pv = fsm.offset %v_head, %moved : !fsm.ptr<${T}>, i32
    %values = fsm.load %pv[%k_offs], %is_key : !fsm.ptr<${T}>, tensor<${BK}x${DEPTH}xi32> -> !keys

    %turned = fsm.transpose %keys order [1, 0] : !keys -> tensor<${DEPTH}x${BK}x${T}>
    %products = fsm.dot %queries, %turned, %no_scores ${PRECISION}
      : tensor<${BQ}x${DEPTH}x${T}>, tensor<${DEPTH}x${BK}x${T}> -> !scores
    %scaled = arith.mulf %products, %scale : !scores
    %ats = fsm.splat %at : tensor<${BQ}x${BK}xi32>
    %key = arith.addi %key_place, %ats overflow<nsw> : tensor<${BQ}x${BK}xi32>
    %seen = arith.cmpi sle, %key, %query2 : tensor<${BQ}x${BK}xi32>
    %scores = arith.select %seen, %scaled, %low : tensor<${BQ}x${BK}xi1>, !scores

    // The first block has a key for each query, so that the maximum is a number from then on.
    %most_here = fsm.reduce <max> %scores axis 1 : !scores -> !rows
    %m1 = arith.maximumf %m, %most_here : !rows
    %fall = arith.subf %m, %m1 : !rows
    %factor = math.exp %fall : !rows
    %m2 = func.call @spread(%m1) : (!rows) -> !scores
    %shifted = arith.subf %scores, %m2 : !scores
    %p = math.exp %shifted : !scores
    %sum_here = fsm.reduce <sum> %p axis 1 : !scores -> !rows
    %l0 = arith.mulf %l, %factor : !rows
    %l1 = arith.addf %l0, %sum_here : !rows
    %factors = func.call @spread_wide(%factor) : (!rows) -> !sums
    %acc0 = arith.mulf %acc, %factors : !sums
    %p1 = ${NARROW} %p : !scores to tensor<${BQ}x${BK}x${T}>
    %acc1 = fsm.dot %p1, %values, %acc0 ${PRECISION}
      : tensor<${BQ}x${BK}x${T}>, !keys -> !sums
    scf.yield %m1, %l1, %acc1 : !rows, !rows, !sums
  }
  %weights = func.call @spread_wide(%weight) : (!rows) -> !sums
  %attended = arith.divf %sums, %weights : !sums
  %result = ${NARROW} %attended : !sums to tensor<${BQ}x${DEPTH}x${T}>
  fsm.store %result, %o_head[%q_offs], %is_query : tensor<${BQ}x${DEPTH}x${T}>, !fsm.ptr<${T}>, tensor<${BQ}x${DEPTH}xi32>
  fsm.return
}
