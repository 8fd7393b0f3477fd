// Loops that carry sums from row to row and store have their loads run ahead unasked: rows of fewer numbers than the block, no row at all, and one array given twice, which is worked on in place.
//
// RUN: %fsm_run %s --kernel=rows --target=sm_90 --emit=ptx | FileCheck %s
// CHECK: cp.async

// DEFINE: %{rows} = %fsm_run %s --kernel=rows --compare=interp --grid=3 --no-specialize --arg=f32[111x500] --arg=f32[111x500]:randn:1 --arg=f32[3x512] --arg=500 --num-warps=4
// RUN: %{rows} --arg=37 --device=cpu
// RUN: %{rows} --arg=37 --device=sim
// RUN: %{rows} --arg=37 --device=sim --overlap=0:1:0
// RUN: %{rows} --arg=0 --device=sim
// RUN: %{rows} --arg=1 --device=sim

// What is stored through the argument that is loaded from comes in time.
// DEFINE: %{sums} = %fsm_run %s --kernel=behind --compare=interp --grid=1 --no-specialize --arg=i32[40x512]:arange --arg=f32[512] --num-warps=4
// RUN: %{sums} --device=cpu
// RUN: %{sums} --device=sim

fsm.kernel @rows(%out: !fsm.ptr<f32> {fsm.align = 16 : i32}, %in: !fsm.ptr<f32> {fsm.align = 16 : i32}, %total: !fsm.ptr<f32>, %columns: i32, %rows: i32) attributes {fsm.unordered_arguments} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 500 : i32
  %block = arith.constant 512 : i32
  %program = fsm.program_id x : i32
  %begin = arith.muli %program, %rows overflow<nsw> : i32
  %end = arith.addi %begin, %rows overflow<nsw> : i32
  %at = fsm.range 0, 512 : tensor<512xi32>
  %bound = fsm.splat %columns : tensor<512xi32>
  %mask = arith.cmpi slt, %at, %bound : tensor<512xi32>
  %none = arith.constant dense<0.0> : tensor<512xf32>
  %sums = scf.for %row = %begin to %end step %one iter_args(%sum = %none) -> tensor<512xf32> : i32 {
    %first = arith.muli %row, %width overflow<nsw> : i32
    %from = fsm.offset %in, %first : !fsm.ptr<f32>, i32
    %to = fsm.offset %out, %first : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%at], %mask : !fsm.ptr<f32>, tensor<512xi32> -> tensor<512xf32>
    %most = fsm.reduce <max> %x axis 0 : tensor<512xf32> -> f32
    %less = fsm.splat %most : tensor<512xf32>
    %y = arith.subf %x, %less : tensor<512xf32>
    fsm.store %y, %to[%at], %mask : tensor<512xf32>, !fsm.ptr<f32>, tensor<512xi32>
    %next = arith.addf %sum, %y : tensor<512xf32>
    scf.yield %next : tensor<512xf32>
  }
  %own = arith.muli %program, %block overflow<nsw> : i32
  %place = fsm.offset %total, %own : !fsm.ptr<f32>, i32
  fsm.store %sums, %place[%at] : tensor<512xf32>, !fsm.ptr<f32>, tensor<512xi32>
  fsm.return
}

// Each row is the sum of itself and the one before.
fsm.kernel @behind(%x: !fsm.ptr<i32>, %total: !fsm.ptr<f32>) attributes {fsm.unordered_arguments} {
  %one = arith.constant 1 : i32
  %rows = arith.constant 40 : i32
  %width = arith.constant 512 : i32
  %at = fsm.range 0, 512 : tensor<512xi32>
  %none = arith.constant dense<0.0> : tensor<512xf32>
  %sums = scf.for %row = %one to %rows step %one iter_args(%sum = %none) -> tensor<512xf32> : i32 {
    %first = arith.muli %row, %width overflow<nsw> : i32
    %to = fsm.offset %x, %first : !fsm.ptr<i32>, i32
    %minus = arith.subi %first, %width overflow<nsw> : i32
    %from = fsm.offset %x, %minus : !fsm.ptr<i32>, i32
    %a = fsm.load %from[%at] : !fsm.ptr<i32>, tensor<512xi32> -> tensor<512xi32>
    %b = fsm.load %to[%at] : !fsm.ptr<i32>, tensor<512xi32> -> tensor<512xi32>
    %c = arith.addi %a, %b : tensor<512xi32>
    fsm.store %c, %to[%at] : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
    %f = arith.sitofp %c : tensor<512xi32> to tensor<512xf32>
    %next = arith.addf %sum, %f : tensor<512xf32>
    scf.yield %next : tensor<512xf32>
  }
  fsm.store %sums, %total[%at] : tensor<512xf32>, !fsm.ptr<f32>, tensor<512xi32>
  fsm.return
}
