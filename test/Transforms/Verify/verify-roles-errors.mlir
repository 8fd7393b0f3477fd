// Roles that are wrong: each differs from the right ones of verify-roles.mlir in one place.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-roles

// Nobody waits until a slot is empty.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      // expected-error@+1 {{expected a wait for the empty slot in front of what it is filled with}}
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// It waits for another slot.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%none] phase %free : !fsm.shared<3x!fsm.mbarrier>
      // expected-error@+1 {{expected a wait for the empty slot in front of what it is filled with}}
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// The first slots are waited for as if somebody had read them.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %none) -> (i32, i32) : i32 {
      // expected-error@+1 {{expected a phase that begins with 1: nobody has read the first slots}}
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// Nobody waits for a full slot.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  // expected-note@+1 {{the mbarriers are these}}
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      // expected-error@+1 {{expected one wait for the slot outside of the role, got 0}}
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// A slot is not given back.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      // expected-error@+1 {{expected an arrival that gives the slot back outside of the role}}
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// A slot is given back in front of the wait for it.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    %later = arith.cmpi ne, %i, %none : i32
    // expected-error@+1 {{expected the slot to be given back in the iteration that waits for it}}
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    // expected-note@+1 {{the wait is here}}
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// The slot that the product in flight reads is given back.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    // expected-error@+1 {{expected the slot of the iteration before to be given back, behind the end of the product that reads it}}
    fsm.mbarrier_arrive %empty[%take] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// No product has ended where its slot is given back.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    %later = arith.cmpi ne, %i, %none : i32
    // expected-error@+1 {{expected the slot of the iteration before to be given back, behind the end of the product that reads it}}
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// A slot is given back that no product has read yet.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    // expected-error@+1 {{expected the slot of the iteration before to be given back, behind the end of the product that reads it}}
    fsm.mbarrier_arrive %empty[%old] : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// A product that ends in its iteration gives back the slot of the one before.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    // expected-error@+1 {{expected the slot of this iteration to be given back, behind the end of the product that reads it}}
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// A product reads in front of the wait.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    // expected-error@+1 {{expected the wait for its slots in front of this product}}
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// No barrier stands behind what makes the mbarriers.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  // expected-note@+1 {{the mbarriers are made here}}
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected a barrier between this role and its mbarriers}}
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// Nobody makes the mbarriers.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  // expected-note@+1 {{the mbarriers are these}}
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  // expected-error@+1 {{expected mbarriers that are made in front of this role}}
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// One warp speaks for all.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected 4 arrivals in a phase, got 1}}
  fsm.mbarrier_init %empty arrivals 1 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// One side begins with another slot.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      // expected-error@+1 {{expected 3 slots that both sides count alike}}
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %one, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    // expected-note@+1 {{the other side is here}}
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// One side takes fewer iterations.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    // expected-error@+1 {{expected as many iterations as the loop has that takes its slots}}
    %r:2 = scf.for %i = %none to %b step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  // expected-note@+1 {{that loop is here}}
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// There are not so many registers: 64 * 1024 of all warps.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 16 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  // expected-error@+1 {{expected at most 65536 registers of all threads, got 70656}}
  fsm.load_role registers 40 others 128 {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// All warps of a group would have to meet in it.
#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @roles(%p: !fsm.ptr<f16>, %n: i32, %ld: i32, %b: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6720 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %w = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %empty = fsm.shared_alloc {fsm.shared_offset = 6688 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    %r:2 = scf.for %i = %none to %n step %one iter_args(%put = %none, %free = %one) -> (i32, i32) : i32 {
      // expected-error@+1 {{expected copies, waits and scalars in a load role, got 'fsm.shared_barrier'}}
      fsm.shared_barrier <warp>
      fsm.mbarrier_wait %empty[%put] phase %free : !fsm.shared<3x!fsm.mbarrier>
      fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
      fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %change = arith.select %put_ends, %one, %none : i32
      %free1 = arith.xori %free, %change : i32
      scf.yield %put2, %free1 : i32, i32
    }
  }
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %take = %none, %phase = %none, %old = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %w, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %later = arith.cmpi ne, %i, %none : i32
    fsm.mbarrier_arrive %empty[%old] if %later : !fsm.shared<3x!fsm.mbarrier>
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %turn = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %turn : i32
    scf.yield %e, %take2, %phase1, %take : tensor<64x16xf32, #sums>, i32, i32, i32
  }
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}
