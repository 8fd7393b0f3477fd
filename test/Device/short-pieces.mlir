// A row that no registers have room for, which is walked in pieces: the last one is short, a tenth of the others.
//
// RUN: %python -c "import numpy; x = numpy.arange(100000, dtype=numpy.int32); numpy.save(r'%t.npy', x.max() - x)"
// RUN: %fsm_run %s --kernel=rest --device=cpu --grid=1 --arg=i32[100000] --arg=i32[100000]:arange --check=0:%t.npy
// RUN: %fsm_run %s --kernel=rest --device=sim --target=sm_80 --grid=1 --arg=i32[100000] --arg=i32[100000]:arange --check=0:%t.npy
// RUN: %fsm_run %s --kernel=rest --device=sim --target=sm_75 --num-warps=8 --grid=1 --arg=i32[100000] --arg=i32[100000]:arange --check=0:%t.npy
//
// A row that is read again behind a store to where it was, which pieces would find: it is not walked.
// RUN: %python -c "import numpy; x = numpy.arange(100000, dtype=numpy.int32); y = x.max() - x; numpy.save(r'%t.p.npy', y); numpy.save(r'%t.q.npy', x + y.sum(dtype=numpy.int32))"
// RUN: %fsm_run %s --kernel=again --device=cpu --grid=1 --arg=i32[100000]:arange --arg=i32[100000] --check=0:%t.p.npy --check=1:%t.q.npy
// RUN: %fsm_run %s --kernel=again --device=sim --target=sm_80 --grid=1 --arg=i32[100000]:arange --arg=i32[100000] --check=0:%t.p.npy --check=1:%t.q.npy

fsm.kernel @rest(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) {
  %at = fsm.range 0, 100000 : tensor<100000xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<100000xi32> -> tensor<100000xi32>
  %most = fsm.reduce <max> %x axis 0 : tensor<100000xi32> -> i32
  %all = fsm.splat %most : tensor<100000xi32>
  %y = arith.subi %all, %x : tensor<100000xi32>
  fsm.store %y, %out[%at] : tensor<100000xi32>, !fsm.ptr<i32>, tensor<100000xi32>
  fsm.return
}

fsm.kernel @again(%p: !fsm.ptr<i32> {fsm.noalias}, %q: !fsm.ptr<i32> {fsm.noalias}) {
  %at = fsm.range 0, 100000 : tensor<100000xi32>
  %x = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<100000xi32> -> tensor<100000xi32>
  %most = fsm.reduce <max> %x axis 0 : tensor<100000xi32> -> i32
  %all = fsm.splat %most : tensor<100000xi32>
  %y = arith.subi %all, %x : tensor<100000xi32>
  fsm.store %y, %p[%at] : tensor<100000xi32>, !fsm.ptr<i32>, tensor<100000xi32>
  %sum = fsm.reduce <sum> %y axis 0 : tensor<100000xi32> -> i32
  %sums = fsm.splat %sum : tensor<100000xi32>
  %z = arith.addi %x, %sums : tensor<100000xi32>
  fsm.store %z, %q[%at] : tensor<100000xi32>, !fsm.ptr<i32>, tensor<100000xi32>
  fsm.return
}
