// Which loads run ahead of their loop, how far, where their elements wait, and why others stay.

// RUN: %fsm_opt %s --fsm-schedule-loops --split-input-file | FileCheck %s
// RUN: %fsm_opt %s --fsm-schedule-loops=remarks=true --split-input-file --verify-diagnostics -o %t.mlir
// RUN: %fsm_opt %s --fsm-schedule-loops=target=sm_75 --split-input-file | FileCheck %s --check-prefix=SM75
// RUN: %fsm_opt %s --fsm-schedule-loops='target=sm_75 remarks=true' --split-input-file -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK75
// REMARK75: remark: this load runs ahead of its loop, into registers: asynchronous copies begin with sm_80
// RUN: not %fsm_opt %s --fsm-schedule-loops=target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown GPU target 'sm_1'; expected one of sm_75, {{.*}}sm_120

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// The address of a row begins again in front of the body, in the first stage; what only it needed is gone from the last.
// CHECK-LABEL: fsm.kernel @one
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[A:.*]] = arith.muli %[[I]], %{{.*}} {fsm.stage = 0 : i32} : i32
// CHECK-NEXT:      %[[ROW:.*]] = fsm.offset %{{.*}}, %[[A]] {fsm.stage = 0 : i32}
// CHECK-NEXT:      %[[X:.*]] = fsm.load %[[ROW]][%{{.*}}] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32}
// CHECK-NEXT:      %[[AGAIN:.*]] = arith.muli %[[I]], %{{.*}} : i32
// CHECK-NEXT:      %[[TO:.*]] = fsm.offset %{{.*}}, %[[AGAIN]]
// CHECK-NEXT:      fsm.store %[[X]], %[[TO]]
// CHECK-NEXT:    } {fsm.num_stages = 3 : i32, fsm.stages = 3 : i32}
// Without asynchronous copies it runs one iteration ahead, in registers.
// SM75-LABEL: fsm.kernel @one
// SM75:         arith.muli {{.*}} {fsm.stage = 1 : i32}
// SM75:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 1 : i32}
// SM75:         {fsm.num_stages = 3 : i32, fsm.stages = 3 : i32}
fsm.kernel @one(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %stride: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %i, %stride : i32
    %from = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    // expected-remark@+1 {{this load runs ahead of its loop, into shared memory: each thread copies 16 bytes at a time}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %to = fsm.offset %out, %a : !fsm.ptr<f32>, i32
    fsm.store %x, %to[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.num_stages = 3 : i32}
  fsm.return
}

// One stage is none; so is no hint.
// CHECK-LABEL: fsm.kernel @off
// CHECK-NOT:     fsm.stage
// CHECK-NOT:     fsm.buffer
// CHECK:         fsm.return
fsm.kernel @off(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from : !fsm.ptr<f32> -> f32
    fsm.store %x, %out : f32, !fsm.ptr<f32>
  } {fsm.num_stages = 1 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from : !fsm.ptr<f32> -> f32
    fsm.store %x, %out : f32, !fsm.ptr<f32>
  }
  fsm.return
}

// More than eight are eight.
// CHECK-LABEL: fsm.kernel @many
// CHECK:         {fsm.num_stages = 100 : i32, fsm.stages = 8 : i32}
fsm.kernel @many(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    // expected-remark@+1 {{this load runs ahead of its loop, into registers: a scalar takes one register}}
    %x = fsm.load %from : !fsm.ptr<f32> -> f32
    fsm.store %x, %out : f32, !fsm.ptr<f32>
  } {fsm.num_stages = 100 : i32}
  fsm.return
}

// A carried address is carried once more for the stage of its load, which is further.
// CHECK-LABEL: fsm.kernel @carried
// CHECK:         scf.for {{.*}} iter_args(%[[LAST:.*]] = %[[IN:.*]], %[[SUM:.*]] = %{{.*}}, %[[EARLY:.*]] = %[[IN]])
// CHECK-NEXT:      fsm.load %[[EARLY]]{{.*}} fsm.stage = 0 : i32}
// CHECK-NEXT:      %[[NEXT:.*]] = fsm.offset %[[EARLY]], %{{.*}} {fsm.stage = 0 : i32}
// CHECK:           %[[STEP:.*]] = fsm.offset %[[LAST]], %{{[^{]*$}}
// CHECK:           scf.yield %[[STEP]], %{{.*}}, %[[NEXT]]
fsm.kernel @carried(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %stride: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %none = arith.constant dense<0.0> : tensor<128xf32, #row>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%from = %in, %sum = %none) -> (!fsm.ptr<f32>, tensor<128xf32, #row>) : i32 {
    // expected-remark@+1 {{this load runs ahead of its loop, into shared memory: each thread copies 4 bytes at a time}}
    %x = fsm.load %from[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %next = fsm.offset %from, %stride : !fsm.ptr<f32>, i32
    %more = arith.addf %sum, %x : tensor<128xf32, #row>
    scf.yield %next, %more : !fsm.ptr<f32>, tensor<128xf32, #row>
  } {fsm.num_stages = 2 : i32}
  fsm.store %r#1, %r#0[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  fsm.return
}

// A load whose address is loaded is a level behind; the levels share the distance. The first goes through registers.
// CHECK-LABEL: fsm.kernel @gather
// CHECK:         %[[K:.*]] = fsm.load {{.*}}fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32}
// CHECK-NEXT:    fsm.load %{{.*}}[%[[K]]] {{.*}} fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 2 : i32}
// CHECK:         {fsm.num_stages = 5 : i32, fsm.stages = 5 : i32}
fsm.kernel @gather(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %index: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %index, %i : !fsm.ptr<i32>, i32
    // expected-remark@+1 {{this load runs ahead of its loop, into registers: addresses are computed from it}}
    %k = fsm.load %from[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i32>, tensor<128xi32, #row> -> tensor<128xi32, #row>
    // expected-remark@+1 {{this load runs ahead of its loop, into shared memory: each thread copies 4 bytes at a time}}
    %x = fsm.load %in[%k] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.num_stages = 5 : i32}
  fsm.return
}

// A copy leaves zeros where the mask is false: another number is put there afterwards, in the last stage, and the
// mask is computed in both.
// CHECK-LABEL: fsm.kernel @other
// CHECK:         arith.cmpi slt, {{.*}} {fsm.stage = 0 : i32}
// CHECK:         %[[X:.*]] = fsm.load %{{[^,]*}}, %{{[^,]*}} {fsm.access_dim{{.*}} fsm.stage = 0 : i32}
// CHECK-NOT:     fsm.stage
// CHECK:         %[[MASK:.*]] = arith.cmpi slt
// CHECK-NEXT:    %[[NINF:.*]] = fsm.splat
// CHECK-NEXT:    %[[Y:.*]] = arith.select %[[MASK]], %[[X]], %[[NINF]]
// CHECK-NEXT:    fsm.store %[[Y]]
fsm.kernel @other(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ninf = arith.constant 0xFF800000 : f32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %end = fsm.splat %i : tensor<128xi32, #row>
    %mask = arith.cmpi slt, %o, %end : tensor<128xi32, #row>
    // expected-remark@+1 {{this load runs ahead of its loop, into shared memory: each thread copies 16 bytes at a time}}
    %x = fsm.load %in[%o], %mask, %ninf {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// Zeros need no choice.
// CHECK-LABEL: fsm.kernel @zeros
// CHECK-NOT:     arith.select
// CHECK:         fsm.return
fsm.kernel @zeros(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %end = fsm.splat %i : tensor<128xi32, #row>
    %mask = arith.cmpi slt, %o, %end : tensor<128xi32, #row>
    // expected-remark@+1 {{this load runs ahead of its loop, into shared memory}}
    %x = fsm.load %in[%o], %mask, %none {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

#half = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>
#twice = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = [], cta = []>
#big = #fsm.layout<register = [[1], [64], [128], [256], [512], [1024], [2048]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>

// Narrow accesses, and elements that several threads hold, go through registers; many of them do not go at all.
// CHECK-LABEL: fsm.kernel @registers
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 2 : i32}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 2 : i32}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
fsm.kernel @registers(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>, %wide: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 64 : tensor<64xi32, #half>
  %t = fsm.range 0, 16 : tensor<16xi32, #twice>
  %b = fsm.range 0, 4096 : tensor<4096xi32, #big>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f16>, i32
    // expected-remark@+1 {{this load runs ahead of its loop, into registers: its accesses have 2 bytes each, and an asynchronous copy has 4, 8 or 16}}
    %x = fsm.load %from[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<64xi32, #half> -> tensor<64xf16, #half>
    // expected-remark@+1 {{this load runs ahead of its loop, into registers: several threads hold each element}}
    %y = fsm.load %wide[%t] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<16xi32, #twice> -> tensor<16xf32, #twice>
    // expected-remark@+1 {{this load does not run ahead of its loop: its accesses have 2 bytes each, and an asynchronous copy has 4, 8 or 16; in registers it would take 64 more a thread}}
    %z = fsm.load %from[%b] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<4096xi32, #big> -> tensor<4096xf16, #big>
    fsm.store %x, %out[%o] : tensor<64xf16, #half>, !fsm.ptr<f16>, tensor<64xi32, #half>
    fsm.store %z, %out[%b] : tensor<4096xf16, #big>, !fsm.ptr<f16>, tensor<4096xi32, #big>
    fsm.store %y, %wide[%t] : tensor<16xf32, #twice>, !fsm.ptr<f32>, tensor<16xi32, #twice>
  } {fsm.num_stages = 4 : i32}
  fsm.return
}

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
    // expected-remark@+1 {{this load runs ahead of its loop, into registers: a scalar takes one register}}
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

// -----

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

// Without a sign, -1 is 2^32 - 1.
// CHECK-LABEL: fsm.kernel @unsigned_step
// CHECK:         fsm.stages = 2 : i32
fsm.kernel @unsigned_step(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %minus = arith.constant -1 : i32
  scf.for unsigned %i = %zero to %n step %minus : i32 {
    %from = fsm.offset %p, %i : !fsm.ptr<i32>, i32
    // expected-remark@below {{this load runs ahead of its loop, into registers}}
    %x = fsm.load %from : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}
