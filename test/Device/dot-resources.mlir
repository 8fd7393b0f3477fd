// Products that are too large for a GPU are errors with a place, at once, for what they need and what to change; those
// that fit in slabs, and outer products whose rows are shorter than a vector, are not.
//
// RUN: timeout 60 %fsm_run %s --target=sm_90a --emit=ptx -D M=128 -D K=32 -D N=128 | FileCheck %s
// RUN: timeout 60 %fsm_run %s --target=sm_90a --emit=ptx -D M=64 -D K=512 -D N=64 --num-warps=32 | FileCheck %s
// RUN: timeout 60 %fsm_run %s --target=sm_90a --emit=ptx -D M=16384 -D K=1 -D N=1 --num-warps=16 | FileCheck %s
// CHECK: fma.rn.f32
//
// RUN: timeout 60 %fsm_run %s --target=sm_90a --emit=ptx -D M=256 -D K=16 -D N=128 --num-warps=4 2>&1 | FileCheck %s --check-prefix=WARPS
// WARPS: dot-resources.mlir:[[#@LINE+22]]:8: warning: needs about 256 registers a thread for the blocks in use here, of which sm_90a has 255, so that some wait in local memory, which is slow: use more warps ('attributes {num_warps = 8}') or a smaller block
//
// A million numbers of one warp, and 512 registers of the left matrix for the slabs that come behind the first: how they could
// be moved is found out without trying each pair of registers.
// RUN: not timeout 10 %fsm_run %s --target=sm_90a --emit=ptx -D M=1024 -D K=16 -D N=1024 --num-warps=1 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: dot-resources.mlir:[[#@LINE+17]]:8: error: needs 32768 registers a thread for this block; more than 1024 take minutes to compile: use a smaller block
//
// Even one column of the left matrix is more than there is.
// RUN: not timeout 60 %fsm_run %s --target=sm_90a --emit=ptx -D M=65536 -D K=1 -D N=1 --num-warps=32 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: dot-resources.mlir:[[#@LINE+6]]:1: error: needs 262160 bytes of shared memory a cta, of which sm_90a has 232448: use smaller blocks
// SHARED: dot-resources.mlir:[[#@LINE+12]]:8: note: this takes 262144 of them, at 0
//
// param M = 1
// param K = 1
// param N = 1
fsm.kernel @k(%out: !fsm.ptr<f32>, %a: f32) {
  %m = fsm.range 0, ${M} : tensor<${M}xi32>
  %m1 = fsm.expand_dims %m axis 1 : tensor<${M}xi32> -> tensor<${M}x1xi32>
  %f = arith.sitofp %m1 : tensor<${M}x1xi32> to tensor<${M}x1xf32>
  %x = fsm.broadcast %f : tensor<${M}x1xf32> -> tensor<${M}x${K}xf32>
  %y = fsm.splat %a : tensor<${K}x${N}xf32>
  %z = arith.constant dense<0.0> : tensor<${M}x${N}xf32>
  %d = fsm.dot %x, %y, %z precision = ieee : tensor<${M}x${K}xf32>, tensor<${K}x${N}xf32> -> tensor<${M}x${N}xf32>
  %down = arith.constant dense<${N}> : tensor<${M}x1xi32>
  %rows = arith.muli %m1, %down : tensor<${M}x1xi32>
  %r = fsm.broadcast %rows : tensor<${M}x1xi32> -> tensor<${M}x${N}xi32>
  %n = fsm.range 0, ${N} : tensor<${N}xi32>
  %n1 = fsm.expand_dims %n axis 0 : tensor<${N}xi32> -> tensor<1x${N}xi32>
  %c = fsm.broadcast %n1 : tensor<1x${N}xi32> -> tensor<${M}x${N}xi32>
  %o = arith.addi %r, %c : tensor<${M}x${N}xi32>
  fsm.store %d, %out[%o] : tensor<${M}x${N}xf32>, !fsm.ptr<f32>, tensor<${M}x${N}xi32>
  fsm.return
}
