// Programs that end with a number, which their first warp finishes alone: sums and maxima behind one another, tuples, sums of columns, scalars
// that are loaded and stored in between.
//
// RUN: %python -c "import numpy as n; r = n.random.default_rng(7); x = r.integers(-50, 50, (5, 1024)).astype(n.float32); n.save(r'%t.in.npy', x); m = x.max(1); k = x.argmax(1); d = (x - m[:, None]).sum(1); c = x.reshape(5, 32, 32).sum(1); n.save(r'%t.npy', n.stack([m, k, d + x[n.arange(5), k]], 1).astype(n.float32)); n.save(r'%t.sums.npy', c)"
// RUN: %fsm_run %s --device=interp --grid=5 --arg=f32[5x3] --arg=f32[5x32] --arg=@%t.in.npy --check=0:%t.npy --check=1:%t.sums.npy
// RUN: %fsm_run %s --device=cpu --grid=5 --arg=f32[5x3] --arg=f32[5x32] --arg=@%t.in.npy --check=0:%t.npy --check=1:%t.sums.npy
// RUN: %fsm_run %s --device=sim --num-warps=1 --grid=5 --arg=f32[5x3] --arg=f32[5x32] --arg=@%t.in.npy --check=0:%t.npy --check=1:%t.sums.npy
// RUN: env FSM_SIMULATOR=seed=3,global_races=1 %fsm_run %s --device=sim --num-warps=4 --grid=5 --arg=f32[5x3] --arg=f32[5x32] --arg=@%t.in.npy --check=0:%t.npy --check=1:%t.sums.npy
// RUN: env FSM_SIMULATOR=seed=5,global_races=1 %fsm_run %s --device=sim --num-warps=8 --grid=5 --arg=f32[5x3] --arg=f32[5x32] --arg=@%t.in.npy --check=0:%t.npy --check=1:%t.sums.npy
// RUN: %fsm_run %s --device=sim --num-warps=4 --num-ctas=2 --target=sm_90a --grid=5 --arg=f32[5x3] --arg=f32[5x32] --arg=@%t.in.npy --check=0:%t.npy --check=1:%t.sums.npy
// RUN: %fsm_run %s --target=sm_90a --num-warps=4 --print-ir-after=fsm-finish-alone --arg=f32[5x3] --arg=f32[5x32] --arg=f32[5x1024] | FileCheck %s

// CHECK: fsm.shared_barrier <program> {fsm.first_warp}
fsm.kernel @ends(%out: !fsm.ptr<f32>, %sums: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %row = fsm.program_id x : i32
  %length = arith.constant 1024 : i32
  %width = arith.constant 3 : i32
  %wide = arith.constant 32 : i32
  %first = arith.muli %row, %length overflow<nsw> : i32
  %src = fsm.offset %in, %first : !fsm.ptr<f32>, i32
  %to = arith.muli %row, %width overflow<nsw> : i32
  %dst = fsm.offset %out, %to : !fsm.ptr<f32>, i32
  %places = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %src[%places] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %tile = fsm.reshape %x : tensor<1024xf32> -> tensor<32x32xf32>
  %columns = fsm.reduce <sum> %tile axis 0 : tensor<32x32xf32> -> tensor<32xf32>
  %max, %at = fsm.reduce_with %x, %places axis 0 : tensor<1024xf32>, tensor<1024xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %equal = arith.cmpf oeq, %a, %b : f32
    %before = arith.cmpi slt, %i, %j : i32
    %tie = arith.andi %equal, %before : i1
    %left = arith.ori %more, %tie : i1
    %value = arith.select %left, %a, %b : f32
    %index = arith.select %left, %i, %j : i32
    fsm.yield %value, %index : f32, i32
  }
  fsm.store %max, %dst : f32, !fsm.ptr<f32>
  %maxes = fsm.splat %max : tensor<1024xf32>
  %below = arith.subf %x, %maxes : tensor<1024xf32>
  %sum = fsm.reduce <sum> %below axis 0 : tensor<1024xf32> -> f32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %second = fsm.offset %dst, %one : !fsm.ptr<f32>, i32
  %number = arith.sitofp %at : i32 to f32
  fsm.store %number, %second : f32, !fsm.ptr<f32>
  %named_at = fsm.offset %src, %at : !fsm.ptr<f32>, i32
  %named = fsm.load %named_at : !fsm.ptr<f32> -> f32
  %both = arith.addf %sum, %named : f32
  %third = fsm.offset %dst, %two : !fsm.ptr<f32>, i32
  fsm.store %both, %third : f32, !fsm.ptr<f32>
  %begin = arith.muli %row, %wide overflow<nsw> : i32
  %line = fsm.offset %sums, %begin : !fsm.ptr<f32>, i32
  %lanes = fsm.range 0, 32 : tensor<32xi32>
  fsm.store %columns, %line[%lanes] : tensor<32xf32>, !fsm.ptr<f32>, tensor<32xi32>
  fsm.return
}
