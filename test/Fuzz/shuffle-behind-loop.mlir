// Lanes leave a loop around a compare-and-swap at different times, and what comes next is a shuffle of a constant, which
// ptxas folds: the lanes must have met before the shuffles behind it. Kernel 2478 of tools/dev/fuzz, by hand; a GPU alone
// shows the mistake.
// RUN: %fsm_run %s --device=sim --compare=interp --grid=2 --num-warps=4 --arg=f32[2x127]:randn:1 --arg=bf16[2x112]
// RUN: %fsm_run %s --num-warps=4 --emit=ptx --target=sm_90a | FileCheck %s

// CHECK:      atom.global.gpu.relaxed.cas.b32
// CHECK:      vote.sync.any.pred
// CHECK:      shfl.sync.idx.b32
fsm.kernel @halves(%p: !fsm.ptr<f32>, %out: !fsm.ptr<bf16>) {
  %pid = fsm.program_id x : i32
  %c127 = arith.constant 127 : i32
  %first = arith.muli %pid, %c127 overflow<nsw> : i32
  %mine = fsm.offset %p, %first : !fsm.ptr<f32>, i32
  %range = fsm.range 0, 127 : tensor<127xi32>
  %odd = arith.trunci %range : tensor<127xi32> to tensor<127xi1>
  %low = arith.constant dense<-0.25> : tensor<127xf32>
  %old = fsm.atomic_rmw <min> %low, %mine[%range], %odd : tensor<127xf32>, !fsm.ptr<f32>, tensor<127xi32>
  %half = arith.constant 0.5 : bf16
  %halves = fsm.splat %half : tensor<16x7xbf16>
  %powers = fsm.scan <prod> %halves axis 1 : tensor<16x7xbf16>
  %c112 = arith.constant 112 : i32
  %begin = arith.muli %pid, %c112 overflow<nsw> : i32
  %to = fsm.offset %out, %begin : !fsm.ptr<bf16>, i32
  %flat = fsm.reshape %powers : tensor<16x7xbf16> -> tensor<112xbf16>
  %places = fsm.range 0, 112 : tensor<112xi32>
  fsm.store %flat, %to[%places] : tensor<112xbf16>, !fsm.ptr<bf16>, tensor<112xi32>
  fsm.return
}
