// The right twin of verify-shared-in-flight-errors.mlir: two slots more than iterations ahead, and a limit.

// RUN: %fsm_opt %s --fsm-verify-shared | FileCheck %s
// CHECK: fsm.product_limit 1
// CHECK-LABEL: @stores_behind

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Copies of this iteration and the next leave what is read alone.
fsm.kernel @three_slots(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6656 : i32} {
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
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.copy_async %p[%o] into %a[%put] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 3, #x>
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

// Behind the loop copies go on, to the slot behind the one that its last product reads.
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
    fsm.copy_async %p[%o] into %a[%d#2] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 3, #x>
    fsm.copy_commit
    %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
    fsm.copy_wait 0
    fsm.shared_barrier <program> fence
  }
  fsm.return
}

// Behind the loop copies go on, to the slot behind the one that its last product reads and the next one.
fsm.kernel @further_behind_the_loop(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6656 : i32} {
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
    fsm.copy_async %p[%o] into %a[%slot0] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 3, #x>
    fsm.copy_commit
    %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
    fsm.copy_wait 0
    fsm.shared_barrier <program> fence
  }
  fsm.return
}

// A store behind the barrier where what is copied may lie: copies were over in front of the product that is in flight.
fsm.kernel @stores_behind(%p: !fsm.ptr<f16>, %q: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 6656 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %o = arith.constant dense<0> : tensor<64x16xi32, #w>
  %stored = arith.constant dense<0.0> : tensor<64x16xf16, #w>
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
    %e = fsm.shared_dot %a[%take], %b, %sum inner 16 {fsm.in_flight, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 3, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
    fsm.copy_async %p[%o] into %a[%put] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 3, #x>
    fsm.copy_commit
    fsm.product_limit 1
    fsm.barrier
    fsm.store %stored, %q[%o] : tensor<64x16xf16, #w>, !fsm.ptr<f16>, tensor<64x16xi32, #w>
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
