// A row's mean and squares, whose length is a number in the text, in blocks of 256 of which the last one has one element: what the first
// iteration does, it does in a branch. The tuples of all warps are combined, also of several rows.
//
// DEFINE: %{run} = %fsm_run %s --compare=interp --grid=2 --arg=f32[2x4x3] --arg=f32[2x4x513]:arange
// RUN: %{run} --device=cpu
// RUN: %{run} --device=sim --num-warps=1
// RUN: %{run} --device=sim --num-warps=4
// RUN: %{run} --device=sim --num-warps=16
// RUN: sed 's/<4x/<1x/g; s/range 0, 4 /range 0, 1 /' %s > %t.mlir
// RUN: %fsm_run %t.mlir --compare=interp --grid=2 --arg=f32[2x4x3] --arg=f32[2x4x513]:arange --device=sim --num-warps=8
// RUN: %fsm_run %t.mlir --compare=interp --grid=2 --arg=f32[2x4x3] --arg=f32[2x4x513]:arange --device=sim --num-warps=16

fsm.kernel @statistics(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 256 : i32
  %end = arith.constant 513 : i32
  %rows = arith.constant 4 : i32
  %three = arith.constant 3 : i32
  %from = arith.muli %program, %rows : i32
  %numbers = fsm.range 0, 4 : tensor<4xi32>
  %froms = fsm.splat %from : tensor<4xi32>
  %row = arith.addi %froms, %numbers : tensor<4xi32>
  %lengths = fsm.splat %end : tensor<4xi32>
  %begins = arith.muli %row, %lengths : tensor<4xi32>
  %column = fsm.expand_dims %begins axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %starts = fsm.broadcast %column : tensor<4x1xi32> -> tensor<4x256xi32>
  %range = fsm.range 0, 256 : tensor<256xi32>
  %none = arith.constant dense<0.0> : tensor<4x256xf32>
  %one = arith.constant dense<1.0> : tensor<4x256xf32>
  %r:3 = scf.for %i = %zero to %end step %step iter_args(%mean = %none, %square = %none, %weight = %none) -> (tensor<4x256xf32>, tensor<4x256xf32>, tensor<4x256xf32>) : i32 {
    %first = fsm.splat %i : tensor<256xi32>
    %at = arith.addi %first, %range : tensor<256xi32>
    %bound = fsm.splat %end : tensor<256xi32>
    %inside = arith.cmpi slt, %at, %bound : tensor<256xi32>
    %line = fsm.expand_dims %inside axis 0 : tensor<256xi1> -> tensor<1x256xi1>
    %mask = fsm.broadcast %line : tensor<1x256xi1> -> tensor<4x256xi1>
    %lines = fsm.expand_dims %at axis 0 : tensor<256xi32> -> tensor<1x256xi32>
    %along = fsm.broadcast %lines : tensor<1x256xi32> -> tensor<4x256xi32>
    %place = arith.addi %starts, %along : tensor<4x256xi32>
    %x = fsm.load %in[%place], %mask : !fsm.ptr<f32>, tensor<4x256xi32> -> tensor<4x256xf32>
    %begins_here = arith.cmpi eq, %i, %zero : i32
    %new:3 = scf.if %begins_here -> (tensor<4x256xf32>, tensor<4x256xf32>, tensor<4x256xf32>) {
      scf.yield %x, %none, %one : tensor<4x256xf32>, tensor<4x256xf32>, tensor<4x256xf32>
    } else {
      %delta = arith.subf %x, %mean : tensor<4x256xf32>
      %n = arith.addf %weight, %one : tensor<4x256xf32>
      %part = arith.divf %delta, %n : tensor<4x256xf32>
      %m = arith.addf %mean, %part : tensor<4x256xf32>
      %rest = arith.subf %x, %m : tensor<4x256xf32>
      %product = arith.mulf %delta, %rest : tensor<4x256xf32>
      %s = arith.addf %square, %product : tensor<4x256xf32>
      scf.yield %m, %s, %n : tensor<4x256xf32>, tensor<4x256xf32>, tensor<4x256xf32>
    }
    %m1 = arith.select %mask, %new#0, %mean : tensor<4x256xi1>, tensor<4x256xf32>
    %s1 = arith.select %mask, %new#1, %square : tensor<4x256xi1>, tensor<4x256xf32>
    %w1 = arith.select %mask, %new#2, %weight : tensor<4x256xi1>, tensor<4x256xf32>
    scf.yield %m1, %s1, %w1 : tensor<4x256xf32>, tensor<4x256xf32>, tensor<4x256xf32>
  }
  %m, %s, %w = fsm.reduce_with %r#0, %r#1, %r#2 axis 1 : tensor<4x256xf32>, tensor<4x256xf32>, tensor<4x256xf32> -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32> {
  ^bb0(%mean0: f32, %square0: f32, %weight0: f32, %mean1: f32, %square1: f32, %weight1: f32):
    %delta = arith.subf %mean1, %mean0 : f32
    %both = arith.addf %weight0, %weight1 : f32
    %share = arith.divf %weight1, %both : f32
    %way = arith.mulf %delta, %share : f32
    %mean = arith.addf %mean0, %way : f32
    %squares = arith.addf %square0, %square1 : f32
    %d2 = arith.mulf %delta, %way : f32
    %d3 = arith.mulf %d2, %weight0 : f32
    %square = arith.addf %squares, %d3 : f32
    fsm.yield %mean, %square, %both : f32, f32, f32
  }
  %threes = fsm.splat %three : tensor<4xi32>
  %to = arith.muli %row, %threes : tensor<4xi32>
  %ones = arith.constant dense<1> : tensor<4xi32>
  %to1 = arith.addi %to, %ones : tensor<4xi32>
  %to2 = arith.addi %to1, %ones : tensor<4xi32>
  fsm.store %m, %out[%to] : tensor<4xf32>, !fsm.ptr<f32>, tensor<4xi32>
  fsm.store %s, %out[%to1] : tensor<4xf32>, !fsm.ptr<f32>, tensor<4xi32>
  fsm.store %w, %out[%to2] : tensor<4xf32>, !fsm.ptr<f32>, tensor<4xi32>
  fsm.return
}
