// Rows that a program stores before a loop in stages loads them: one thread may not have them copied, which by itself sees nothing of
// what others have just stored.
//
// RUN: %python -c "import numpy; p = numpy.full(8256, 7, numpy.int32); p[:8192] = numpy.arange(8192); numpy.save(r'%t.npy', sum(p[16 * i:16 * i + 8192] for i in range(3)))"
// RUN: %fsm_run %s --device=interp --grid=1 --arg=i32[8256]:full:7 --arg=i32[8192] --arg=3 --check=1:%t.npy
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=i32[8256]:full:7 --arg=i32[8192] --arg=3 --check=1:%t.npy
// RUN: %fsm_run %s --device=sim --target=sm_90a --grid=1 --arg=i32[8256]:full:7 --arg=i32[8192] --arg=3 --check=1:%t.npy
// RUN: %fsm_run %s --device=sim --target=sm_80 --grid=1 --arg=i32[8256]:full:7 --arg=i32[8192] --arg=3 --check=1:%t.npy

fsm.kernel @written(%in: !fsm.ptr<i32> {fsm.align = 16 : i32, fsm.noalias}, %out: !fsm.ptr<i32> {fsm.align = 16 : i32, fsm.noalias}, %trips: i32) attributes {num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sixteen = arith.constant 16 : i32
  %nothing = arith.constant dense<0> : tensor<8192xi32>
  %line = fsm.range 0, 8192 : tensor<8192xi32>
  fsm.store %line, %in[%line] : tensor<8192xi32>, !fsm.ptr<i32>, tensor<8192xi32>
  %sum = scf.for %i = %zero to %trips step %one iter_args(%before = %nothing) -> (tensor<8192xi32>) : i32 {
    %first = arith.muli %i, %sixteen overflow<nsw> : i32
    %row = fsm.offset %in, %first : !fsm.ptr<i32>, i32
    %values = fsm.load %row[%line] : !fsm.ptr<i32>, tensor<8192xi32> -> tensor<8192xi32>
    %after = arith.addi %before, %values : tensor<8192xi32>
    scf.yield %after : tensor<8192xi32>
  } {fsm.num_stages = 2 : i32}
  fsm.store %sum, %out[%line] : tensor<8192xi32>, !fsm.ptr<i32>, tensor<8192xi32>
  fsm.return
}
