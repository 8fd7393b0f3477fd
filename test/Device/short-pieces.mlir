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
//
// What one piece has that is no number stays in the maximum of all, and only there.
// RUN: %python -c "import numpy; x = numpy.arange(100000, dtype=numpy.float32); x[[7, 70000]] = numpy.nan; numpy.save(r'%t.n.npy', x); numpy.save(r'%t.m.npy', numpy.array([numpy.nan, 99999], numpy.float32))"
// RUN: %fsm_run %s --kernel=nans --device=cpu --grid=1 --arg=f32[2] --arg=@%t.n.npy --check=0:%t.m.npy
// RUN: %fsm_run %s --kernel=nans --device=sim --target=sm_80 --grid=1 --arg=f32[2] --arg=@%t.n.npy --check=0:%t.m.npy
//
// A number that is loaded where a row's maximum says, before the row is written.
// RUN: %python -c "import numpy; x = numpy.arange(100000, dtype=numpy.int32); numpy.save(r'%t.w.npy', x * 3); numpy.save(r'%t.v.npy', x[-1:])"
// RUN: %fsm_run %s --kernel=found --device=cpu --grid=1 --arg=i32[1] --arg=i32[100000]:arange --arg=i32[100000]:arange --check=0:%t.v.npy --check=1:%t.w.npy
// RUN: %fsm_run %s --kernel=found --device=sim --target=sm_80 --grid=1 --arg=i32[1] --arg=i32[100000]:arange --arg=i32[100000]:arange --check=0:%t.v.npy --check=1:%t.w.npy

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

fsm.kernel @nans(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) attributes {fsm.piece = 4096 : i32} {
  %at = fsm.range 0, 100000 : tensor<100000xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<f32>, tensor<100000xi32> -> tensor<100000xf32>
  %any = fsm.reduce <max> %x axis 0 propagate_nan : tensor<100000xf32> -> f32
  %most = fsm.reduce <max> %x axis 0 : tensor<100000xf32> -> f32
  %one = arith.constant 1 : i32
  %next = fsm.offset %out, %one : !fsm.ptr<f32>, i32
  fsm.store %any, %out : f32, !fsm.ptr<f32>
  fsm.store %most, %next : f32, !fsm.ptr<f32>
  fsm.return
}

fsm.kernel @found(%out: !fsm.ptr<i32> {fsm.noalias}, %p: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) {
  %at = fsm.range 0, 100000 : tensor<100000xi32>
  %three = arith.constant dense<3> : tensor<100000xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<100000xi32> -> tensor<100000xi32>
  %most = fsm.reduce <max> %x axis 0 : tensor<100000xi32> -> i32
  %place = fsm.offset %p, %most : !fsm.ptr<i32>, i32
  %found = fsm.load %place : !fsm.ptr<i32> -> i32
  %y = arith.muli %x, %three : tensor<100000xi32>
  fsm.store %y, %p[%at] : tensor<100000xi32>, !fsm.ptr<i32>, tensor<100000xi32>
  fsm.store %found, %out : i32, !fsm.ptr<i32>
  fsm.return
}
