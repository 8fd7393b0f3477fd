// The right twin of verify-roles-errors.mlir: one thread fills slots that it has waited for, and products read them that have waited.

// RUN: %fsm_opt %s --fsm-verify-roles | FileCheck %s
// CHECK: fsm.load_role

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
