// The options of a compile reach the passes that have an option of their name, and no other pass. What a pipeline prints of
// itself makes the same code again.

// RUN: %fsm_opt %s --fsm-gpu-pipeline='stage=fsm kernel=k target=sm_80 arguments=16+noalias,4+large num-warps=2 spread=2 cluster=4 batch-programs=4 loop-programs=7 many-programs=true num-stages=3 roll-from=5 roles=never strict=true remarks=true without=cse pack=false vector-bytes=32 libdevice=lib.bc' --dump-pass-pipeline -o %t.mlir 2> %t.txt
// RUN: FileCheck %s --check-prefix=GPU < %t.txt
// GPU: fsm-specialize{arguments={16+noalias,4+large} cluster=4 kernel=k libdevice=lib.bc num-ctas=0 num-stages=3 num-warps=2 spread=2}
// GPU-NEXT: fsm-avoid-folds
// GPU-NOT: cse
// GPU: fsm-batch-programs{batch-programs=4 pack=false remarks=true}
// GPU: fsm-loop-programs{loop-programs=7 many-programs=true remarks=true roles=never target=sm_80 tensor-maps=true}
// GPU: fsm-roll-loops{roll-from=5}
// GPU-NEXT: fsm-choose-warps{pack=false remarks=true target=sm_80}
// GPU: fsm-schedule-loops{remarks=true strict=true target=sm_80 tensor-maps=true}
// GPU: fsm-split-roles{remarks=true roles=never target=sm_80}
// GPU-NEXT: fsm-share-copies{remarks=true}
// GPU: fsm-allocate-shared{target=sm_80}
// GPU-NEXT: fsm-insert-barriers{remarks=false}
// GPU: fsm-check-resources{remarks=true strict=true target=sm_80}

// RUN: sed -n '/^builtin.module(/,/^)/p' %t.txt | tr -d '\n' > %t.pipeline
// RUN: sh -c '%fsm_opt %s --pass-pipeline="$(cat %t.pipeline)"' | diff - %t.mlir

// RUN: %fsm_opt %s --fsm-gpu-pipeline --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: fsm-specialize{ cluster=0 kernel= libdevice= num-ctas=0 num-stages=0 num-warps=0 spread=0}
// NONE: fsm-batch-programs{batch-programs=auto pack=true remarks=false}
// NONE: fsm-loop-programs{loop-programs=auto many-programs=false remarks=false roles=auto target=sm_90a tensor-maps=true}
// NONE: fsm-roll-loops{roll-from=4096}
// NONE-NEXT: fsm-choose-warps{pack=true remarks=false target=sm_90a}
// NONE: fsm-schedule-loops{remarks=false strict=false target=sm_90a tensor-maps=true}
// NONE: fsm-split-roles{remarks=false roles=auto target=sm_90a}
// NONE: convert-fsm-to-gpu

// RUN: %fsm_opt %s --fsm-cpu-pipeline='stage=fsm vector-bytes=32 roll-from=6' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: fsm-roll-loops{roll-from=6}
// CPU: fsm-plan-host-loops{vector-bytes=32}
// CPU-NOT: convert-fsm-to-cpu

// RUN: not %fsm_opt %s --fsm-cpu-pipeline='arguments=16+nice,4' 2>&1 | FileCheck %s --check-prefix=FACT
// FACT: for the --arguments option: expected a positive number, 'one', 'noalias', 'large' or bounds such as '1..8' joined by '+', or nothing, got '16+nice'
// RUN: not %fsm_opt %s --fsm-cpu-pipeline=stage=gpu 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: for the --stage option: Cannot find option named 'gpu'!

fsm.kernel @k(%out: !fsm.ptr<f32>, %n: i32) {
  %offsets = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.splat %n : tensor<64xi32>
  %y = arith.sitofp %x : tensor<64xi32> to tensor<64xf32>
  fsm.store %y, %out[%offsets] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
