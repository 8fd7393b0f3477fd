// Copies of tensors that are not ordered against what reads their slots, or that bring other bytes than are expected.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-shared

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Nothing waits for the copies.
fsm.kernel @no_wait(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
    // expected-note@+1 {{the copy is here}}
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    // expected-error@+1 {{expected a wait between this 'fsm.shared_dot' and the copy of what it reads}}
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Threads that still wait for the product of the slot do not meet the one that fills it.
fsm.kernel @no_barrier(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
    // expected-error@+1 {{expected a barrier between this 'fsm.copy_tensor' and an earlier 'fsm.shared_dot' of other threads (WAR hazard)}}
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    // expected-note@+1 {{the earlier access is here}}
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Two slots: the product before the last still reads what is filled.
fsm.kernel @two_slots(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 2 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 2, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<2x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<2x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<2x!fsm.mbarrier>
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 2, #x> mbarrier !fsm.shared<2x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<2x!fsm.mbarrier>
    // expected-error@+1 {{expected a barrier between this 'fsm.copy_tensor' and an earlier 'fsm.shared_dot' of other threads (WAR hazard)}}
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 2, #x> mbarrier !fsm.shared<2x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<2x!fsm.mbarrier>
    // expected-note@+1 {{the earlier access is here}}
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 2, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Nothing waits for a product before its slot is filled.
fsm.kernel @no_limit(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
    // expected-error@+1 {{expected a barrier between this 'fsm.copy_tensor' and an earlier 'fsm.shared_dot' of other threads (WAR hazard)}}
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    // expected-note@+1 {{the earlier access is here}}
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Other bytes than come.
fsm.kernel @bytes(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    // expected-error@+1 {{expected as many bytes as the copies of the slot behind it bring, 2048, got 1024}}
    fsm.mbarrier_expect %full[%put] bytes 1024 : !fsm.shared<3x!fsm.mbarrier>
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Nobody clears what boxes leave.
fsm.kernel @not_cleared(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] box_ends : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected an 'fsm.clear_lines' of the slots by this map in front of all loops}}
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// The hardware reads what threads have cleared before a fence.
fsm.kernel @cleared_late(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] box_ends : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  // expected-error@+1 {{expected a barrier of the program with a fence behind it, in front of the copies}}
  fsm.clear_lines %a by %map : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.tensor_map<64x16xf16 swizzle 32>
  fsm.shared_barrier <program>
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Boxes of half a tile.
fsm.kernel @cleared_in_halves(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  // expected-note@+1 {{the map is here}}
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] box_ends : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<32x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected one box along the tensor's first dimension, of this program alone, where it ends with the tensor}}
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<32x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<32x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Of another slot.
fsm.kernel @other_slot(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    // expected-error@+1 {{expected as many bytes as the copies of the slot behind it bring, 0, got 2048}}
    fsm.mbarrier_expect %full[%take] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Nothing says how many bytes come.
fsm.kernel @no_expect(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    // expected-error@+1 {{expected an 'fsm.mbarrier_expect' with the mbarriers, slot and condition of this 'fsm.copy_tensor' in front of it}}
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Threads read what the hardware writes over.
fsm.kernel @read(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  // expected-note@+1 {{the copy is here}}
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    // expected-error@+1 {{expected products of warp groups alone to read the slots of 'fsm.copy_tensor', got 'fsm.shared_load'}}
    %r = fsm.shared_load %a[%take] : !fsm.shared<64x16xf16 slots 3, #x> -> tensor<64x16xf16, #w>
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// What threads store in front of the loop lies where the hardware copies to.
fsm.kernel @other_memory(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6688 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  // expected-note@+1 {{the other memory is here}}
  %b = fsm.shared_alloc {fsm.shared_offset = 4096 : i32} : !fsm.shared<16x16xf16, #y>
  %full = fsm.shared_alloc {fsm.shared_offset = 6656 : i32} : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.mbarrier_expect %full[%none] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
  // expected-error@+1 {{expected no other memory in the bytes of the slots of this 'fsm.copy_tensor' in front of their last use}}
  fsm.copy_tensor %map[%none, %none] into %a[%none] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
  %d:4 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none, %phase = %none) -> (tensor<64x16xf32, #sums>, i32, i32, i32) : i32 {
    fsm.shared_barrier <program>
    fsm.mbarrier_expect %full[%put] bytes 2048 : !fsm.shared<3x!fsm.mbarrier>
    fsm.copy_tensor %map[%none, %i] into %a[%put] mbarrier %full : !fsm.tensor_map<64x16xf16 swizzle 32>, !fsm.shared<64x16xf16 slots 3, #x> mbarrier !fsm.shared<3x!fsm.mbarrier>
    fsm.mbarrier_wait %full[%take] phase %phase : !fsm.shared<3x!fsm.mbarrier>
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    %change = arith.select %take_ends, %one, %none : i32
    %phase1 = arith.xori %phase, %change : i32
    scf.yield %e, %put2, %take2, %phase1 : tensor<64x16xf32, #sums>, i32, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.return
}
