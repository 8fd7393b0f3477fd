// Products that tensor cores compute get the shape of the instruction with the largest k that divides their inner
// extent, or with the least k; others get nothing.
//
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-products{target=sm_80}))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-products{target=sm_75}))' | FileCheck %s --check-prefix=OLD
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-products{target=sm_90a}))' | FileCheck %s --check-prefixes=CHECK,NINETY
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-products{target=sm_12}))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: {{.*}}sm_12

// Factors of f8 become f16.
// CHECK-LABEL: @planned
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 16, 8, 16>} : tensor<64x32xf16>
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 16, 8, 8>} : tensor<64x24xf16>
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 16, 8, 16>} : tensor<9x32xbf16>
// CHECK:         fsm.dot {{.*}} precision = tf32 {fsm.mma = array<i64: 16, 8, 4>} : tensor<16x12xf32>
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 16, 8, 32>} : tensor<16x64xi8>
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 8, 8, 4>} : tensor<5x16xf64>
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 16, 8, 16>} : tensor<64x32xf8E4M3FN>
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 16, 8, 8>} : tensor<64x36xf16>
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 16, 8, 16>} : tensor<16x40xi8>
// OLD-LABEL:   @planned
// OLD-NOT:       fsm.mma
fsm.kernel @planned() {
  %a0 = ub.poison : tensor<64x32xf16>
  %b0 = ub.poison : tensor<32x16xf16>
  %c0 = ub.poison : tensor<64x16xf32>
  %d0 = fsm.dot %a0, %b0, %c0 : tensor<64x32xf16>, tensor<32x16xf16> -> tensor<64x16xf32>
  %a1 = ub.poison : tensor<64x24xf16>
  %b1 = ub.poison : tensor<24x16xf16>
  %c1 = ub.poison : tensor<64x16xf32>
  %d1 = fsm.dot %a1, %b1, %c1 : tensor<64x24xf16>, tensor<24x16xf16> -> tensor<64x16xf32>
  %a2 = ub.poison : tensor<9x32xbf16>
  %b2 = ub.poison : tensor<32x5xbf16>
  %c2 = ub.poison : tensor<9x5xf32>
  %d2 = fsm.dot %a2, %b2, %c2 : tensor<9x32xbf16>, tensor<32x5xbf16> -> tensor<9x5xf32>
  %a3 = ub.poison : tensor<16x12xf32>
  %b3 = ub.poison : tensor<12x8xf32>
  %c3 = ub.poison : tensor<16x8xf32>
  %d3 = fsm.dot %a3, %b3, %c3 precision = tf32 : tensor<16x12xf32>, tensor<12x8xf32> -> tensor<16x8xf32>
  %a4 = ub.poison : tensor<16x64xi8>
  %b4 = ub.poison : tensor<64x8xi8>
  %c4 = ub.poison : tensor<16x8xi32>
  %d4 = fsm.dot %a4, %b4, %c4 : tensor<16x64xi8>, tensor<64x8xi8> -> tensor<16x8xi32>
  %a5 = ub.poison : tensor<5x16xf64>
  %b5 = ub.poison : tensor<16x8xf64>
  %c5 = ub.poison : tensor<5x8xf64>
  %d5 = fsm.dot %a5, %b5, %c5 : tensor<5x16xf64>, tensor<16x8xf64> -> tensor<5x8xf64>
  %a6 = ub.poison : tensor<64x32xf8E4M3FN>
  %b6 = ub.poison : tensor<32x16xf8E4M3FN>
  %c6 = ub.poison : tensor<64x16xf32>
  %d6 = fsm.dot %a6, %b6, %c6 : tensor<64x32xf8E4M3FN>, tensor<32x16xf8E4M3FN> -> tensor<64x16xf32>
  %a7 = ub.poison : tensor<64x36xf16>
  %b7 = ub.poison : tensor<36x16xf16>
  %c7 = ub.poison : tensor<64x16xf32>
  %d7 = fsm.dot %a7, %b7, %c7 : tensor<64x36xf16>, tensor<36x16xf16> -> tensor<64x16xf32>
  %a9 = ub.poison : tensor<16x40xi8>
  %b9 = ub.poison : tensor<40x8xi8>
  %c9 = ub.poison : tensor<16x8xi32>
  %d9 = fsm.dot %a9, %b9, %c9 : tensor<16x40xi8>, tensor<40x8xi8> -> tensor<16x8xi32>
  fsm.return
}

// Of f64, up to eight rows have the form of sm_80, and more those of sm_90, up to 8 products at a time.
// CHECK-LABEL: @doubles
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 8, 8, 4>} : tensor<8x16xf64>
// NINETY:        fsm.dot {{.*}} {fsm.mma = array<i64: 16, 8, 8>} : tensor<9x16xf64>
// NINETY:        fsm.dot {{.*}} {fsm.mma = array<i64: 16, 8, 4>} : tensor<32x12xf64>
// OLD-LABEL:   @doubles
// OLD-NOT:       fsm.mma
fsm.kernel @doubles() {
  %a = ub.poison : tensor<8x16xf64>
  %b = ub.poison : tensor<16x8xf64>
  %c = ub.poison : tensor<8x8xf64>
  %d = fsm.dot %a, %b, %c : tensor<8x16xf64>, tensor<16x8xf64> -> tensor<8x8xf64>
  %a1 = ub.poison : tensor<9x16xf64>
  %c1 = ub.poison : tensor<9x8xf64>
  %d1 = fsm.dot %a1, %b, %c1 : tensor<9x16xf64>, tensor<16x8xf64> -> tensor<9x8xf64>
  %a2 = ub.poison : tensor<32x12xf64>
  %b2 = ub.poison : tensor<12x8xf64>
  %c2 = ub.poison : tensor<32x8xf64>
  %d2 = fsm.dot %a2, %b2, %c2 : tensor<32x12xf64>, tensor<12x8xf64> -> tensor<32x8xf64>
  fsm.return
}

// The precision, batches, few products, few rows, few columns, and factors of which a step does not fit shared
// memory, or not all of an extent that no step divides.
// CHECK-LABEL: @others
// CHECK-NOT:     fsm.mma
fsm.kernel @others() {
  %a0 = ub.poison : tensor<64x32xf32>
  %b0 = ub.poison : tensor<32x16xf32>
  %c0 = ub.poison : tensor<64x16xf32>
  %d0 = fsm.dot %a0, %b0, %c0 precision = ieee : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %a1 = ub.poison : tensor<64x32xf32>
  %b1 = ub.poison : tensor<32x16xf32>
  %c1 = ub.poison : tensor<64x16xf32>
  %d1 = fsm.dot %a1, %b1, %c1 precision = tf32x3 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %a3 = ub.poison : tensor<2x16x16xf16>
  %b3 = ub.poison : tensor<2x16x16xf16>
  %c3 = ub.poison : tensor<2x16x16xf32>
  %d3 = fsm.dot %a3, %b3, %c3 : tensor<2x16x16xf16>, tensor<2x16x16xf16> -> tensor<2x16x16xf32>
  %a4 = ub.poison : tensor<64x7xf16>
  %b4 = ub.poison : tensor<7x16xf16>
  %c4 = ub.poison : tensor<64x16xf32>
  %d4 = fsm.dot %a4, %b4, %c4 : tensor<64x7xf16>, tensor<7x16xf16> -> tensor<64x16xf32>
  %a8 = ub.poison : tensor<900x36xf16>
  %b8 = ub.poison : tensor<36x16xf16>
  %c8 = ub.poison : tensor<900x16xf32>
  %d8 = fsm.dot %a8, %b8, %c8 : tensor<900x36xf16>, tensor<36x16xf16> -> tensor<900x16xf32>
  %a5 = ub.poison : tensor<8x32xf16>
  %b5 = ub.poison : tensor<32x16xf16>
  %c5 = ub.poison : tensor<8x16xf32>
  %d5 = fsm.dot %a5, %b5, %c5 : tensor<8x32xf16>, tensor<32x16xf16> -> tensor<8x16xf32>
  %a6 = ub.poison : tensor<16x32xf16>
  %b6 = ub.poison : tensor<32x4xf16>
  %c6 = ub.poison : tensor<16x4xf32>
  %d6 = fsm.dot %a6, %b6, %c6 : tensor<16x32xf16>, tensor<32x4xf16> -> tensor<16x4xf32>
  %a7 = ub.poison : tensor<1024x16xf16>
  %b7 = ub.poison : tensor<16x8xf16>
  %c7 = ub.poison : tensor<1024x8xf32>
  %d7 = fsm.dot %a7, %b7, %c7 : tensor<1024x16xf16>, tensor<16x8xf16> -> tensor<1024x8xf32>
  fsm.return
}
