// A program gets a cluster of ctas where no number of warps of one leaves a thread enough registers.

// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps))' | FileCheck %s
// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps{target=sm_80}))' | FileCheck %s --check-prefix=SINGLE
// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps{remarks=true}))' 2>&1 >%t | FileCheck %s --check-prefix=REMARK

// 32 words for each thread of one cta.
// CHECK-LABEL: fsm.kernel @largest
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 32 : i32}
fsm.kernel @largest(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 32768 : tensor<32768xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<32768xi32> -> tensor<32768xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<32768xf32> -> f32
  %all = fsm.splat %most : tensor<32768xf32>
  %y = arith.subf %x, %all : tensor<32768xf32>
  fsm.store %y, %p[%o] : tensor<32768xf32>, !fsm.ptr<f32>, tensor<32768xi32>
  fsm.return
}

// -----

// CHECK-LABEL: fsm.kernel @twice
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 8 : i32, num_warps = 8 : i32}
// SINGLE-LABEL: fsm.kernel @twice
// SINGLE-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 32 : i32}
// REMARK: remark: runs a program on a cluster of 8 ctas of 8 warps: one cta has too few registers for its blocks
fsm.kernel @twice(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<65536xf32> -> f32
  %all = fsm.splat %most : tensor<65536xf32>
  %y = arith.subf %x, %all : tensor<65536xf32>
  fsm.store %y, %p[%o] : tensor<65536xf32>, !fsm.ptr<f32>, tensor<65536xi32>
  fsm.return
}

// -----

// CHECK-LABEL: fsm.kernel @four_times
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 8 : i32, num_warps = 16 : i32}
fsm.kernel @four_times(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 131072 : tensor<131072xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<131072xi32> -> tensor<131072xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<131072xf32> -> f32
  %all = fsm.splat %most : tensor<131072xf32>
  %y = arith.subf %x, %all : tensor<131072xf32>
  fsm.store %y, %p[%o] : tensor<131072xf32>, !fsm.ptr<f32>, tensor<131072xi32>
  fsm.return
}

// -----

// CHECK-LABEL: fsm.kernel @sixteen_times
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 16 : i32, num_warps = 32 : i32}
fsm.kernel @sixteen_times(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 524288 : tensor<524288xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<524288xi32> -> tensor<524288xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<524288xf32> -> f32
  %all = fsm.splat %most : tensor<524288xf32>
  %y = arith.subf %x, %all : tensor<524288xf32>
  fsm.store %y, %p[%o] : tensor<524288xf32>, !fsm.ptr<f32>, tensor<524288xi32>
  fsm.return
}

// -----

// The author's warps are those of each cta; programs on several ctas share none.
// CHECK-LABEL: fsm.kernel @asked
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 4 : i32, num_warps = 1 : i32}
fsm.kernel @asked(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32, num_ctas = 4 : i32} {
  fsm.return
}
