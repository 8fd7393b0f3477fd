// Where the hardware copies parts of a tensor to, a large block that is exchanged may lie behind the loop, and not in front of it: a
// fence of all threads would have to stand between its stores and the copies.

// RUN: %fsm_opt %s --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s

#w = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#large = #fsm.layout<register = [[1], [2], [512], [1024]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], cta = []>

// CHECK-LABEL: fsm.kernel @around
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 6400 : i32} : !fsm.shared<2048xi32>
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<64x16xf16 slots 3
// CHECK:         scf.for
// CHECK:         fsm.product_wait
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 32 : i32} : !fsm.shared<2048xi32>
fsm.kernel @around(%p: !fsm.ptr<f16>, %n: i32, %ld: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #w>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %block = fsm.range 0, 2048 : tensor<2048xi32, #large>
  %before = fsm.shared_alloc : !fsm.shared<2048xi32>
  fsm.shared_store %block, %before : tensor<2048xi32, #large>, !fsm.shared<2048xi32>
  fsm.shared_barrier <program>
  %there = fsm.shared_load %before : !fsm.shared<2048xi32> -> tensor<2048xi32, #large>
  %map = fsm.tensor_map %p sizes [%n, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<64x16xf16 swizzle 32>
  %full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<3x!fsm.mbarrier>
  %b = fsm.shared_alloc : !fsm.shared<16x16xf16, #y>
  fsm.shared_store %m, %b : tensor<16x16xf16, #w>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  %a = fsm.shared_alloc : !fsm.shared<64x16xf16 slots 3, #x>
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
  %after = fsm.shared_alloc : !fsm.shared<2048xi32>
  fsm.shared_store %there, %after : tensor<2048xi32, #large>, !fsm.shared<2048xi32>
  fsm.shared_barrier <program>
  %last = fsm.shared_load %after : !fsm.shared<2048xi32> -> tensor<2048xi32, #large>
  fsm.return
}
