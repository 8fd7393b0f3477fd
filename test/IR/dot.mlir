// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic | %fsm_opt | FileCheck %s

// CHECK-LABEL: fsm.kernel @types
fsm.kernel @types() {
  %f16 = ub.poison : tensor<3x5xf16>
  %bf16 = ub.poison : tensor<5x5xbf16>
  %e4m3 = ub.poison : tensor<5x5xf8E4M3FN>
  %e5m2 = ub.poison : tensor<5x5xf8E5M2>
  %f32 = ub.poison : tensor<5x5xf32>
  %f64 = ub.poison : tensor<5x5xf64>
  %i8 = ub.poison : tensor<5x5xi8>
  %i32 = ub.poison : tensor<5x5xi32>
  %right = ub.poison : tensor<5x7xf16>
  %sum = ub.poison : tensor<3x7xf32>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x5xf16>, tensor<5x7xf16> -> tensor<3x7xf32>
  %0 = fsm.dot %f16, %right, %sum : tensor<3x5xf16>, tensor<5x7xf16> -> tensor<3x7xf32>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<5x5xbf16>, tensor<5x5xbf16> -> tensor<5x5xf32>
  %1 = fsm.dot %bf16, %bf16, %f32 : tensor<5x5xbf16>, tensor<5x5xbf16> -> tensor<5x5xf32>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<5x5xf8E4M3FN>, tensor<5x5xf8E4M3FN> -> tensor<5x5xf32>
  %2 = fsm.dot %e4m3, %e4m3, %1 : tensor<5x5xf8E4M3FN>, tensor<5x5xf8E4M3FN> -> tensor<5x5xf32>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<5x5xf8E5M2>, tensor<5x5xf8E5M2> -> tensor<5x5xf32>
  %3 = fsm.dot %e5m2, %e5m2, %2 : tensor<5x5xf8E5M2>, tensor<5x5xf8E5M2> -> tensor<5x5xf32>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} precision = ieee : tensor<5x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  %4 = fsm.dot %f32, %f32, %3 precision = ieee : tensor<5x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  // CHECK: fsm.dot {{.*}} precision = tf32 :
  %5 = fsm.dot %f32, %f32, %4 precision = tf32 : tensor<5x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  // CHECK: fsm.dot {{.*}} precision = tf32x3 :
  %6 = fsm.dot %f32, %f32, %5 precision = tf32x3 : tensor<5x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<5x5xf64>, tensor<5x5xf64> -> tensor<5x5xf64>
  %7 = fsm.dot %f64, %f64, %f64 : tensor<5x5xf64>, tensor<5x5xf64> -> tensor<5x5xf64>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<5x5xi8>, tensor<5x5xi8> -> tensor<5x5xi32>
  %8 = fsm.dot %i8, %i8, %i32 : tensor<5x5xi8>, tensor<5x5xi8> -> tensor<5x5xi32>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} saturate : tensor<5x5xi8>, tensor<5x5xi8> -> tensor<5x5xi32>
  %9 = fsm.dot %i8, %i8, %8 saturate : tensor<5x5xi8>, tensor<5x5xi8> -> tensor<5x5xi32>
  // CHECK: fsm.dot {{.*}} precision = bf16x3 :
  %10 = fsm.dot %f32, %f32, %6 precision = bf16x3 : tensor<5x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  // CHECK: fsm.dot {{.*}} precision = bf16x6 :
  %11 = fsm.dot %f32, %f32, %10 precision = bf16x6 : tensor<5x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  // CHECK: fsm.dot {{.*}} accumulate = 128 : tensor<5x5xf8E4M3FN>, tensor<5x5xf8E5M2> -> tensor<5x5xf32>
  %12 = fsm.dot %e4m3, %e5m2, %11 accumulate = 128 : tensor<5x5xf8E4M3FN>, tensor<5x5xf8E5M2> -> tensor<5x5xf32>
  %halves = ub.poison : tensor<3x7xf16>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x5xf16>, tensor<5x7xf16> -> tensor<3x7xf16>
  %13 = fsm.dot %f16, %right, %halves : tensor<3x5xf16>, tensor<5x7xf16> -> tensor<3x7xf16>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @batches
fsm.kernel @batches() {
  %left = ub.poison : tensor<3x1x4xf16>
  %right = ub.poison : tensor<3x4x9xf16>
  %acc = ub.poison : tensor<3x1x9xf32>
  // CHECK: fsm.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x1x4xf16>, tensor<3x4x9xf16> -> tensor<3x1x9xf32>
  %0 = fsm.dot %left, %right, %acc : tensor<3x1x4xf16>, tensor<3x4x9xf16> -> tensor<3x1x9xf32>
  fsm.return
}
