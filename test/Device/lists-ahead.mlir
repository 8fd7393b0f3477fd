// Rows that a list orders, each of which begins where the number that was read for the row before says: the list's next number is read
// in front of the row's, or behind it, for no iteration, fewer than stages and more. The last number is none of a row's.
//
// DEFINE: %{stages} = 3
// DEFINE: %{run} = sed 's/STAGES/%{stages}/' %s > %t-%{stages}.mlir && %fsm_run %t-%{stages}.mlir --compare=interp --grid=2 --arg=f32[2x256] --arg=f32[9x256]:arange --arg=i32[6]:arange
// RUN: %{run} --device=cpu --arg=5
// RUN: %{run} --device=sim --arg=0
// RUN: %{run} --device=sim --arg=1
// RUN: %{run} --device=sim --arg=2
// RUN: %{run} --device=sim --arg=5
// RUN: %{run} --device=sim --target=sm_75 --arg=5
// REDEFINE: %{stages} = 2
// RUN: %{run} --device=sim --arg=1
// RUN: %{run} --device=sim --arg=5
// REDEFINE: %{stages} = 5
// RUN: %{run} --device=sim --arg=3
// RUN: %{run} --device=sim --arg=5

fsm.kernel @rows(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %list: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 2 : i32} {
  %program = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %length = arith.constant 256 : i32
  %o = fsm.range 0, 256 : tensor<256xi32>
  %none = arith.constant dense<0.0> : tensor<256xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %none, %row = %program) -> (tensor<256xf32>, i32) : i32 {
    %begin = arith.muli %row, %length : i32
    %from = fsm.offset %in, %begin : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    %twice = arith.addf %sum, %sum : tensor<256xf32>
    %more = arith.addf %twice, %x : tensor<256xf32>
    // 0, 1, 2, ... of the list: from row to row one further, with one that comes back.
    %place = fsm.offset %list, %i : !fsm.ptr<i32>, i32
    %this = fsm.load %place : !fsm.ptr<i32> -> i32
    %behind = arith.addi %i, %one : i32
    %is_more = arith.cmpi slt, %behind, %n : i32
    %after = fsm.offset %list, %behind : !fsm.ptr<i32>, i32
    %next = fsm.load %after, %is_more : !fsm.ptr<i32> -> i32
    %way = arith.subi %next, %this : i32
    %other = arith.addi %row, %way : i32
    scf.yield %more, %other : tensor<256xf32>, i32
  } {fsm.num_stages = STAGES : i32}
  %second:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %r#0, %row = %zero) -> (tensor<256xf32>, i32) : i32 {
    %place = fsm.offset %list, %i : !fsm.ptr<i32>, i32
    %this = fsm.load %place : !fsm.ptr<i32> -> i32
    %both = arith.addi %row, %this : i32
    %half = arith.shrui %both, %one : i32
    %begin = arith.muli %half, %length : i32
    %from = fsm.offset %in, %begin : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    %twice = arith.addf %sum, %sum : tensor<256xf32>
    %more = arith.addf %twice, %x : tensor<256xf32>
    scf.yield %more, %this : tensor<256xf32>, i32
  } {fsm.num_stages = STAGES : i32}
  %to = arith.muli %program, %length : i32
  %there = fsm.offset %out, %to : !fsm.ptr<f32>, i32
  fsm.store %second#0, %there[%o] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  fsm.return
}
