// Programs add to one block, one after the other, by a lock for which one thread of each waits.
// RUN: %python -c "import numpy; numpy.save(r'%t-x.npy', numpy.random.default_rng(3).integers(-9, 10, (6, 300)).astype(numpy.float32)); numpy.save(r'%t-sum.npy', numpy.load(r'%t-x.npy').sum(0))"
// DEFINE: %{kernel} = sum_in_turns
// DEFINE: %{run} = %fsm_run %s --kernel=%{kernel} --grid=6 --arg=f32[300] --arg=i32[2] --arg=@%t-x.npy --check=0:%t-sum.npy
// RUN: %{run} --device=interp
// RUN: %{run} --device=cpu
// RUN: %{run} --device=sim --target=sm_90a --num-warps=4
// RUN: %{run} --device=sim --target=sm_80 --num-warps=1
// RUN: %{run} --device=sim --target=sm_90a --num-warps=2 --num-ctas=2
// REDEFINE: %{kernel} = result
// RUN: %{run} --device=interp
// RUN: %{run} --device=sim --target=sm_90a --num-warps=4

fsm.kernel @sum_in_turns(%sum: !fsm.ptr<f32>, %lock: !fsm.ptr<i32>, %x: !fsm.ptr<f32>) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 300 : i32
  %pid = fsm.program_id x : i32
  %begin = arith.muli %pid, %width : i32
  %places = fsm.range 0, 300 : tensor<300xi32>
  %row = fsm.offset %x, %begin : !fsm.ptr<f32>, i32
  %own = fsm.load %row[%places] : !fsm.ptr<f32>, tensor<300xi32> -> tensor<300xf32>
  scf.while : () -> () {
    %old = fsm.atomic_cas %none, %one, %lock : i32, !fsm.ptr<i32>
    %taken = arith.cmpi eq, %old, %one : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  %before = fsm.load %sum[%places] : !fsm.ptr<f32>, tensor<300xi32> -> tensor<300xf32>
  %after = arith.addf %before, %own : tensor<300xf32>
  fsm.store %after, %sum[%places] : tensor<300xf32>, !fsm.ptr<f32>, tensor<300xi32>
  fsm.barrier
  %freed = fsm.atomic_rmw <exch> %none, %lock : i32, !fsm.ptr<i32>
  fsm.return
}

// The loop gives what it has found last.
fsm.kernel @result(%sum: !fsm.ptr<f32>, %lock: !fsm.ptr<i32>, %x: !fsm.ptr<f32>) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %width = arith.constant 300 : i32
  %pid = fsm.program_id x : i32
  %begin = arith.muli %pid, %width : i32
  %places = fsm.range 0, 300 : tensor<300xi32>
  %row = fsm.offset %x, %begin : !fsm.ptr<f32>, i32
  %own = fsm.load %row[%places] : !fsm.ptr<f32>, tensor<300xi32> -> tensor<300xf32>
  %found = scf.while : () -> (i32) {
    %old = fsm.atomic_cas %none, %one, %lock : i32, !fsm.ptr<i32>
    %taken = arith.cmpi eq, %old, %one : i32
    scf.condition(%taken) %old : i32
  } do {
  ^bb0(%last: i32):
    scf.yield
  }
  // What was found is 0.
  %number = arith.sitofp %found : i32 to f32
  %numbers = fsm.splat %number : tensor<300xf32>
  %all = arith.addf %own, %numbers : tensor<300xf32>
  %before = fsm.load %sum[%places] : !fsm.ptr<f32>, tensor<300xi32> -> tensor<300xf32>
  %after = arith.addf %before, %all : tensor<300xf32>
  fsm.store %after, %sum[%places] : tensor<300xf32>, !fsm.ptr<f32>, tensor<300xi32>
  fsm.barrier
  %freed = fsm.atomic_rmw <exch> %none, %lock : i32, !fsm.ptr<i32>
  fsm.return
}
