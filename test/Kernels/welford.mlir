// Mean and variance of rows in one pass, by Welford's method: each lane keeps the count, the mean and the sum of squared
// differences of the numbers that it has seen, a block of BLOCK columns at a time, and a reduction of triples joins the lanes
// (Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979). Grid: rows.
//
// RUN: %python %S/kernels.py %fsm_run --devices=interp,cpu,sim --only=welford
//
// param BLOCK = 128
// param STAGES = 2

!vec = tensor<${BLOCK}xf32>
!ids = tensor<${BLOCK}xi32>

fsm.kernel @welford(%means: !fsm.ptr<f32>, %variances: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %cols: i32) {
  %row = fsm.program_id x : i32
  %first = arith.muli %row, %cols overflow<nsw> : i32
  %x_row = fsm.offset %in, %first : !fsm.ptr<f32>, i32
  %range = fsm.range 0, ${BLOCK} : !ids
  %none = arith.constant 0 : i32
  %block = arith.constant ${BLOCK} : i32
  %zeros = arith.constant dense<0.0> : !vec
  %ones = arith.constant dense<1.0> : !vec
  %lanes:3 = scf.for %c = %none to %cols step %block iter_args(%n = %zeros, %mean = %zeros, %m2 = %zeros) -> (!vec, !vec, !vec) : i32 {
    %left = arith.subi %cols, %c overflow<nsw> : i32
    %lefts = fsm.splat %left : !ids
    %mask = arith.cmpi slt, %range, %lefts : !ids
    %p = fsm.offset %x_row, %c : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%range], %mask : !fsm.ptr<f32>, !ids -> !vec
    %n1 = arith.addf %n, %ones : !vec
    %delta = arith.subf %x, %mean : !vec
    %step = arith.divf %delta, %n1 : !vec
    %mean1 = arith.addf %mean, %step : !vec
    %rest = arith.subf %x, %mean1 : !vec
    %square = arith.mulf %delta, %rest : !vec
    %m21 = arith.addf %m2, %square : !vec
    %next_n = arith.select %mask, %n1, %n : tensor<${BLOCK}xi1>, !vec
    %next_mean = arith.select %mask, %mean1, %mean : tensor<${BLOCK}xi1>, !vec
    %next_m2 = arith.select %mask, %m21, %m2 : tensor<${BLOCK}xi1>, !vec
    scf.yield %next_n, %next_mean, %next_m2 : !vec, !vec, !vec
  } {fsm.num_stages = ${STAGES} : i32}
  %n, %mean, %m2 = fsm.reduce_with %lanes#0, %lanes#1, %lanes#2 axis 0 : !vec, !vec, !vec -> f32, f32, f32 {
  ^bb0(%na: f32, %ma: f32, %sa: f32, %nb: f32, %mb: f32, %sb: f32):
    %one = arith.constant 1.0 : f32
    %both = arith.addf %na, %nb : f32
    %some = arith.maximumf %both, %one : f32
    %share = arith.divf %nb, %some : f32
    %apart = arith.subf %mb, %ma : f32
    %toward = arith.mulf %apart, %share : f32
    %m = arith.addf %ma, %toward : f32
    %s = arith.addf %sa, %sb : f32
    %between = arith.mulf %apart, %toward : f32
    %weighted = arith.mulf %between, %na : f32
    %all = arith.addf %s, %weighted : f32
    fsm.yield %both, %m, %all : f32, f32, f32
  }
  %variance = arith.divf %m2, %n : f32
  %mean_at = fsm.offset %means, %row : !fsm.ptr<f32>, i32
  fsm.store %mean, %mean_at : f32, !fsm.ptr<f32>
  %variance_at = fsm.offset %variances, %row : !fsm.ptr<f32>, i32
  fsm.store %variance, %variance_at : f32, !fsm.ptr<f32>
  fsm.return
}
