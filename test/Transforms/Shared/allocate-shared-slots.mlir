// A large block that is exchanged lies over slots of copies that nobody uses any more, behind a barrier of its own;
// a small one, and one that is needed meanwhile, lie behind the slots.

// RUN: %fsm_opt %s --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#large = #fsm.layout<register = [[1], [2], [512], [1024]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], cta = []>
#small = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

// CHECK-LABEL: fsm.kernel @three_slots
// CHECK-SAME:    fsm.shared_bytes = 14848 : i32
// What is in use in front of the loop and behind it.
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<2048xi32>
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 3
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 14336 : i32} : !fsm.shared<16x16xf16
// CHECK:         scf.for
// While the last product goes on.
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<2048xi32>
// CHECK:         fsm.product_wait
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<2048xi32>
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.shared_store
// A small one stays behind the slots.
// CHECK:         fsm.shared_alloc {fsm.shared_offset = 6144 : i32} : !fsm.shared<128xi32>
fsm.kernel @three_slots(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %slots = arith.constant 3 : i32
  %o = arith.constant dense<0> : tensor<64x16xi32, #w>
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %block = fsm.range 0, 2048 : tensor<2048xi32, #large>
  %few = fsm.range 0, 128 : tensor<128xi32, #small>
  %before = fsm.shared_alloc : !fsm.shared<2048xi32>
  fsm.shared_store %block, %before : tensor<2048xi32, #large>, !fsm.shared<2048xi32>
  %a = fsm.shared_alloc : !fsm.shared<64x16xf16 slots 3, #x>
  %b = fsm.shared_alloc : !fsm.shared<16x16xf16, #y>
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
  %back = fsm.shared_load %before : !fsm.shared<2048xi32> -> tensor<2048xi32, #large>
  %meanwhile = fsm.shared_alloc : !fsm.shared<2048xi32>
  fsm.shared_store %back, %meanwhile : tensor<2048xi32, #large>, !fsm.shared<2048xi32>
  %f = fsm.product_wait %d#0 : tensor<64x16xf32, #sums>
  fsm.copy_wait 0
  %behind = fsm.shared_alloc : !fsm.shared<2048xi32>
  fsm.shared_store %back, %behind : tensor<2048xi32, #large>, !fsm.shared<2048xi32>
  %small = fsm.shared_alloc : !fsm.shared<128xi32>
  fsm.shared_store %few, %small : tensor<128xi32, #small>, !fsm.shared<128xi32>
  fsm.return
}
