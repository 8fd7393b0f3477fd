// Sums of the parts of a line, by a loop that is written out: the number of the iteration says where a part begins, and how
// often the loop inside of it runs.
//
// RUN: %python -c "import numpy; x = numpy.arange(256, dtype=numpy.int32).reshape(4, 64); s = x[0]*0; [[s.__iadd__(x[i] + j) for j in range(i)] for i in range(4)]; numpy.save(r'%t.npy', s)"
// RUN: %fsm_run %s --kernel=parts --device=interp --grid=1 --arg=i32[64] --arg=i32[256]:arange --check=0:%t.npy
// RUN: %fsm_run %s --kernel=parts --device=cpu --grid=1 --arg=i32[64] --arg=i32[256]:arange --check=0:%t.npy
// RUN: %fsm_run %s --kernel=parts --device=sim --num-warps=1 --grid=1 --arg=i32[64] --arg=i32[256]:arange --check=0:%t.npy
// RUN: %fsm_run %s --kernel=parts --device=sim --num-warps=4 --grid=1 --arg=i32[64] --arg=i32[256]:arange --check=0:%t.npy
//
// A loop from 1 to 9 by 3: the last number is 7, and the step does not divide the distance.
// RUN: %python -c "import numpy; x = numpy.arange(64, dtype=numpy.int32); y = x; exec('for i in (1, 4, 7): y = y * i + x'); numpy.save(r'%t.steps.npy', y)"
// RUN: %fsm_run %s --kernel=steps --device=interp --grid=1 --arg=i32[64] --arg=i32[64]:arange --check=0:%t.steps.npy
// RUN: %fsm_run %s --kernel=steps --device=cpu --grid=1 --arg=i32[64] --arg=i32[64]:arange --check=0:%t.steps.npy
// RUN: %fsm_run %s --kernel=steps --device=sim --num-warps=1 --grid=1 --arg=i32[64] --arg=i32[64]:arange --check=0:%t.steps.npy
// RUN: %fsm_run %s --kernel=steps --device=sim --num-warps=4 --grid=1 --arg=i32[64] --arg=i32[64]:arange --check=0:%t.steps.npy

fsm.kernel @parts(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %length = arith.constant 64 : i32
  %at = fsm.places : tensor<256xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
  %none = arith.constant dense<0> : tensor<64xi32>
  %sum = scf.for %i = %zero to %four step %one iter_args(%outer = %none) -> (tensor<64xi32>) : i32 {
    %first = arith.muli %i, %length : i32
    %part = fsm.slice %x[%first] : tensor<256xi32> -> tensor<64xi32>
    %more = scf.for %j = %zero to %i step %one iter_args(%inner = %outer) -> (tensor<64xi32>) : i32 {
      %js = fsm.splat %j : tensor<64xi32>
      %moved = arith.addi %part, %js : tensor<64xi32>
      %next = arith.addi %inner, %moved : tensor<64xi32>
      scf.yield %next : tensor<64xi32>
    } {fsm.unroll}
    scf.yield %more : tensor<64xi32>
  } {fsm.unroll}
  %to = fsm.places : tensor<64xi32>
  fsm.store %sum, %out[%to] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

fsm.kernel @steps(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {
  %one = arith.constant 1 : i32
  %end = arith.constant 9 : i32
  %three = arith.constant 3 : i32
  %at = fsm.places : tensor<64xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %product = scf.for %i = %one to %end step %three iter_args(%before = %x) -> (tensor<64xi32>) : i32 {
    %is = fsm.splat %i : tensor<64xi32>
    %more = arith.muli %before, %is : tensor<64xi32>
    %next = arith.addi %more, %x : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  } {fsm.unroll}
  fsm.store %product, %out[%at] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
