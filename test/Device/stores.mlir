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

// A loop that counts without a sign and takes the number for one with a sign: from half of the way on it reads what was stored
// in front of it.
// DEFINE: %{below} = %fsm_run %s --kernel=below --grid=1 --arg=i32[400]:full:-1 --arg=i32[64] --arg=200 --compare=interp
// RUN: %{below} --device=cpu
// RUN: env FSM_SIMULATOR=global_races=2 %{below} --device=sim --num-warps=2
// RUN: env FSM_SIMULATOR=global_races=2,seed=3 %{below} --device=sim --num-warps=2 --no-specialize

// Blocks that go to each place twice: all is loaded before any is stored, and what is stored later stays, though under a mask. A
// processor's loop over vectors would come to a place again.
// DEFINE: %{again} = %fsm_run %s --grid=1 --arg=i32[64]:arange --compare=interp
// RUN: %{again} --kernel=loaded_first --device=cpu
// RUN: %{again} --kernel=loaded_first --device=sim --num-warps=2
// RUN: %{again} --kernel=stored_later --arg=10 --device=cpu
// RUN: %{again} --kernel=stored_later --arg=10 --device=sim --num-warps=2
// RUN: %{again} --kernel=rows_over_rows --arg=0 --device=cpu
// RUN: %{again} --kernel=rows_over_rows --arg=0 --device=sim --num-warps=2
// RUN: %{again} --kernel=rows_over_rows --arg=16 --device=cpu

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

fsm.kernel @below(%p: !fsm.ptr<i32>, %out: !fsm.ptr<i32>, %end: i8) {
  %middle = arith.constant 128 : i32
  %q = fsm.offset %p, %middle : !fsm.ptr<i32>, i32
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %none = arith.constant dense<0> : tensor<64xi32>
  %behind = arith.constant dense<64> : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  fsm.store %r, %q[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %sum = scf.for unsigned %i = %zero to %end step %one iter_args(%before = %none) -> (tensor<64xi32>) : i8 {
    %w = arith.extsi %i : i8 to i32
    %s = fsm.splat %w : tensor<64xi32>
    %a = arith.addi %s, %r overflow<nsw> : tensor<64xi32>
    %b = arith.addi %a, %behind overflow<nsw> : tensor<64xi32>
    %x = fsm.load %q[%b] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %y = arith.muli %x, %b : tensor<64xi32>
    %after = arith.addi %before, %y : tensor<64xi32>
    scf.yield %after : tensor<64xi32>
  }
  fsm.store %sum, %out[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

fsm.kernel @loaded_first(%p: !fsm.ptr<i32>) {
  %r = fsm.range 0, 128 : tensor<128xi32>
  %low = arith.constant dense<63> : tensor<128xi32>
  %one = arith.constant dense<1> : tensor<128xi32>
  %at = arith.andi %r, %low : tensor<128xi32>
  %x = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
  %y = arith.addi %x, %one : tensor<128xi32>
  fsm.store %y, %p[%at] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}

fsm.kernel @stored_later(%p: !fsm.ptr<i32>, %n: i32) {
  %r = fsm.range 0, 128 : tensor<128xi32>
  %low = arith.constant dense<63> : tensor<128xi32>
  %first = arith.constant dense<7> : tensor<128xi32>
  %later = arith.constant dense<1000> : tensor<128xi32>
  %at = arith.andi %r, %low : tensor<128xi32>
  %ends = fsm.splat %n : tensor<128xi32>
  %some = arith.cmpi slt, %r, %ends : tensor<128xi32>
  fsm.store %first, %p[%at] : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.store %later, %p[%at], %some : tensor<128xi32>, !fsm.ptr<i32>, tensor<128xi32>
  fsm.return
}

fsm.kernel @rows_over_rows(%p: !fsm.ptr<i32>, %stride: i32) {
  %at = fsm.places strides [%stride, 1] : tensor<4x16xi32>
  %one = arith.constant dense<1> : tensor<4x16xi32>
  %x = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<4x16xi32> -> tensor<4x16xi32>
  %y = arith.addi %x, %one : tensor<4x16xi32>
  fsm.store %y, %p[%at] : tensor<4x16xi32>, !fsm.ptr<i32>, tensor<4x16xi32>
  fsm.return
}
