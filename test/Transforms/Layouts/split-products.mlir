// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-split-products{target=sm_90a}))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-split-products{target=sm_75}))' | FileCheck %s --check-prefix=OLD
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-split-products{target=sm_12}))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: {{.*}}sm_12

// A number less its first part is the second; the small products meet by themselves.
// CHECK-LABEL: fsm.kernel @two_parts
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK-DAG:     %[[A1:.*]] = arith.subf %[[A:.*]], %[[A0:.*]] : tensor<64x32xf32>
// CHECK-DAG:     %[[B1:.*]] = arith.subf %[[B:.*]], %[[B0:.*]] : tensor<32x64xf32>
// CHECK:         %[[S1:.*]] = fsm.dot %[[A0]], %[[B1]], %[[ZERO]] precision = tf32
// CHECK:         %[[S2:.*]] = fsm.dot %[[A1]], %[[B0]], %[[S1]] precision = tf32
// CHECK:         %[[ORD:.*]] = arith.cmpf ord, %[[S2]], %[[S2]]
// CHECK:         %[[S:.*]] = arith.select %[[ORD]], %[[S2]], %[[ZERO]]
// CHECK:         %[[ALL:.*]] = arith.addf %[[S]], %[[C:.*]] :
// CHECK:         fsm.dot %[[A0]], %[[B0]], %[[ALL]] precision = tf32
// OLD-LABEL:   fsm.kernel @two_parts
// OLD:           fsm.dot {{.*}} precision = tf32x3
fsm.kernel @two_parts() {
  %a = ub.poison : tensor<64x32xf32>
  %b = ub.poison : tensor<32x64xf32>
  %c = ub.poison : tensor<64x64xf32>
  %d = fsm.dot %a, %b, %c precision = tf32x3 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  fsm.return
}

// Three in bf16 give six products.
// CHECK-LABEL: fsm.kernel @three_parts
// CHECK-COUNT-6: fsm.dot {{.*}} : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
// CHECK-NOT:     fsm.dot
fsm.kernel @three_parts() {
  %a = ub.poison : tensor<16x16xf32>
  %c = ub.poison : tensor<16x16xf32>
  %d = fsm.dot %a, %a, %c precision = bf16x6 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @bf16x3
// CHECK-COUNT-3: fsm.dot {{.*}} : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
// CHECK-NOT:     fsm.dot
fsm.kernel @bf16x3() {
  %a = ub.poison : tensor<16x16xf32>
  %c = ub.poison : tensor<16x16xf32>
  %d = fsm.dot %a, %a, %c precision = bf16x3 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  fsm.return
}

// Sums of f16 where there is an instruction; elsewhere, of few rows or on an old GPU, they are wide.
// CHECK-LABEL: fsm.kernel @halves
// CHECK:         fsm.dot {{.*}} -> tensor<16x16xf16>
// CHECK:         arith.extf {{.*}} : tensor<2x16xf16> to tensor<2x16xf32>
// CHECK:         fsm.dot {{.*}} -> tensor<2x16xf32>
// CHECK:         arith.truncf {{.*}} : tensor<2x16xf32> to tensor<2x16xf16>
// OLD-LABEL:   fsm.kernel @halves
// OLD:           fsm.dot {{.*}} -> tensor<16x16xf32>
fsm.kernel @halves() {
  %a = ub.poison : tensor<16x16xf16>
  %d = fsm.dot %a, %a, %a : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf16>
  %e = ub.poison : tensor<2x16xf16>
  %f = fsm.dot %e, %a, %e : tensor<2x16xf16>, tensor<16x16xf16> -> tensor<2x16xf16>
  fsm.return
}
