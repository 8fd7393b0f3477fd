// Products that read slots which copies of the same iteration do, or may, write: each kernel differs in one place from that in
// verify-shared-tiles.mlir.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-shared

#w = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]], cta = []>
#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]], cta = []>

// Copies and products begin at the same slot.
fsm.kernel @same_slot(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 1280 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 2 : i32
  %last = arith.constant 2 : i32
  %first = arith.constant 0 : i32
  %o = arith.constant dense<0> : tensor<16x16xi32, #w>
  %x = arith.constant dense<0.0> : tensor<16x8xf16, #sums>
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #sums>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x16xf16 slots 2, #tile>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<16x8xf16 pitch 8>
  fsm.shared_store %x, %b : tensor<16x8xf16, #sums>, !fsm.shared<16x8xf16 pitch 8>
  fsm.copy_async %p[%o] into %a[%none] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<16x16xi32, #w>, !fsm.shared<16x16xf16 slots 2, #tile>
  fsm.copy_commit
  %d:3 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %first, %take = %none) -> (tensor<16x8xf32, #sums>, i32, i32) : i32 {
    fsm.copy_wait 0
    fsm.shared_barrier <program>
    // expected-note @below {{the earlier access is here}}
    fsm.copy_async %p[%o] into %a[%put] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<16x16xi32, #w>, !fsm.shared<16x16xf16 slots 2, #tile>
    fsm.copy_commit
    // expected-error @below {{expected a barrier between this 'fsm.shared_dot' and an earlier 'fsm.copy_async' of other threads (RAW hazard)}}
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.mma = array<i64: 16, 8, 16>} : !fsm.shared<16x16xf16 slots 2, #tile>, !fsm.shared<16x8xf16 pitch 8> -> tensor<16x8xf32, #sums>
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %last : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    scf.yield %e, %put2, %take2 : tensor<16x8xf32, #sums>, i32, i32
  }
  fsm.copy_wait 0
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]], cta = []>
#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]], cta = []>

// They come apart, and meet.
fsm.kernel @other_number(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 1280 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 2 : i32
  %last = arith.constant 3 : i32
  %first = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<16x16xi32, #w>
  %x = arith.constant dense<0.0> : tensor<16x8xf16, #sums>
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #sums>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x16xf16 slots 2, #tile>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<16x8xf16 pitch 8>
  fsm.shared_store %x, %b : tensor<16x8xf16, #sums>, !fsm.shared<16x8xf16 pitch 8>
  fsm.copy_async %p[%o] into %a[%none] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<16x16xi32, #w>, !fsm.shared<16x16xf16 slots 2, #tile>
  fsm.copy_commit
  %d:3 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %first, %take = %none) -> (tensor<16x8xf32, #sums>, i32, i32) : i32 {
    fsm.copy_wait 0
    fsm.shared_barrier <program>
    // expected-note @below {{the earlier access is here}}
    fsm.copy_async %p[%o] into %a[%put] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<16x16xi32, #w>, !fsm.shared<16x16xf16 slots 2, #tile>
    fsm.copy_commit
    // expected-error @below {{expected a barrier between this 'fsm.shared_dot' and an earlier 'fsm.copy_async' of other threads (RAW hazard)}}
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.mma = array<i64: 16, 8, 16>} : !fsm.shared<16x16xf16 slots 2, #tile>, !fsm.shared<16x8xf16 pitch 8> -> tensor<16x8xf32, #sums>
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %last : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    scf.yield %e, %put2, %take2 : tensor<16x8xf32, #sums>, i32, i32
  }
  fsm.copy_wait 0
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]], cta = []>
#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]], cta = []>

// Nobody waits for the copies of earlier iterations.
fsm.kernel @no_wait(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 1280 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 2 : i32
  %last = arith.constant 2 : i32
  %first = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<16x16xi32, #w>
  %x = arith.constant dense<0.0> : tensor<16x8xf16, #sums>
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #sums>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x16xf16 slots 2, #tile>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<16x8xf16 pitch 8>
  fsm.shared_store %x, %b : tensor<16x8xf16, #sums>, !fsm.shared<16x8xf16 pitch 8>
  fsm.copy_async %p[%o] into %a[%none] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<16x16xi32, #w>, !fsm.shared<16x16xf16 slots 2, #tile>
  fsm.copy_commit
  fsm.shared_barrier <program>
  %d:3 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %first, %take = %none) -> (tensor<16x8xf32, #sums>, i32, i32) : i32 {
    fsm.shared_barrier <program>
    // expected-note @below {{the copy is here}}
    fsm.copy_async %p[%o] into %a[%put] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<16x16xi32, #w>, !fsm.shared<16x16xf16 slots 2, #tile>
    fsm.copy_commit
    // expected-error @below {{expected a wait between this 'fsm.shared_dot' and the copy of what it reads}}
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.mma = array<i64: 16, 8, 16>} : !fsm.shared<16x16xf16 slots 2, #tile>, !fsm.shared<16x8xf16 pitch 8> -> tensor<16x8xf32, #sums>
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %last : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    scf.yield %e, %put2, %take2 : tensor<16x8xf32, #sums>, i32, i32
  }
  fsm.copy_wait 0
  fsm.return
}
