// What shared memory has no room for: fewer stages, and where not even two fit, none for that load.

// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-schedule-loops --split-input-file --verify-diagnostics -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-schedule-loops=remarks=true --split-input-file -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not %fsm_opt %s --fsm-stage-exchanges --fsm-schedule-loops=strict=true --split-input-file -o %t.strict.mlir 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-schedule-loops='target=sm_75 strict=true' --split-input-file -o %t.mlir

// 64 KiB a slot, and sm_90a has 227 KiB.
// STRICT: error: num_stages is reduced from 6 to 4: 6 stages need 327680 bytes of shared memory a program, of which sm_90a has 232448 left; use smaller blocks or a lower num_stages
// CHECK-LABEL: fsm.kernel @fewer
// CHECK:         fsm.load {{.*}} fsm.stage = 0 : i32}
// CHECK:         {fsm.forced_stages, fsm.num_stages = 6 : i32, fsm.stages = 4 : i32}
#wide = #fsm.layout<register = [[1], [2], [1024], [2048], [4096], [8192]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256], [512]], cta = []>
fsm.kernel @fewer(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 16384 : tensor<16384xi32, #wide>
  // expected-warning@+1 {{num_stages is reduced from 6 to 4: 6 stages need 327680 bytes of shared memory a program, of which sm_90a has 232448 left; use smaller blocks or a lower num_stages}}
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    // expected-note@+1 {{this load is to run ahead of the loop}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<16384xi32, #wide> -> tensor<16384xf32, #wide>
    fsm.store %x, %out[%o] : tensor<16384xf32, #wide>, !fsm.ptr<f32>, tensor<16384xi32, #wide>
  } {fsm.forced_stages, fsm.num_stages = 6 : i32}
  fsm.return
}

// -----

// What one loop has taken the next one does not have; nor have programs that share a cta more than their part.
// STRICT: error: num_stages is reduced from 3 to 2: 3 stages need 131072 bytes of shared memory a program, of which sm_90a has 116224 left
// CHECK-LABEL: fsm.kernel @packed
// CHECK:         {fsm.forced_stages, fsm.num_stages = 3 : i32, fsm.stages = 2 : i32}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// REMARK:        remark: this load does not run ahead of its loop: shared memory has no room for it
// CHECK:         {fsm.forced_stages, fsm.num_stages = 2 : i32}
#wide = #fsm.layout<register = [[1], [2], [1024], [2048], [4096], [8192]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256], [512]], cta = []>
fsm.kernel @packed(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 8 : i32, fsm.programs_per_cta = 2 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 16384 : tensor<16384xi32, #wide>
  // expected-warning@+1 {{num_stages is reduced from 3 to 2: 3 stages need 131072 bytes of shared memory a program, of which sm_90a has 116224 left; use smaller blocks or a lower num_stages}}
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    // expected-note@+1 {{this load is to run ahead of the loop}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<16384xi32, #wide> -> tensor<16384xf32, #wide>
    fsm.store %x, %out[%o] : tensor<16384xf32, #wide>, !fsm.ptr<f32>, tensor<16384xi32, #wide>
  } {fsm.forced_stages, fsm.num_stages = 3 : i32}
  // expected-warning@+1 {{num_stages is reduced from 2 to 1: 2 stages need 65536 bytes of shared memory a program, of which sm_90a has 50688 left; use smaller blocks or a lower num_stages}}
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    // expected-note@+1 {{this load is to run ahead of the loop}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<16384xi32, #wide> -> tensor<16384xf32, #wide>
    fsm.store %x, %out[%o] : tensor<16384xf32, #wide>, !fsm.ptr<f32>, tensor<16384xi32, #wide>
  } {fsm.forced_stages, fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

// The scratch of an exchange has its room first; a load in registers needs none.
// STRICT: error: num_stages is reduced from 2 to 1: 2 stages need 131072 bytes of shared memory a program, of which sm_90a has 101376 left
// CHECK-LABEL: fsm.kernel @scratch
// CHECK:         fsm.load {{.*}}fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 0 : i32}
// CHECK:         fsm.load {{.*}} fsm.buffer = #fsm.load_buffer<none>}
// REMARK:        remark: this load does not run ahead of its loop: shared memory has no room for it
// CHECK:         {fsm.forced_stages, fsm.num_stages = 2 : i32, fsm.stages = 2 : i32}
#wide = #fsm.layout<register = [[1], [2], [1024], [2048], [4096], [8192], [16384]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256], [512]], cta = []>
#far = #fsm.layout<register = [[256], [512], [1024], [2048], [4096], [8192], [16384]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]], cta = []>
fsm.kernel @scratch(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 32768 : tensor<32768xi32, #wide>
  %f = fsm.range 0, 32768 : tensor<32768xi32, #far>
  // expected-warning@+1 {{num_stages is reduced from 2 to 1: 2 stages need 131072 bytes of shared memory a program}}
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    // expected-note@+1 {{this load is to run ahead of the loop}}
    %s = fsm.load %from : !fsm.ptr<f32> -> f32
    // expected-note@+1 {{this load is to run ahead of the loop}}
    %x = fsm.load %from[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<32768xi32, #wide> -> tensor<32768xf32, #wide>
    %y = fsm.convert_layout %x : tensor<32768xf32, #wide> -> tensor<32768xf32, #far>
    %t = fsm.splat %s : tensor<32768xf32, #far>
    %z = arith.addf %y, %t : tensor<32768xf32, #far>
    fsm.store %z, %out[%f] : tensor<32768xf32, #far>, !fsm.ptr<f32>, tensor<32768xi32, #far>
  } {fsm.forced_stages, fsm.num_stages = 2 : i32}
  fsm.return
}
