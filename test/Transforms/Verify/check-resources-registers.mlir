// Registers that do not suffice are a warning, or an error where the caller is strict: what they would be used for, how many
// there are, what to change. A thread holds a block as a whole where its elements wait for others; all numbers by hand.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-check-resources
// RUN: not %fsm_opt %s --split-input-file --fsm-check-resources=strict 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT-COUNT-4: error: needs about
// RUN: %fsm_opt %s --split-input-file --fsm-check-resources=remarks 2>&1 | grep remark: | FileCheck %s --check-prefix=HELD

#w1 = #fsm.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// The store may write what is loaded, so all is loaded before.
// HELD: a thread holds about 256 registers of blocks here, of 255
// expected-note@+1 {{the kernel has 32 threads a cta}}
fsm.kernel @words(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 8192 : tensor<8192xi32, #w1>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<8192xi32, #w1> -> tensor<8192xf32, #w1>
  // expected-warning@+1 {{needs about 256 registers a thread for the blocks in use here, of which sm_90a has 255, so that some wait in local memory, which is slow: use more warps ('attributes {num_warps = 2}') or a smaller block}}
  fsm.store %x, %p[%o] : tensor<8192xf32, #w1>, !fsm.ptr<f32>, tensor<8192xi32, #w1>
  fsm.return
}

// -----

#w1 = #fsm.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// Nobody writes what is loaded: each element goes to the store and to the sum at once.
// HELD: a thread holds about 0 registers of blocks at a time, of 255
fsm.kernel @stream(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32> {fsm.noalias}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 8192 : tensor<8192xi32, #w1>
  %x = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<8192xi32, #w1> -> tensor<8192xf32, #w1>
  %e = math.exp %x : tensor<8192xf32, #w1>
  fsm.store %e, %p[%o] : tensor<8192xf32, #w1>, !fsm.ptr<f32>, tensor<8192xi32, #w1>
  %s = fsm.reduce <sum> %e axis 0 : tensor<8192xf32, #w1> -> f32
  fsm.store %s, %p : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

#w1 = #fsm.layout<register = [[32], [64], [128], [256], [512], [1024]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// What waits for a sum is held: 64 numbers, not their squares, and of the 64 others the halves that are made of them, 32 words.
// HELD: a thread holds about 96 registers of blocks here, of 255
fsm.kernel @behind_a_sum(%p: !fsm.ptr<f16>, %q: !fsm.ptr<f32> {fsm.noalias}, %r: !fsm.ptr<f32> {fsm.noalias}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 2048 : tensor<2048xi32, #w1>
  %x = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<2048xi32, #w1> -> tensor<2048xf32, #w1>
  %y = fsm.load %r[%o] : !fsm.ptr<f32>, tensor<2048xi32, #w1> -> tensor<2048xf32, #w1>
  %half = arith.truncf %y : tensor<2048xf32, #w1> to tensor<2048xf16, #w1>
  %xx = arith.mulf %x, %x : tensor<2048xf32, #w1>
  %s = fsm.reduce <sum> %xx axis 0 : tensor<2048xf32, #w1> -> f32
  %ss = fsm.splat %s : tensor<2048xf32, #w1>
  %d = arith.divf %x, %ss : tensor<2048xf32, #w1>
  %dh = arith.truncf %d : tensor<2048xf32, #w1> to tensor<2048xf16, #w1>
  %sum = arith.addf %dh, %half : tensor<2048xf16, #w1>
  fsm.store %sum, %p[%o] : tensor<2048xf16, #w1>, !fsm.ptr<f16>, tensor<2048xi32, #w1>
  fsm.return
}

// -----

#w32 = #fsm.layout<register = [[1024], [2048], [4096], [8192], [16384], [32768], [65536], [131072], [262144]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256], [512]], cta = []>

// A loop holds what it uses from outside, here 256 words, beside its own 256, which the store orders; halves are two a word.
// HELD: a thread holds about 512 registers of blocks here, of 64
// expected-note@+1 {{the kernel has 1024 threads a cta}}
fsm.kernel @all_warps(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 32 : i32} {
  %o = fsm.range 0, 524288 : tensor<524288xi32, #w32>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<524288xi32, #w32> -> tensor<524288xf16, #w32>
  scf.for %i = %n to %n step %n : i32 {
    %y = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<524288xi32, #w32> -> tensor<524288xf16, #w32>
    %z = arith.addf %y, %x : tensor<524288xf16, #w32>
    // expected-warning@+1 {{needs about 512 registers a thread for the blocks in use here, of which sm_90a has 64 with 1024 threads, so that some wait in local memory, which is slow: use a smaller block}}
    fsm.store %z, %p[%o] : tensor<524288xf16, #w32>, !fsm.ptr<f16>, tensor<524288xi32, #w32>
  }
  fsm.return
}

// -----

#w32 = #fsm.layout<register = [[1024], [2048], [4096], [8192], [16384], [32768], [65536]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256], [512]], cta = []>

// 65536 registers are 64 for each of 1024 threads.
// HELD: a thread holds about 128 registers of blocks here, of 64
// expected-note@+1 {{the kernel has 1024 threads a cta}}
fsm.kernel @shared_out(%p: !fsm.ptr<f32>) attributes {num_warps = 32 : i32} {
  %o = fsm.range 0, 131072 : tensor<131072xi32, #w32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<131072xi32, #w32> -> tensor<131072xf32, #w32>
  // expected-warning@+1 {{needs about 128 registers a thread for the blocks in use here, of which sm_90a has 64 with 1024 threads, so that some wait in local memory, which is slow: use a smaller block}}
  fsm.store %x, %p[%o] : tensor<131072xf32, #w32>, !fsm.ptr<f32>, tensor<131072xi32, #w32>
  fsm.return
}

// -----

#w1 = #fsm.layout<register = [[32], [64], [128], [256], [512]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// HELD: a thread holds about 32 registers of blocks here, of 24
// expected-note@+1 {{the kernel has 32 threads a cta}}
fsm.kernel @limited(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32, max_registers = 24 : i32} {
  %o = fsm.range 0, 1024 : tensor<1024xi32, #w1>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32, #w1> -> tensor<1024xf32, #w1>
  // expected-warning@+1 {{needs about 32 registers a thread for the blocks in use here, of which 'max_registers' leaves 24, so that some wait in local memory, which is slow: raise it, or use more warps ('attributes {num_warps = 2}') or a smaller block}}
  fsm.store %x, %p[%o] : tensor<1024xf32, #w1>, !fsm.ptr<f32>, tensor<1024xi32, #w1>
  fsm.return
}

// -----

#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// A product that begins with zeros, scaled and added to other sums, has registers of its own beside these while it is made: 32 and 32.
// HELD: a thread holds about 64 registers of blocks here, of 255
fsm.kernel @scaled(%p: !fsm.ptr<f32>, %n: i32, %s: f32) attributes {num_warps = 4 : i32} {
  %a = fsm.shared_alloc : !fsm.shared<64x16xf16 pitch 24>
  %b = fsm.shared_alloc : !fsm.shared<16x64xf16 pitch 72>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %scale = fsm.splat %s : tensor<64x64xf32, #sums>
  %all = scf.for %i = %n to %n step %n iter_args(%before = %zeros) -> tensor<64x64xf32, #sums> : i32 {
    %d = fsm.shared_dot %a, %b, %zeros inner 16 {fsm.mma = array<i64: 16, 8, 16>} : !fsm.shared<64x16xf16 pitch 24>, !fsm.shared<16x64xf16 pitch 72> -> tensor<64x64xf32, #sums>
    %scaled = arith.mulf %d, %scale : tensor<64x64xf32, #sums>
    %after = arith.addf %before, %scaled : tensor<64x64xf32, #sums>
    scf.yield %after : tensor<64x64xf32, #sums>
  }
  %sum = fsm.reduce <sum> %all axis 1 : tensor<64x64xf32, #sums> -> tensor<64xf32, #fsm.layout<register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], cta = []>>
  fsm.return
}

// -----

#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// One that is added to what a loop carries has these.
// HELD: a thread holds about 32 registers of blocks here, of 255
fsm.kernel @added(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %a = fsm.shared_alloc : !fsm.shared<64x16xf16 pitch 24>
  %b = fsm.shared_alloc : !fsm.shared<16x64xf16 pitch 72>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #sums>
  %all = scf.for %i = %n to %n step %n iter_args(%before = %zeros) -> tensor<64x64xf32, #sums> : i32 {
    %d = fsm.shared_dot %a, %b, %before inner 16 {fsm.mma = array<i64: 16, 8, 16>} : !fsm.shared<64x16xf16 pitch 24>, !fsm.shared<16x64xf16 pitch 72> -> tensor<64x64xf32, #sums>
    scf.yield %d : tensor<64x64xf32, #sums>
  }
  %sum = fsm.reduce <sum> %all axis 1 : tensor<64x64xf32, #sums> -> tensor<64xf32, #fsm.layout<register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], cta = []>>
  fsm.return
}
