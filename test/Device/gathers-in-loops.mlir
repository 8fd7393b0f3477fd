// Rows and columns that a loop takes one after the other out of blocks it does not change: they are in shared memory from in front of
// the loop on, each block once, and each thread reads what it multiplies.
//
// RUN: %fsm_run %s --device=sim --num-warps=1 --compare=interp --grid=2 --arg=f32[2048] --arg=f32[2048]:randn:1 --arg=f32[256]:randn:2 --arg=16
// RUN: %fsm_run %s --device=sim --num-warps=4 --compare=interp --grid=2 --arg=f32[2048] --arg=f32[2048]:randn:1 --arg=f32[256]:randn:2 --arg=16
// RUN: %fsm_run %s --device=sim --num-warps=8 --compare=interp --grid=2 --arg=f32[2048] --arg=f32[2048]:randn:1 --arg=f32[256]:randn:2 --arg=3
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=2 --arg=f32[2048] --arg=f32[2048]:randn:1 --arg=f32[256]:randn:2 --arg=16

fsm.kernel @sums(%out: !fsm.ptr<f32>, %px: !fsm.ptr<f32>, %py: !fsm.ptr<f32>, %n: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 1024 : i32
  %program = fsm.program_id x : i32
  %first = arith.muli %program, %size overflow<nsw> : i32
  %firsts = fsm.splat %first : tensor<16x64xi32>
  %at, %all = fsm.places origin [0, 0] strides [64, 1] bounds [16, 64] : tensor<16x64xi32>
  %places = arith.addi %firsts, %at overflow<nsw> : tensor<16x64xi32>
  %square, %inside = fsm.places origin [0, 0] strides [16, 1] bounds [16, 16] : tensor<16x16xi32>
  %x = fsm.load %px[%places] : !fsm.ptr<f32>, tensor<16x64xi32> -> tensor<16x64xf32>
  %y = fsm.load %py[%square] : !fsm.ptr<f32>, tensor<16x16xi32> -> tensor<16x16xf32>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %sums = scf.for %i = %none to %n step %one iter_args(%sum = %zero) -> (tensor<16x64xf32>) : i32 {
    %row_index = fsm.splat %i : tensor<1x64xi32>
    %row = fsm.gather %x[%row_index] axis 0 : tensor<16x64xf32>, tensor<1x64xi32> -> tensor<1x64xf32>
    %column_index = fsm.splat %i : tensor<16x1xi32>
    %column = fsm.gather %y[%column_index] axis 1 : tensor<16x16xf32>, tensor<16x1xi32> -> tensor<16x1xf32>
    %line_index = fsm.splat %i : tensor<1x16xi32>
    %line = fsm.gather %y[%line_index] axis 0 : tensor<16x16xf32>, tensor<1x16xi32> -> tensor<1x16xf32>
    %turned = fsm.transpose %line order [1, 0] : tensor<1x16xf32> -> tensor<16x1xf32>
    %factor = arith.addf %column, %turned : tensor<16x1xf32>
    %factors = fsm.broadcast %factor : tensor<16x1xf32> -> tensor<16x64xf32>
    %rows = fsm.broadcast %row : tensor<1x64xf32> -> tensor<16x64xf32>
    %product = arith.mulf %rows, %factors : tensor<16x64xf32>
    %next = arith.addf %sum, %product : tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  fsm.store %sums, %out[%places] : tensor<16x64xf32>, !fsm.ptr<f32>, tensor<16x64xi32>
  fsm.return
}
