// A row that no registers have room for, which is walked in pieces: the last one is short, a tenth of the others.
//
// RUN: %python -c "import numpy; x = numpy.arange(100000, dtype=numpy.int32); numpy.save(r'%t.npy', x.max() - x)"
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=i32[100000] --arg=i32[100000]:arange --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --target=sm_80 --grid=1 --arg=i32[100000] --arg=i32[100000]:arange --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --target=sm_75 --num-warps=8 --grid=1 --arg=i32[100000] --arg=i32[100000]:arange --check=0:%t.npy

fsm.kernel @rest(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) {
  %at = fsm.range 0, 100000 : tensor<100000xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<100000xi32> -> tensor<100000xi32>
  %most = fsm.reduce <max> %x axis 0 : tensor<100000xi32> -> i32
  %all = fsm.splat %most : tensor<100000xi32>
  %y = arith.subi %all, %x : tensor<100000xi32>
  fsm.store %y, %out[%at] : tensor<100000xi32>, !fsm.ptr<i32>, tensor<100000xi32>
  fsm.return
}
