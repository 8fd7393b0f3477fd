// Why loads stay.

// RUN: %fsm_opt %s --fsm-schedule-loops --split-input-file | FileCheck %s
// RUN: %fsm_opt %s --fsm-schedule-loops=remarks=true --split-input-file --verify-diagnostics -o %t.mlir

#big = #fsm.layout<register = [[1], [64], [128], [256], [512], [1024], [2048]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>
#lines = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// What a store of the same iteration may have written is read behind it. So is what an atomic, a barrier or a
// volatile access orders, wherever in the loop.
// CHECK-LABEL: fsm.kernel @ordered
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// CHECK-NOT:     fsm.stages
fsm.kernel @ordered(%p: !fsm.ptr<i32>, %flag: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    fsm.store %i, %p : i32, !fsm.ptr<i32>
    // expected-remark@+1 {{this load does not run ahead of its loop: 'fsm.store' before it in the same iteration may write what it reads}}
    %x = fsm.load %p {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %flag : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    %even = arith.cmpi eq, %i, %zero : i32
    scf.if %even {
      fsm.store %i, %p : i32, !fsm.ptr<i32>
    }
    // expected-remark@+1 {{this load does not run ahead of its loop: 'scf.if' before it in the same iteration may write what it reads}}
    %x = fsm.load %p {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %flag : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    // expected-remark@+1 {{this load does not run ahead of its loop: 'fsm.atomic_rmw' in the loop orders the accesses around it}}
    %x = fsm.load %p {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    %old = fsm.atomic_rmw <add> %x, %flag sem = acq_rel : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    // expected-remark@+1 {{this load does not run ahead of its loop: 'fsm.load' in the loop orders the accesses around it}}
    %x = fsm.load %p volatile {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %flag : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    // expected-remark@+1 {{this load does not run ahead of its loop: 'fsm.store' in the loop orders the accesses around it}}
    %x = fsm.load %p {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %flag volatile : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// A store behind the load, and one to other memory before it, are no reason: num_stages promises the first.
// CHECK-LABEL: fsm.kernel @promised
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32}
// CHECK-NEXT:    fsm.store {{.*}} : i32, !fsm.ptr<i32>
fsm.kernel @promised(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    fsm.store %i, %q : i32, !fsm.ptr<i32>
    // expected-remark@+1 {{this load runs 1 iteration ahead, into registers: a scalar takes one register}}
    %x = fsm.load %p {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %p : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// An address that needs what stays, stays.
// CHECK-LABEL: fsm.kernel @addresses
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// CHECK-NOT:     fsm.stages
fsm.kernel @addresses(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32> {fsm.noalias}, %wide: !fsm.ptr<i16>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %even = arith.cmpi eq, %i, %zero : i32
    %a = scf.if %even -> i32 {
      scf.yield %one : i32
    } else {
      scf.yield %i : i32
    }
    %from = fsm.offset %p, %a : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load does not run ahead of its loop: its address needs 'scf.if', which cannot run ahead}}
    %x = fsm.load %from {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  %last = scf.for %i = %zero to %n step %one iter_args(%at = %zero) -> i32 : i32 {
    %from = fsm.offset %p, %at : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load does not run ahead of its loop: its address follows what the iteration before has loaded}}
    %x = fsm.load %from {fsm.access_width = 1 : i32} : !fsm.ptr<i32> -> i32
    scf.yield %x : i32
  } {fsm.num_stages = 2 : i32}
  scf.for %i = %zero to %last step %one : i32 {
    fsm.store %i, %q : i32, !fsm.ptr<i32>
    // expected-remark@+1 {{'fsm.store' before it in the same iteration may write what it reads}}
    %at = fsm.load %q {fsm.access_width = 1 : i32, fsm.buffer = #fsm.load_buffer<bulk>} : !fsm.ptr<i32> -> i32
    %from = fsm.offset %p, %at : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load does not run ahead of its loop: its address needs another load, which stays}}
    %x = fsm.load %from {fsm.access_width = 2 : i32} : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  %b = fsm.range 0, 4096 : tensor<4096xi32, #big>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %wide, %i : !fsm.ptr<i16>, i32
    // expected-remark@+1 {{in registers it would take 64 more a thread}}
    %at = fsm.load %from[%b] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i16>, tensor<4096xi32, #big> -> tensor<4096xi16, #big>
    %k = arith.extsi %at : tensor<4096xi16, #big> to tensor<4096xi32, #big>
    // expected-remark@+1 {{this load does not run ahead of its loop: its address needs another load, which stays}}
    %x = fsm.load %p[%k] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i32>, tensor<4096xi32, #big> -> tensor<4096xi32, #big>
    fsm.store %x, %q[%b] : tensor<4096xi32, #big>, !fsm.ptr<i32>, tensor<4096xi32, #big>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// A loop of which nothing runs ahead.
// CHECK-LABEL: fsm.kernel @loops
// CHECK-NOT:     fsm.stages
// CHECK-NOT:     fsm.buffer
// CHECK:         fsm.return
fsm.kernel @loops(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-remark@+1 {{the loads of this loop do not run ahead: it carries a value that its body does not compute}}
  %swapped:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i32, i32) : i32 {
    %from = fsm.offset %p, %i : !fsm.ptr<i32>, i32
    %x = fsm.load %from : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
    scf.yield %b, %a : i32, i32
  } {fsm.num_stages = 2 : i32}
  fsm.store %swapped#0, %q : i32, !fsm.ptr<i32>
  fsm.return
}

// What is the same in each iteration only the first waits for, unless the kernel writes it.
// CHECK-LABEL: fsm.kernel @same
// CHECK:         fsm.load %weight[%{{.*}}] {{.*}}fsm.buffer = #fsm.load_buffer<none>}
// CHECK:         fsm.load %written[%{{.*}}] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32}
// CHECK:         fsm.load %{{.*}}[%{{.*}}] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32}
fsm.kernel @same(%weight: !fsm.ptr<i32> {fsm.noalias}, %written: !fsm.ptr<i32> {fsm.noalias}, %p: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #lines>
  scf.for %i = %zero to %n step %one : i32 {
    // expected-remark@+1 {{this load does not run ahead of its loop: each iteration reads the same, which the cache keeps}}
    %w = fsm.load %weight[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i32>, tensor<128xi32, #lines> -> tensor<128xi32, #lines>
    // expected-remark@+1 {{this load runs 1 iteration ahead, into shared memory: each thread copies 16 bytes at a time}}
    %y = fsm.load %written[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i32>, tensor<128xi32, #lines> -> tensor<128xi32, #lines>
    %from = fsm.offset %p, %i : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load runs 1 iteration ahead, into shared memory: each thread copies 16 bytes at a time}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i32>, tensor<128xi32, #lines> -> tensor<128xi32, #lines>
    %s = arith.addi %w, %x : tensor<128xi32, #lines>
    %t = arith.addi %s, %y : tensor<128xi32, #lines>
    %to = fsm.offset %written, %n : !fsm.ptr<i32>, i32
    fsm.store %t, %to[%o] : tensor<128xi32, #lines>, !fsm.ptr<i32>, tensor<128xi32, #lines>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

#lines = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// A number that the loop carries makes each iteration's place another.
// CHECK-LABEL: fsm.kernel @carried
// CHECK:         fsm.load %{{.*}}[%{{.*}}] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32}
fsm.kernel @carried(%out: !fsm.ptr<i32> {fsm.noalias}, %p: !fsm.ptr<i32> {fsm.noalias}, %step: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #lines>
  %none = arith.constant dense<0> : tensor<128xi32, #lines>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%at = %zero, %sum = %none) -> (i32, tensor<128xi32, #lines>) : i32 {
    %from = fsm.offset %p, %at : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load runs 1 iteration ahead, into shared memory: each thread copies 16 bytes at a time}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i32>, tensor<128xi32, #lines> -> tensor<128xi32, #lines>
    %s = arith.addi %sum, %x : tensor<128xi32, #lines>
    %next = arith.addi %at, %step : i32
    scf.yield %next, %s : i32, tensor<128xi32, #lines>
  } {fsm.num_stages = 2 : i32}
  fsm.store %r#1, %out[%o] : tensor<128xi32, #lines>, !fsm.ptr<i32>, tensor<128xi32, #lines>
  fsm.return
}
