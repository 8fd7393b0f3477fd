// How many steps of a product by tensor cores are an iteration of a loop, and how many quotients share a branch.

// RUN: %fsm_opt %s --fsm-plan-threads | FileCheck %s

#sum = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

// Nine steps of 16, and eight.
// CHECK-LABEL: @products
// CHECK:         inner 144 {fsm.mma = array<i64: 16, 8, 16>, fsm.steps_of_loop = 4 : i32}
// CHECK:         inner 128 {fsm.mma = array<i64: 16, 8, 16>} :
fsm.kernel @products(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %c = arith.constant dense<0.0> : tensor<16x8xf32, #sum>
  %a = fsm.shared_alloc : !fsm.shared<16x144xf16 pitch 152>
  %b = fsm.shared_alloc : !fsm.shared<144x8xf16 pitch 8>
  %d = fsm.shared_dot %a, %b, %c inner 144 {fsm.mma = array<i64: 16, 8, 16>}
    : !fsm.shared<16x144xf16 pitch 152>, !fsm.shared<144x8xf16 pitch 8> -> tensor<16x8xf32, #sum>
  %e = fsm.shared_dot %a, %b, %d inner 128 {fsm.mma = array<i64: 16, 8, 16>}
    : !fsm.shared<16x144xf16 pitch 152>, !fsm.shared<144x8xf16 pitch 8> -> tensor<16x8xf32, #sum>
  %o = arith.constant dense<0> : tensor<16x8xi32, #sum>
  fsm.store %e, %p[%o] : tensor<16x8xf32, #sum>, !fsm.ptr<f32>, tensor<16x8xi32, #sum>
  fsm.return
}

// Four numbers of a thread that were of 16 bits, by one; by numbers that vary; what was of 32 bits; one number of a thread.
#four = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#one = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
// CHECK-LABEL: @quotients
// CHECK-COUNT-2: fsm.div_rn %{{.*}} {fsm.divided_together = 8 : i32} : tensor<128xf32
// CHECK-NOT:     fsm.divided_together
fsm.kernel @quotients(%out: !fsm.ptr<f32>, %half: !fsm.ptr<f16>, %brain: !fsm.ptr<bf16>, %d: f32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %ds = fsm.splat %d : tensor<128xf32, #four>
  %x = fsm.load %half[%o] : !fsm.ptr<f16>, tensor<128xi32, #four> -> tensor<128xf16, #four>
  %xs = arith.extf %x : tensor<128xf16, #four> to tensor<128xf32, #four>
  %q = fsm.div_rn %xs, %ds : tensor<128xf32, #four>
  %y = fsm.load %brain[%o] : !fsm.ptr<bf16>, tensor<128xi32, #four> -> tensor<128xbf16, #four>
  %ys = arith.extf %y : tensor<128xbf16, #four> to tensor<128xf32, #four>
  %r = fsm.div_rn %ys, %ds : tensor<128xf32, #four>
  %s = fsm.div_rn %q, %r : tensor<128xf32, #four>
  %t = fsm.div_rn %s, %ds : tensor<128xf32, #four>
  fsm.store %t, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  %p = fsm.range 0, 32 : tensor<32xi32, #one>
  %es = fsm.splat %d : tensor<32xf32, #one>
  %z = fsm.load %half[%p] : !fsm.ptr<f16>, tensor<32xi32, #one> -> tensor<32xf16, #one>
  %zs = arith.extf %z : tensor<32xf16, #one> to tensor<32xf32, #one>
  %u = fsm.div_rn %zs, %es : tensor<32xf32, #one>
  fsm.store %u, %out[%p] : tensor<32xf32, #one>, !fsm.ptr<f32>, tensor<32xi32, #one>
  fsm.return
}
