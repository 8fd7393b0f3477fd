// Rows that end in front of a loop's first block, in it, with it, and behind it, in place as well; where the launch says how often a loop
// runs, and where it does not.
//
// DEFINE: %{run} = %fsm_run %s --compare=interp --grid=3 --num-warps=4 --arg=i32[3x1100] --arg=i32[3x1100]:arange --arg=i32[3]
// RUN: %{run} --device=cpu --arg=600
// RUN: %{run} --device=sim --no-specialize --arg=0
// RUN: %{run} --device=sim --no-specialize --arg=5
// RUN: %{run} --device=sim --no-specialize --arg=512
// RUN: %{run} --device=sim --no-specialize --arg=513
// RUN: %{run} --device=sim --arg=0
// RUN: %{run} --device=sim --arg=5
// RUN: %{run} --device=sim --arg=512
// RUN: %{run} --device=sim --arg=513
// RUN: %{run} --device=sim --arg=1100
// RUN: %{run} --device=sim --overlap=0:1:0 --arg=512
// RUN: %{run} --device=sim --overlap=0:1:0 --arg=1100
// RUN: %{run} --device=sim --overlap=0:1:0 --no-specialize --arg=1030

// What the kernel's author says of a row's length leaves room for loops that run once and three times.
// RUN: sed 's/%%n: i32) attributes/%%n: i32 {fsm.at_least = 1 : i32, fsm.at_most = 1100 : i32}) attributes/' %s > %t-bounds.mlir
// DEFINE: %{bounds} = %fsm_run %t-bounds.mlir --compare=interp --grid=3 --num-warps=4 --arg=i32[3x1100] --arg=i32[3x1100]:arange --arg=i32[3]
// RUN: %{bounds} --device=sim --no-specialize --arg=5
// RUN: %{bounds} --device=sim --no-specialize --arg=1100
// RUN: %{bounds} --device=sim --arg=1030

fsm.kernel @rows(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %sums: !fsm.ptr<i32>, %n: i32) attributes {fsm.unordered_arguments} {
  %row = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 512 : i32
  %length = arith.constant 1100 : i32
  %none = arith.constant dense<0> : tensor<512xi32>
  %ones = arith.constant dense<1> : tensor<512xi32>
  %range = fsm.range 0, 512 : tensor<512xi32>
  %begin = arith.muli %row, %length overflow<nsw> : i32
  %from = fsm.offset %in, %begin : !fsm.ptr<i32>, i32
  %to = fsm.offset %out, %begin : !fsm.ptr<i32>, i32
  %total = scf.for %i = %zero to %n step %step iter_args(%before = %none) -> (tensor<512xi32>) : i32 {
    %first = fsm.splat %i : tensor<512xi32>
    %at = arith.addi %first, %range overflow<nsw> : tensor<512xi32>
    %ends = fsm.splat %n : tensor<512xi32>
    %in_row = arith.cmpi slt, %at, %ends : tensor<512xi32>
    %x = fsm.load %from[%at], %in_row : !fsm.ptr<i32>, tensor<512xi32> -> tensor<512xi32>
    // How often the loop runs is in the sums as well.
    %more = arith.addi %before, %ones : tensor<512xi32>
    %after = arith.addi %more, %x : tensor<512xi32>
    scf.yield %after : tensor<512xi32>
  }
  %sum = fsm.reduce <sum> %total axis 0 : tensor<512xi32> -> i32
  %place = fsm.offset %sums, %row : !fsm.ptr<i32>, i32
  fsm.store %sum, %place : i32, !fsm.ptr<i32>
  scf.for %i = %zero to %n step %step : i32 {
    %first = fsm.splat %i : tensor<512xi32>
    %at = arith.addi %first, %range overflow<nsw> : tensor<512xi32>
    %ends = fsm.splat %n : tensor<512xi32>
    %in_row = arith.cmpi slt, %at, %ends : tensor<512xi32>
    %x = fsm.load %from[%at], %in_row : !fsm.ptr<i32>, tensor<512xi32> -> tensor<512xi32>
    %all = fsm.splat %sum : tensor<512xi32>
    %y = arith.subi %x, %all : tensor<512xi32>
    fsm.store %y, %to[%at], %in_row : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  }
  fsm.return
}
