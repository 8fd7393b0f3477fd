// Which loads run ahead of their loop, how far, where their elements wait, and why others stay.

// RUN: %fsm_opt %s --fsm-schedule-loops --split-input-file | FileCheck %s
// RUN: %fsm_opt %s --fsm-schedule-loops=remarks=true --split-input-file --verify-diagnostics -o %t.mlir
// RUN: %fsm_opt %s --fsm-schedule-loops=target=sm_75 --split-input-file | FileCheck %s --check-prefix=SM75
// RUN: %fsm_opt %s --fsm-schedule-loops='target=sm_75 remarks=true' --split-input-file -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK75
// REMARK75: remark: this load runs 1 iteration ahead, into registers: asynchronous copies begin with sm_80
// RUN: not %fsm_opt %s --fsm-schedule-loops=target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown GPU target 'sm_1'; expected one of sm_75, {{.*}}sm_120

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// A plan says in which of three stages the load begins, and where the row waits. Nothing moves.
// CHECK-LABEL: fsm.kernel @one
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT:      %[[A:.*]] = arith.muli %[[I]], %{{.*}} : i32
// CHECK-NEXT:      %[[ROW:.*]] = fsm.offset %{{.*}}, %[[A]] : !fsm.ptr<f32>, i32
// CHECK-NEXT:      fsm.load %[[ROW]][%{{.*}}] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32, fsm.buffer = #fsm.load_buffer<async>, fsm.stage = 0 : i32}
// CHECK-NEXT:      fsm.offset
// CHECK-NEXT:      fsm.store
// CHECK-NEXT:    } {fsm.num_stages = 3 : i32, fsm.stages = 3 : i32}
// Without asynchronous copies it runs one iteration ahead, in registers.
// SM75-LABEL: fsm.kernel @one
// SM75:         arith.muli {{[^{]*$}}
// SM75:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 1 : i32}
// SM75:         {fsm.num_stages = 3 : i32, fsm.stages = 3 : i32}
fsm.kernel @one(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %stride: i32, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %a = arith.muli %i, %stride : i32
    %from = fsm.offset %in, %a : !fsm.ptr<f32>, i32
    // expected-remark@+1 {{this load runs 2 iterations ahead, into shared memory: each thread copies 16 bytes at a time}}
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
    // expected-remark@+1 {{this load runs 1 iteration ahead, into registers: a scalar takes one register}}
    %x = fsm.load %from : !fsm.ptr<f32> -> f32
    fsm.store %x, %out : f32, !fsm.ptr<f32>
  } {fsm.num_stages = 100 : i32}
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
    // expected-remark@+1 {{this load runs 4 iterations ahead, into registers: addresses are computed from it}}
    %k = fsm.load %from[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i32>, tensor<128xi32, #row> -> tensor<128xi32, #row>
    // expected-remark@+1 {{this load runs 2 iterations ahead, into shared memory: each thread copies 4 bytes at a time}}
    %x = fsm.load %in[%k] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.num_stages = 5 : i32}
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
    // expected-remark@below {{this load runs 1 iteration ahead, into registers}}
    %x = fsm.load %from : !fsm.ptr<i32> -> i32
    fsm.store %x, %q : i32, !fsm.ptr<i32>
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
    // expected-remark@+1 {{this load runs 1 iteration ahead, into registers: its accesses have 2 bytes each, and an asynchronous copy has 4, 8 or 16}}
    %x = fsm.load %from[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<64xi32, #half> -> tensor<64xf16, #half>
    // expected-remark@+1 {{this load runs 1 iteration ahead, into registers: several threads hold each element}}
    %y = fsm.load %wide[%t] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<16xi32, #twice> -> tensor<16xf32, #twice>
    // expected-remark@+1 {{this load does not run ahead of its loop: its accesses have 2 bytes each, and an asynchronous copy has 4, 8 or 16; in registers it would take 64 more a thread}}
    %z = fsm.load %from[%b] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<4096xi32, #big> -> tensor<4096xf16, #big>
    fsm.store %x, %out[%o] : tensor<64xf16, #half>, !fsm.ptr<f16>, tensor<64xi32, #half>
    fsm.store %z, %out[%b] : tensor<4096xf16, #big>, !fsm.ptr<f16>, tensor<4096xi32, #big>
    fsm.store %y, %wide[%t] : tensor<16xf32, #twice>, !fsm.ptr<f32>, tensor<16xi32, #twice>
  } {fsm.num_stages = 4 : i32}
  fsm.return
}
