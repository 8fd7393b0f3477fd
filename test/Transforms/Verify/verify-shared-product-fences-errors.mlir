// What wgmma reads, threads have written in front of a barrier with a fence, and waited for in front of that.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-shared

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

fsm.kernel @no_fence() attributes {num_warps = 4 : i32, fsm.shared_bytes = 2560 : i32} {
  %l = arith.constant dense<0.0> : tensor<64x16xf16, #w>
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %s = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16, #x>
  %t = fsm.shared_alloc {fsm.shared_offset = 2048 : i32} : !fsm.shared<16x16xf16, #y>
  // expected-note @below {{the write is here}}
  fsm.shared_store %l, %s : tensor<64x16xf16, #w>, !fsm.shared<64x16xf16, #x>
  fsm.shared_store %m, %t : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program>
  // expected-error @below {{expected a barrier with a fence between this 'fsm.shared_dot' and the write of what it reads}}
  %d = fsm.shared_dot %s, %t, %zeros inner 16 {fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// One factor is behind the fence.
fsm.kernel @stored_behind() attributes {num_warps = 4 : i32, fsm.shared_bytes = 2560 : i32} {
  %l = arith.constant dense<0.0> : tensor<64x16xf16, #w>
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %s = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16, #x>
  %t = fsm.shared_alloc {fsm.shared_offset = 2048 : i32} : !fsm.shared<16x16xf16, #y>
  fsm.shared_store %l, %s : tensor<64x16xf16, #w>, !fsm.shared<64x16xf16, #x>
  fsm.shared_barrier <program> fence
  // expected-note @below {{the write is here}}
  fsm.shared_store %m, %t : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program>
  // expected-error @below {{expected a barrier with a fence between this 'fsm.shared_dot' and the write of what it reads}}
  %d = fsm.shared_dot %s, %t, %zeros inner 16 {fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
  fsm.return
}

// -----

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], cta = []>
#v = #fsm.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Threads wait for their copies behind the fence, which is too late.
fsm.kernel @waits_behind(%p: !fsm.ptr<f16>) attributes {num_warps = 4 : i32, fsm.shared_bytes = 2560 : i32} {
  %none = arith.constant 0 : i32
  %o = arith.constant dense<0> : tensor<64x16xi32, #w>
  %m = arith.constant dense<0.0> : tensor<16x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %s = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16 slots 1, #x>
  %t = fsm.shared_alloc {fsm.shared_offset = 2048 : i32} : !fsm.shared<16x16xf16, #y>
  // expected-note @below {{the copy is here}}
  fsm.copy_async %p[%o] into %s[%none] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x16xi32, #w>, !fsm.shared<64x16xf16 slots 1, #x>
  fsm.copy_commit
  fsm.shared_store %m, %t : tensor<16x16xf16, #v>, !fsm.shared<16x16xf16, #y>
  fsm.shared_barrier <program> fence
  fsm.copy_wait 0
  fsm.shared_barrier <program>
  // expected-error @below {{expected a wait between this 'fsm.shared_dot' and the copy of what it reads}}
  %d = fsm.shared_dot %s[%none], %t, %zeros inner 16 {fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x16xf16 slots 1, #x>, !fsm.shared<16x16xf16, #y> -> tensor<64x16xf32, #sums>
  fsm.return
}
