// The lock of wait-for-lock.mlir, taken by a maximum of floats: what no single instruction does is a loop of compare-and-swaps,
// which one thread goes round by itself here, without a vote of its warp.
// RUN: %python -c "import numpy; numpy.save(r'%t-x.npy', numpy.random.default_rng(4).integers(-9, 10, (6, 300)).astype(numpy.float32)); numpy.save(r'%t-sum.npy', numpy.load(r'%t-x.npy').sum(0))"
// DEFINE: %{run} = %fsm_run %s --grid=6 --arg=f32[300] --arg=@%t-x.npy --check=0:%t-sum.npy
// RUN: %{run} --arg=f32[2] --device=interp
// RUN: %{run} --arg=f32[2] --device=cpu
// RUN: %{run} --arg=f32[2] --device=sim --target=sm_90a --num-warps=4
// RUN: %{run} --arg=f64[2] -D TYPE=f64 --device=sim --target=sm_80 --num-warps=2
// RUN: %{run} --arg=f64[2] -D TYPE=f64 --device=sim --target=sm_90a --num-warps=2 --num-ctas=2
// RUN: %{run} --arg=f32[2] --device=sim --target=sm_80 --num-warps=1

// param TYPE = f32
fsm.kernel @sum_in_turns(%sum: !fsm.ptr<f32>, %x: !fsm.ptr<f32>, %lock: !fsm.ptr<${TYPE}>) {
  %none = arith.constant 0.0 : ${TYPE}
  %one = arith.constant 1.0 : ${TYPE}
  %width = arith.constant 300 : i32
  %pid = fsm.program_id x : i32
  %begin = arith.muli %pid, %width : i32
  %places = fsm.range 0, 300 : tensor<300xi32>
  %row = fsm.offset %x, %begin : !fsm.ptr<f32>, i32
  %own = fsm.load %row[%places] : !fsm.ptr<f32>, tensor<300xi32> -> tensor<300xf32>
  scf.while : () -> () {
    %old = fsm.atomic_rmw <max> %one, %lock : ${TYPE}, !fsm.ptr<${TYPE}>
    %taken = arith.cmpf oeq, %old, %one : ${TYPE}
    scf.condition(%taken)
  } do {
    scf.yield
  }
  %before = fsm.load %sum[%places] : !fsm.ptr<f32>, tensor<300xi32> -> tensor<300xf32>
  %after = arith.addf %before, %own : tensor<300xf32>
  fsm.store %after, %sum[%places] : tensor<300xf32>, !fsm.ptr<f32>, tensor<300xi32>
  fsm.barrier
  %freed = fsm.atomic_rmw <exch> %none, %lock : ${TYPE}, !fsm.ptr<${TYPE}>
  fsm.return
}
