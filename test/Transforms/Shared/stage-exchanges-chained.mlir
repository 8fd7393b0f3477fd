// What all iterations find is stored once; what threads have computed of other sums they hold for the next product; and a block that
// was transposed for a product alone lies as it was.

// RUN: %fsm_opt %s '--pass-pipeline=builtin.module(fsm.kernel(fsm-expand-blocks,fsm-plan-products{target=sm_90a},fsm-assign-layouts,fsm-stage-exchanges))' | FileCheck %s

!ptrs = tensor<64x64xi32>

// CHECK-LABEL: fsm.kernel @chained
// CHECK:         %[[Q:.*]] = fsm.load
// CHECK:         %[[QS:.*]] = fsm.shared_alloc : !fsm.shared<64x64xf16
// CHECK-NEXT:    fsm.shared_store %[[Q]], %[[QS]]
// CHECK-NEXT:    fsm.shared_barrier <program> fence
// CHECK-NEXT:    scf.for
// CHECK:           %[[K:.*]] = fsm.load
// CHECK-NOT:       fsm.transpose
// CHECK:           %[[KS:.*]] = fsm.shared_alloc
// CHECK-NEXT:      fsm.shared_store %[[K]], %[[KS]]
// CHECK-NEXT:      fsm.shared_barrier <program> fence
// CHECK-NEXT:      %[[P:.*]] = fsm.shared_dot %[[QS]], %[[KS]], %{{.*}} inner 64 {fsm.mma = array<i64: 64, 64, 16>, right_transposed}
// CHECK:           %[[H:.*]] = arith.truncf %[[P]]
// CHECK-NOT:       fsm.shared_store %[[H]]
// CHECK:           fsm.shared_dot %[[H]], %{{.*}} inner 64 {fsm.mma = array<i64: 64, 64, 16>} : tensor<64x64xf16, #{{.*}}>, !fsm.shared<64x64xf16
// CHECK-NOT:       fsm.shared_dot
fsm.kernel @chained(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32}, %k: i32) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %a_at = fsm.places origin [%none, %none] strides [%step, 1] : !ptrs
  %q = fsm.load %a[%a_at] : !fsm.ptr<f16>, !ptrs -> tensor<64x64xf16>
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %b_at = fsm.places origin [%i, %none] strides [%step, 1] : !ptrs
    %y = fsm.load %b[%b_at] : !fsm.ptr<f16>, !ptrs -> tensor<64x64xf16>
    %yt = fsm.transpose %y order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = fsm.dot %q, %yt, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %ph = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
    %next = fsm.dot %ph, %y, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  fsm.store %sums, %c[%a_at] : tensor<64x64xf32>, !fsm.ptr<f32>, !ptrs
  fsm.return
}

// The same by the instruction of one warp, of which each has rows of its own.
// CHECK-LABEL: fsm.kernel @chained_by_warps
// CHECK:         %[[H:.*]] = arith.truncf
// CHECK-NOT:     fsm.shared_store %[[H]]
// CHECK:         fsm.shared_dot %[[H]], %{{.*}} inner 32 {fsm.mma = array<i64: 16, 8, 16>} : tensor<64x32xf16, #{{.*}}>, !fsm.shared<32x64xf16
fsm.kernel @chained_by_warps(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}) attributes {num_warps = 2 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %scores = arith.constant dense<0.0> : tensor<64x32xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %q_at = fsm.places origin [%none, %none] strides [%step, 1] : !ptrs
  %k_at = fsm.places origin [%none, %none] strides [%step, 1] : tensor<32x64xi32>
  %q = fsm.load %a[%q_at] : !fsm.ptr<f16>, !ptrs -> tensor<64x64xf16>
  %k = fsm.load %a[%k_at] : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
  %kt = fsm.transpose %k order [1, 0] : tensor<32x64xf16> -> tensor<64x32xf16>
  %p = fsm.dot %q, %kt, %scores : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
  %ph = arith.truncf %p : tensor<64x32xf32> to tensor<64x32xf16>
  %sums = fsm.dot %ph, %k, %zeros : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  fsm.store %sums, %c[%q_at] : tensor<64x64xf32>, !fsm.ptr<f32>, !ptrs
  fsm.return
}

// Two warps that share the rows of a square have half of its columns each, and none all that it multiplies.
// CHECK-LABEL: fsm.kernel @columns_of_warps
// CHECK:         %[[H:.*]] = arith.truncf
// CHECK:         fsm.shared_store %[[H]]
fsm.kernel @columns_of_warps(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}) attributes {num_warps = 2 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %at = fsm.places origin [%none, %none] strides [%step, 1] : tensor<16x16xi32>
  %q = fsm.load %a[%at] : !fsm.ptr<f16>, tensor<16x16xi32> -> tensor<16x16xf16>
  %p = fsm.dot %q, %q, %zeros : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %ph = arith.truncf %p : tensor<16x16xf32> to tensor<16x16xf16>
  %sums = fsm.dot %ph, %q, %zeros : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  fsm.store %sums, %c[%at] : tensor<16x16xf32>, !fsm.ptr<f32>, tensor<16x16xi32>
  fsm.return
}

// Two groups of warps have columns of the same rows: none has all that it multiplies.
// CHECK-LABEL: fsm.kernel @columns
// CHECK:         %[[H:.*]] = arith.truncf
// CHECK:         fsm.shared_store %[[H]]
fsm.kernel @columns(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}) attributes {num_warps = 8 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %a_at = fsm.places origin [%none, %none] strides [%step, 1] : !ptrs
  %q = fsm.load %a[%a_at] : !fsm.ptr<f16>, !ptrs -> tensor<64x64xf16>
  %p = fsm.dot %q, %q, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %ph = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
  %sums = fsm.dot %ph, %q, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  fsm.store %sums, %c[%a_at] : tensor<64x64xf32>, !fsm.ptr<f32>, !ptrs
  fsm.return
}

// A transposition that leaves rows and columns where they are is none.
// CHECK-LABEL: fsm.kernel @same
// CHECK:         %[[S:.*]] = fsm.transpose %{{.*}} order [0, 1]
// CHECK:         %[[T:.*]] = fsm.transpose %[[S]] order [1, 0]
// CHECK:         fsm.shared_store %[[T]]
// CHECK:         fsm.shared_dot {{.*}} right_transposed
fsm.kernel @same(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %a_at = fsm.places origin [%none, %none] strides [%step, 1] : !ptrs
  %b_at = fsm.places origin [%none, %none] strides [1, %step] : !ptrs
  %q = fsm.load %a[%a_at] : !fsm.ptr<f16>, !ptrs -> tensor<64x64xf16>
  %y = fsm.load %a[%b_at] : !fsm.ptr<f16>, !ptrs -> tensor<64x64xf16>
  %ys = fsm.transpose %y order [0, 1] : tensor<64x64xf16> -> tensor<64x64xf16>
  %p = fsm.dot %q, %ys, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  fsm.store %p, %c[%a_at] : tensor<64x64xf32>, !fsm.ptr<f32>, !ptrs
  fsm.return
}
