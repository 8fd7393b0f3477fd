// Loops whose copies no warps of their own begin, and why: one kernel, changed in front of the pass.
//
// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads -o %t.mlir
// RUN: %fsm_opt %t.mlir --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: remark: warps of their own begin the copies of this loop
// SECOND: remark: the warps of this loop begin its copies themselves: another loop has them

// Another GPU, and a kernel that cannot have more warps or other registers.
// RUN: %fsm_opt %t.mlir --fsm-split-roles="target=sm_80 roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: remark: the warps of this loop begin its copies themselves: sm_80 does not hand on registers
// RUN: sed 's/num_warps = 4 : i32/num_warps = 4 : i32, num_ctas = 2 : i32/' %t.mlir | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CTAS
// CTAS: remark: the warps of this loop begin its copies themselves: the program has several ctas
// RUN: sed 's/num_warps = 4 : i32/num_warps = 4 : i32, fsm.parts = 2 : i32, fsm.parts_in_cta/' %t.mlir | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: awk '/scf.for/ && ++n == 1 {print "fsm.end_parts"} {print}' %t.mlir | sed 's/num_warps = 4 : i32/num_warps = 4 : i32, fsm.parts = 2 : i32/' | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED-COUNT-2: remark: the warps of this loop begin its copies themselves: ctas or groups of warps share another loop, and not all of them run this one
// The loop in front of where the others end is one that all run.
// RUN: awk '/scf.for/ && ++n == 2 {print "fsm.end_parts"} {print}' %t.mlir | sed 's/num_warps = 4 : i32/num_warps = 4 : i32, fsm.parts = 2 : i32/' | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: remark: warps of their own begin the copies of this loop
// FIRST: remark: the warps of this loop begin its copies themselves: another loop has them
// RUN: sed 's/num_warps = 4 : i32/num_warps = 4 : i32, max_registers = 128 : i32/' %t.mlir | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: remark: the warps of this loop begin its copies themselves: 'max_registers' says how many registers a thread has
// RUN: sed 's/num_warps = 4 : i32/num_warps = 2 : i32/' %t.mlir | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: remark: the warps of this loop begin its copies themselves: a cta would have 6 warps

// A branch around the loops, which no kernel leaves there: loads in one are no copies of a tensor.
// RUN: sed 's/^ *fsm.return/scf.yield\n}\n&/; s/^ *fsm.kernel.*/&\n%yes = arith.constant true\nscf.if %yes {/' %t.mlir | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: remark: the warps of this loop begin its copies themselves: it stands in 'scf.if'

// A second expectation or wait in the loop, and none.
// RUN: sed '/fsm.mbarrier_expect/p' %t.mlir | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPECTS
// EXPECTS: remark: the warps of this loop begin its copies themselves: it waits for several copies
// RUN: sed '/fsm.mbarrier_wait/p' %t.mlir | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WAITS
// WAITS: remark: the warps of this loop begin its copies themselves: it waits for several copies
// RUN: sed '/fsm.mbarrier_wait/d' %t.mlir | %fsm_opt --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: remark: the warps of this loop begin its copies themselves: it waits for several copies

// Copies that need what is loaded in front of the loop, of memory that others may write, and of memory that nobody does.
// RUN: sed 's/%ends: !fsm.ptr<i32> {fsm.noalias}/%ends: !fsm.ptr<i32>/; s/ to %k step / to %end step /; s/^ *%none = /  %end = fsm.load %ends : !fsm.ptr<i32> -> i32\n&/' %s | %fsm_opt --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOADED
// LOADED: remark: the warps of this loop begin its copies themselves: its copies need 'fsm.load', which stays
// RUN: sed 's/ to %k step / to %end step /; s/^ *%none = /  %end = fsm.load %ends : !fsm.ptr<i32> -> i32\n&/' %s | %fsm_opt --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-split-roles="target=sm_90a roles=always remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: remark: warps of their own begin the copies of this loop
fsm.kernel @two_loops(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %ends: !fsm.ptr<i32> {fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %step overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x128xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 4 : i32, fsm.forced_stages}
  %e = scf.for %i = %none to %k step %step iter_args(%sum = %d) -> (tensor<64x128xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
    %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x128xi32>
    %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 4 : i32, fsm.forced_stages}
  %at = fsm.places strides [128, 1] : tensor<64x128xi32>
  fsm.store %e, %out[%at] : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
  fsm.return
}
