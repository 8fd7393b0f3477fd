// Sums of the parts of a line, by a loop that is written out: the number of the iteration says where a part begins, and how
// often the loop inside of it runs.
//
// RUN: %python -c "import numpy; x = numpy.arange(256, dtype=numpy.int32).reshape(4, 64); s = x[0]*0; [[s.__iadd__(x[i] + j) for j in range(i)] for i in range(4)]; numpy.save(r'%t.npy', s)"
// RUN: %fsm_run %s --device=interp --grid=1 --arg=i32[64] --arg=i32[256]:arange --check=0:%t.npy
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=i32[64] --arg=i32[256]:arange --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --num-warps=1 --grid=1 --arg=i32[64] --arg=i32[256]:arange --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --num-warps=4 --grid=1 --arg=i32[64] --arg=i32[256]:arange --check=0:%t.npy

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
