// A sort is written as many exchanges, which take the same bytes one after the other: that is said once, and what is in the way of less.

// RUN: not %fsm_opt %s --fsm-gpu-pipeline='target=sm_90a stage=fsm' 2>&1 | FileCheck %s --implicit-check-not='this takes'

// CHECK: :[[#@LINE+1]]:1: error: needs 262144 bytes of shared memory a cta, of which sm_90a has 232448: use smaller blocks
fsm.kernel @sort(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %r = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %in[%r] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  // CHECK: :[[#@LINE+2]]:8: note: this takes 262144 of them, at 0
  // CHECK: :[[#@LINE+1]]:8: note: its blocks are not walked piece by piece: it needs more of a block than a piece
  %y = fsm.sort %x axis 0 : tensor<65536xf32>
  fsm.store %y, %out[%r] : tensor<65536xf32>, !fsm.ptr<f32>, tensor<65536xi32>
  fsm.return
}
