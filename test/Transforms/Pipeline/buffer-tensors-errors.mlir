// A load is to be copied as a part of a tensor that no product reads.

// RUN: %fsm_opt %s --verify-diagnostics --fsm-buffer-loads

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [], cta = []>

fsm.kernel @nobody(%p: !fsm.ptr<f16>, %out: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 1 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<4x8xi32, #w>
  scf.for %i = %none to %n step %one : i32 {
    // expected-error@+1 {{expected a load of a tensor's tile for products: no product reads it in place}}
    %x = fsm.load %p[%o] {fsm.buffer = #fsm.load_buffer<tensor>, fsm.stage = 0 : i32} : !fsm.ptr<f16>, tensor<4x8xi32, #w> -> tensor<4x8xf16, #w>
    fsm.store %x, %out[%o] {fsm.access_width = 1 : i32} : tensor<4x8xf16, #w>, !fsm.ptr<f16>, tensor<4x8xi32, #w>
  } {fsm.stages = 2 : i32, fsm.num_stages = 2 : i32}
  fsm.return
}
