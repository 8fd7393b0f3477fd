// Of four programs in a cta so many are left as have room in its shared memory.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-allocate-shared))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-allocate-shared{target=sm_75}))' | FileCheck %s --check-prefix=SMALL
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-allocate-shared{target=sm_1}))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown GPU target 'sm_1'; expected one of sm_75, 

// And so it runs.
// RUN: %fsm_run %fsm_src_root/examples/16-matmul.mlir --emit=contract --target=sm_75 --num-warps=1 -DBM=32 -DBN=32 -DBK=64 -DSTAGES=1 --arg='f32[128x128]' --arg='f32[128x64]' --arg='f32[64x128]' --arg=128 --arg=128 --arg=64 --arg=128 --arg=64 --arg=128 | FileCheck %s --check-prefix=CONTRACT
// RUN: %fsm_run %fsm_src_root/examples/16-matmul.mlir --device=sim --compare=interp --target=sm_75 --num-warps=1 -DBM=32 -DBN=32 -DBK=64 -DSTAGES=1 --grid=16 --arg='f32[128x128]' --arg='f32[128x64]:uniform:1' --arg='f32[64x128]:uniform:2' --arg=128 --arg=128 --arg=64 --arg=128 --arg=64 --arg=128 | FileCheck %s --check-prefix=RUNS
// CONTRACT: "programs_per_cta": 2
// RUNS: against interp: 16384 elements agree

#rows = #fsm.layout<register = [[32], [64], [128], [256], [512], [1024], [2048]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048]]>

// CHECK-LABEL: fsm.kernel @room
// CHECK-SAME:    fsm.programs_per_cta = 4 : i32
// SMALL-LABEL: fsm.kernel @room
// SMALL-SAME:    fsm.programs_per_cta = 2 : i32
fsm.kernel @room() attributes {num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32} {
  %slots = fsm.shared_alloc : !fsm.shared<4096xf64 slots 1, #own>
  fsm.return
}

// One is left, however much it needs.
// CHECK-LABEL: fsm.kernel @too_large
// CHECK-SAME:    fsm.programs_per_cta = 1 : i32
fsm.kernel @too_large() attributes {num_warps = 1 : i32, fsm.programs_per_cta = 4 : i32} {
  %slots = fsm.shared_alloc : !fsm.shared<4096xf64 slots 9, #own>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @alone() attributes {fsm.shared_bytes = 32768 : i32, num_warps = 1 : i32}
fsm.kernel @alone() attributes {num_warps = 1 : i32} {
  %slots = fsm.shared_alloc : !fsm.shared<4096xf64 slots 1, #own>
  fsm.return
}
