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

// expected-error@+1 {{needs 2048 threads a cta, of which sm_90a has 1024: lower 'fsm.programs_per_cta'}}
fsm.kernel @threads() attributes {num_warps = 32 : i32, fsm.programs_per_cta = 2 : i32} {
  fsm.return
}

// -----

#w1 = #fsm.layout<register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// Held or not, so many elements one by one are too much code; where they are half as wide, they are not.
// expected-note@+1 {{the kernel has 32 threads a cta}}
fsm.kernel @too_long(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f16>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 65536 : tensor<65536xi32, #w1>
  %h = fsm.load %q[%o] : !fsm.ptr<f16>, tensor<65536xi32, #w1> -> tensor<65536xf16, #w1>
  // expected-error@+1 {{needs 2048 registers a thread for this block; more than 1024 take minutes to compile: use more warps ('attributes {num_warps = 8}') or a smaller block}}
  %x = arith.extf %h : tensor<65536xf16, #w1> to tensor<65536xf32, #w1>
  fsm.store %x, %p[%o] : tensor<65536xf32, #w1>, !fsm.ptr<f32>, tensor<65536xi32, #w1>
  fsm.return
}
