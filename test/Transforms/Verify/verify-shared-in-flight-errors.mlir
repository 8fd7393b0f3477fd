// A product in flight reads its slots until a limit or a wait behind it: copies of the same iteration and of the next one go to
// other slots, and a barrier behind the limit comes before later ones.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-shared

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// One slot more than iterations ahead: the next copies go to what is read.
fsm.kernel @two_slots(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 4608 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 2 : i32
  %o = arith.constant dense<0> : tensor<64x16xi32, #w>
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 2, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 4096 : i32} : !fsm.shared<16x16xf16, #y>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.copy_async %p[%o] into %a[%none] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 2, #x>
  fsm.copy_commit
  %d:3 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none) -> (tensor<64x16xf32, #sums>, i32, i32) : i32 {
    fsm.copy_wait 0
    fsm.shared_barrier <program> fence
    // expected-note @below {{the earlier access is here}}
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 2, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    // expected-error @below {{expected a barrier between this 'fsm.copy_async' and an earlier 'fsm.shared_dot' of other threads (WAR hazard)}}
    fsm.copy_async %p[%o] into %a[%put] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 2, #x>
    fsm.copy_commit
    fsm.product_limit 1
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    scf.yield %e, %put2, %take2 : tensor<64x16xf32, #sums>, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.copy_wait 0
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Nothing waits for the product of two iterations ago.
fsm.kernel @no_limit(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6656 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %o = arith.constant dense<0> : tensor<64x16xi32, #w>
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.copy_async %p[%o] into %a[%none] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 3, #x>
  fsm.copy_commit
  %d:3 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none) -> (tensor<64x16xf32, #sums>, i32, i32) : i32 {
    fsm.copy_wait 0
    fsm.shared_barrier <program> fence
    // expected-note @below {{the earlier access is here}}
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    // expected-error @below {{expected a barrier between this 'fsm.copy_async' and an earlier 'fsm.shared_dot' of other threads (WAR hazard)}}
    fsm.copy_async %p[%o] into %a[%put] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 3, #x>
    fsm.copy_commit
    %put1 = arith.addi %put, %one : i32
    %put_ends = arith.cmpi eq, %put1, %slots : i32
    %put2 = arith.select %put_ends, %none, %put1 : i32
    %take1 = arith.addi %take, %one : i32
    %take_ends = arith.cmpi eq, %take1, %slots : i32
    %take2 = arith.select %take_ends, %none, %take1 : i32
    scf.yield %e, %put2, %take2 : tensor<64x16xf32, #sums>, i32, i32
  } {fsm.num_stages = 2 : i32}
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.copy_wait 0
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// A product that is in no loop, and a copy that nothing keeps from what it reads.
fsm.kernel @no_loop(%p: !fsm.ptr<f16>) attributes {num_warps = 4 : i32, fsm.shared_bytes = 2560 : i32} {
  %none = arith.constant 0 : i32
  %o = arith.constant dense<0> : tensor<64x16xi32, #w>
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 1, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 2048 : i32} : !fsm.shared<16x16xf16, #y>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.copy_async %p[%o] into %a[%none] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 1, #x>
  fsm.copy_commit
  fsm.copy_wait 0
  fsm.shared_barrier <program> fence
  // expected-note @below {{the earlier access is here}}
  %e = fsm.shared_dot %a[%none], %b, %zeros inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 1, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
  // expected-error @below {{expected a barrier between this 'fsm.copy_async' and an earlier 'fsm.shared_dot' of other threads (WAR hazard)}}
  fsm.copy_async %p[%o] into %a[%none] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 1, #x>
  fsm.copy_commit
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Of three slots the third one behind the loop is the one that its last product reads.
fsm.kernel @behind_the_loop(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6656 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %o = arith.constant dense<0> : tensor<64x16xi32, #w>
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<16x16xf16, #y>
  fsm.shared_store %m, %b : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  scf.for %tile = %none to %n step %one : i32 {
    fsm.copy_async %p[%o] into %a[%none] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 3, #x>
    fsm.copy_commit
    %d:3 = scf.for %i = %none to %n step %one iter_args(%sum = %zeros, %put = %one, %take = %none) -> (tensor<64x16xf32, #sums>, i32, i32) : i32 {
      fsm.copy_wait 0
      fsm.shared_barrier <program> fence
      // expected-note @below {{the earlier access is here}}
      %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
      fsm.copy_async %p[%o] into %a[%put] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 3, #x>
      fsm.copy_commit
      fsm.product_limit 1
      fsm.shared_barrier <program>
      %put1 = arith.addi %put, %one : i32
      %put_ends = arith.cmpi eq, %put1, %slots : i32
      %put2 = arith.select %put_ends, %none, %put1 : i32
      %take1 = arith.addi %take, %one : i32
      %take_ends = arith.cmpi eq, %take1, %slots : i32
      %take2 = arith.select %take_ends, %none, %take1 : i32
      scf.yield %e, %put2, %take2 : tensor<64x16xf32, #sums>, i32, i32
    } {fsm.num_stages = 2 : i32}
    %next0 = arith.addi %d#2, %one : i32
    %ends0 = arith.cmpi eq, %next0, %slots : i32
    %slot0 = arith.select %ends0, %none, %next0 : i32
    %next1 = arith.addi %slot0, %one : i32
    %ends1 = arith.cmpi eq, %next1, %slots : i32
    %slot1 = arith.select %ends1, %none, %next1 : i32
    // expected-error @below {{expected a barrier between this 'fsm.copy_async' and an earlier 'fsm.shared_dot' of other threads (WAR hazard)}}
    fsm.copy_async %p[%o] into %a[%slot1] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 3, #x>
    fsm.copy_commit
    %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
    fsm.copy_wait 0
    fsm.shared_barrier <program> fence
  }
  fsm.return
}
