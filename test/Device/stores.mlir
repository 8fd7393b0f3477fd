// Stores of one program to the same memory, in their order: an element later holds what the last one stored there, be it from
// another thread, and a load between them has what was there then.
//
// RUN: %python -c "import numpy; x = numpy.full(520, -1, numpy.int32); r = numpy.arange(512); x[r] = r; x[r + 1] = 2 * r; x[r + 3] = 3 * r; numpy.save(r'%t.npy', x)"
// RUN: %fsm_run %s --device=interp --kernel=moved --grid=1 --arg=i32[520]:full:-1 --check=0:%t.npy
// RUN: %fsm_run %s --device=cpu --kernel=moved --grid=1 --arg=i32[520]:full:-1 --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --num-warps=1 --kernel=moved --grid=1 --arg=i32[520]:full:-1 --check=0:%t.npy
// RUN: %fsm_run %s --device=sim --num-warps=4 --kernel=moved --grid=1 --arg=i32[520]:full:-1 --check=0:%t.npy
//
// Two arguments of which one begins 8 elements behind the other.
// RUN: %python -c "import numpy; x = numpy.full(520, -1, numpy.int32); r = numpy.arange(512); x[r] = r; x[r + 8] = 2 * r; y = x[r].copy(); x[r] = y + 1; numpy.save(r'%t.both.npy', x)"
// RUN: %fsm_run %s --device=interp --kernel=both --grid=1 --arg=i32[520]:full:-1 --arg=i32[512] --overlap=1:0:8 --check=0:%t.both.npy
// RUN: %fsm_run %s --device=cpu --kernel=both --grid=1 --arg=i32[520]:full:-1 --arg=i32[512] --overlap=1:0:8 --check=0:%t.both.npy
// RUN: %fsm_run %s --device=sim --num-warps=1 --kernel=both --grid=1 --arg=i32[520]:full:-1 --arg=i32[512] --overlap=1:0:8 --check=0:%t.both.npy
// RUN: %fsm_run %s --device=sim --num-warps=4 --kernel=both --grid=1 --arg=i32[520]:full:-1 --arg=i32[512] --overlap=1:0:8 --check=0:%t.both.npy

// A loop that begins in the middle of what was stored in front of it.
// RUN: %fsm_run %s --device=cpu --kernel=middle --grid=1 --arg=i32[4096]:full:-1 --arg=2100 --compare=interp
// RUN: %fsm_run %s --device=sim --num-warps=4 --kernel=middle --grid=1 --arg=i32[4096]:full:-1 --arg=2100 --compare=interp
// RUN: %fsm_run %s --device=sim --num-warps=4 --kernel=middle --grid=1 --arg=i32[4096]:full:-1 --arg=2100 --no-specialize --compare=interp

fsm.kernel @moved(%p: !fsm.ptr<i32>) {
  %r = fsm.range 0, 512 : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %three = arith.constant dense<3> : tensor<512xi32>
  %twice = arith.addi %r, %r : tensor<512xi32>
  %thrice = arith.addi %twice, %r : tensor<512xi32>
  %next = arith.addi %r, %one : tensor<512xi32>
  %later = arith.addi %r, %three : tensor<512xi32>
  fsm.store %r, %p[%r] : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  fsm.store %twice, %p[%next] : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  fsm.store %thrice, %p[%later] : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  fsm.return
}

fsm.kernel @both(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>) {
  %r = fsm.range 0, 512 : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.addi %r, %r : tensor<512xi32>
  fsm.store %r, %p[%r] : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  fsm.store %twice, %q[%r] : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  %x = fsm.load %p[%r] : !fsm.ptr<i32>, tensor<512xi32> -> tensor<512xi32>
  %y = arith.addi %x, %one : tensor<512xi32>
  fsm.store %y, %p[%r] : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  fsm.return
}

fsm.kernel @middle(%p: !fsm.ptr<i32>, %n: i32) {
  %middle = arith.constant 64 : i32
  %whole = arith.constant 1024 : i32
  %r = fsm.range 0, 1024 : tensor<1024xi32>
  %all = fsm.splat %n : tensor<1024xi32>
  fsm.store %r, %p[%r] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  scf.for %i = %middle to %n step %whole : i32 {
    %b = fsm.splat %i : tensor<1024xi32>
    %o = arith.addi %b, %r overflow<nsw> : tensor<1024xi32>
    fsm.store %all, %p[%o] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  }
  fsm.return
}
