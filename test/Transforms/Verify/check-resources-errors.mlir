// Each resource of a GPU, exceeded: asked for, there is, what to change.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-check-resources
// RUN: not %fsm_opt %s --split-input-file --fsm-check-resources=target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown GPU target 'sm_1'; expected one of sm_75, {{.*}}sm_120

#a = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// expected-error@+1 {{needs 245760 bytes of shared memory a cta, of which sm_90a has 232448: use smaller blocks or a lower 'fsm.programs_per_cta'}}
fsm.kernel @packed() attributes {num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32, fsm.shared_bytes = 61440 : i32} {
  fsm.return
}

// -----

// expected-error@+1 {{needs 300016 bytes of shared memory a cta, of which sm_90a has 232448: use smaller blocks}}
fsm.kernel @table() attributes {num_warps = 4 : i32, fsm.shared_bytes = 300016 : i32} {
  // expected-note@+1 {{this takes 16 of them, at 0}}
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<4xi32>
  // expected-note@+1 {{this takes 16 of them, at 300000}}
  %b = fsm.shared_alloc {fsm.shared_offset = 300000 : i32} : !fsm.shared<4xi32>
  fsm.return
}

// -----

// expected-error@+1 {{asks for a cluster of 2 ctas; clusters are not supported yet: leave out 'num_ctas'}}
fsm.kernel @cluster() attributes {num_warps = 4 : i32, num_ctas = 2 : i32} {
  fsm.return
}

// -----

// expected-error@+1 {{needs 2048 threads a cta, of which sm_90a has 1024: lower 'fsm.programs_per_cta'}}
fsm.kernel @threads() attributes {num_warps = 32 : i32, fsm.programs_per_cta = 2 : i32} {
  fsm.return
}

// -----

#w1 = #fsm.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// expected-note@+1 {{the kernel has 32 threads a cta}}
fsm.kernel @words(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 8192 : tensor<8192xi32, #w1>
  // expected-error@+1 {{needs 256 registers a thread for the blocks in use here, of which sm_90a has 255: use more warps ('attributes {num_warps = 2 : i32}') or a smaller block}}
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<8192xi32, #w1> -> tensor<8192xf32, #w1>
  fsm.store %x, %p[%o] : tensor<8192xf32, #w1>, !fsm.ptr<f32>, tensor<8192xi32, #w1>
  fsm.return
}

// -----

#w32 = #fsm.layout<register = [[1024], [2048], [4096], [8192], [16384], [32768], [65536], [131072], [262144]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256], [512]], cta = []>

// A loop holds what it uses from outside, here beside its own block.
// expected-note@+1 {{the kernel has 1024 threads a cta}}
fsm.kernel @all_warps(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 32 : i32} {
  %o = fsm.range 0, 524288 : tensor<524288xi32, #w32>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<524288xi32, #w32> -> tensor<524288xf16, #w32>
  scf.for %i = %n to %n step %n : i32 {
    // expected-error@+1 {{needs 512 registers a thread for the blocks in use here, of which sm_90a has 64 with 1024 threads: use a smaller block}}
    %y = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<524288xi32, #w32> -> tensor<524288xf16, #w32>
    %z = arith.addf %y, %x : tensor<524288xf16, #w32>
    fsm.store %z, %p[%o] : tensor<524288xf16, #w32>, !fsm.ptr<f16>, tensor<524288xi32, #w32>
  }
  fsm.return
}

// -----

#w32 = #fsm.layout<register = [[1024], [2048], [4096], [8192], [16384], [32768], [65536]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128], [256], [512]], cta = []>

// 65536 registers are 64 for each of 1024 threads.
// expected-note@+1 {{the kernel has 1024 threads a cta}}
fsm.kernel @shared_out(%p: !fsm.ptr<f32>) attributes {num_warps = 32 : i32} {
  %o = fsm.range 0, 131072 : tensor<131072xi32, #w32>
  // expected-error@+1 {{needs 128 registers a thread for the blocks in use here, of which sm_90a has 64 with 1024 threads: use a smaller block}}
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<131072xi32, #w32> -> tensor<131072xf32, #w32>
  fsm.store %x, %p[%o] : tensor<131072xf32, #w32>, !fsm.ptr<f32>, tensor<131072xi32, #w32>
  fsm.return
}

// -----

#w1 = #fsm.layout<register = [[32], [64], [128], [256], [512]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// expected-note@+1 {{the kernel has 32 threads a cta}}
fsm.kernel @limited(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32, max_registers = 24 : i32} {
  %o = fsm.range 0, 1024 : tensor<1024xi32, #w1>
  // expected-error@+1 {{needs 32 registers a thread for the blocks in use here, of which 'max_registers' leaves 24: raise it, or use more warps ('attributes {num_warps = 2 : i32}') or a smaller block}}
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32, #w1> -> tensor<1024xf32, #w1>
  fsm.store %x, %p[%o] : tensor<1024xf32, #w1>, !fsm.ptr<f32>, tensor<1024xi32, #w1>
  fsm.return
}
