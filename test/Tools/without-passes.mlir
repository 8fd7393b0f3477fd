// Passes that only make code better can be left out of a compilation.
//
// RUN: %fsm_run %s --emit=fsm --target=cpu | FileCheck %s --check-prefix=ALL
// RUN: %fsm_run %s --emit=fsm --target=cpu --without=canonicalize,fsm-combine --without=cse | FileCheck %s --check-prefix=SOME
// RUN: %fsm_opt %s --fsm-cpu-pipeline=without=canonicalize,fsm-combine,cse,loop-invariant-code-motion -o /dev/null
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=2 --arg=i32[64] --without=canonicalize,fsm-combine,cse,loop-invariant-code-motion
// RUN: %fsm_run %s --device=sim --compare=interp --grid=2 --arg=i32[64] --without=canonicalize,fsm-combine,cse,loop-invariant-code-motion
// RUN: not %fsm_run %s --device=cpu --grid=1 --arg=i32[64] --without=inline 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %fsm_run %s --device=cpu --grid=1 --arg=i32[64] --without=cse, 2>&1 | FileCheck %s --check-prefix=WORDS

// ALL:       fsm.program_id
// ALL-NOT:   fsm.program_id
// SOME:      fsm.program_id
// SOME:      fsm.program_id
// NAME:      without-passes.mlir: error: expected passes of canonicalize, fsm-combine, cse, loop-invariant-code-motion to leave out, got 'inline'
// WORDS:     fsm-run: --without: expected PASS[,PASS], got nothing

fsm.kernel @twice(%p: !fsm.ptr<i32>) {
  %pid = fsm.program_id x : i32
  %again = fsm.program_id x : i32
  %size = arith.constant 32 : i32
  %start = arith.muli %pid, %size overflow<nsw> : i32
  %mine = fsm.offset %p, %start : !fsm.ptr<i32>, i32
  %places = fsm.range 0, 32 : tensor<32xi32>
  %pids = fsm.splat %again : tensor<32xi32>
  %sum = arith.addi %places, %pids : tensor<32xi32>
  fsm.store %sum, %mine[%places] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  fsm.return
}
