// A block of more than half of shared memory is stored by a loop in parts, before slots are given out, from two tiles in turns: a part is brought
// to one while the hardware reads the other.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges -o %t.mlir
// RUN: %fsm_opt %t.mlir --fsm-store-tensors="target=sm_90a large remarks" --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared -o %t.after.mlir 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.after.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK:     remark: one thread has the block of this store stored from shared memory
// REMARK-NOT: remark:

// Where all of it comes behind the slots, it is stored at once as far as there is room.
// RUN: %fsm_opt %t.mlir --fsm-store-tensors="target=sm_90a large remarks" --fsm-store-tensors="target=sm_90a remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH-COUNT-3: remark: one thread has the block of this store stored from shared memory

// Without the wait for the other tile a part comes to bytes that are read; without that for the last iteration stores are in no order.
// RUN: sed '/fsm.store_wait read/d' %t.after.mlir | not %fsm_opt --fsm-verify-shared 2>&1 | FileCheck %s --check-prefix=NEXT
// NEXT: error: expected a barrier between this 'fsm.shared_store' and an earlier 'fsm.store_tensor' of other threads
// RUN: sed '/scf.for/,/fsm.barrier/s/fsm.store_wait %/fsm.store_wait read %/' %t.after.mlir | not %fsm_opt --fsm-verify-shared 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error: expected an 'fsm.store_wait' on each way from this store to the next one and to the end of the kernel

// CHECK-LABEL: fsm.kernel @turns
// CHECK-DAG:     %[[EVEN:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<128x32xf32, #
// CHECK-DAG:     %[[ODD:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<128x32xf32, #
// CHECK:         scf.for
// CHECK:           fsm.store_wait %[[EVEN]]
// CHECK-NEXT:      fsm.store_wait %[[ODD]]
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.shared_store %[[BLOCK:.*]] at [0, 0], %[[EVEN]]
// CHECK-NEXT:      fsm.shared_barrier <program> fence
// CHECK-NEXT:      fsm.store_tensor %[[EVEN]] into %[[MAP:.*]][%[[ROW:.*]], %c0_i32]
// CHECK-NEXT:      fsm.shared_store %[[BLOCK]] at [0, 32], %[[ODD]]
// CHECK-NEXT:      fsm.store_wait read %[[EVEN]]
// CHECK-NEXT:      fsm.shared_barrier <program> fence
// CHECK:           fsm.store_tensor %[[ODD]] into %[[MAP]][%[[ROW]], %
// CHECK-NEXT:      fsm.shared_store %[[BLOCK]] at [0, 64], %[[EVEN]]
// CHECK-NEXT:      fsm.store_wait read %[[ODD]]
// CHECK-NEXT:      fsm.shared_barrier <program> fence
// CHECK-NOT:       fsm.barrier
// CHECK:           fsm.shared_store %[[BLOCK]] at [0, 224], %[[ODD]]
// CHECK-NOT:       fsm.shared_load
// CHECK:         }
// CHECK-NEXT:    fsm.store_wait %[[EVEN]]
// CHECK-NEXT:    fsm.store_wait %[[ODD]]
// CHECK-NEXT:    fsm.return
fsm.kernel @turns(%out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 8 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %tall = arith.constant 128 : i32
  %none = arith.constant 0 : i32
  scf.for %row = %none to %n step %tall : i32 {
    %x_at = fsm.places origin [%row, 0] strides [16, 1] : tensor<128x16xi32>
    %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<128x16xi32> -> tensor<128x16xf16>
    %d = fsm.dot %x, %y, %zeros : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
    %at, %inside = fsm.places origin [%row, 0] strides [%stride, 1] bounds [%n, %n] : tensor<128x256xi32>
    fsm.store %d, %out[%at], %inside : tensor<128x256xf32>, !fsm.ptr<f32>, tensor<128x256xi32>
  }
  fsm.return
}

// Stored once.
// CHECK-LABEL: fsm.kernel @once
// CHECK-NOT:     fsm.store_tensor
fsm.kernel @once(%out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 8 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<128x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<128x16xi32> -> tensor<128x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
  %at, %inside = fsm.places origin [0, 0] strides [%stride, 1] bounds [%n, %n] : tensor<128x256xi32>
  fsm.store %d, %out[%at], %inside : tensor<128x256xf32>, !fsm.ptr<f32>, tensor<128x256xi32>
  fsm.return
}

// Nobody knows that it begins at 0 or more: threads may have to store it, and have all of it for that.
// CHECK-LABEL: fsm.kernel @below
// CHECK-NOT:     fsm.store_tensor
fsm.kernel @below(%out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %first: i32, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 8 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %tall = arith.constant 128 : i32
  scf.for %row = %first to %n step %tall : i32 {
    %x_at = fsm.places origin [%row, 0] strides [16, 1] : tensor<128x16xi32>
    %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<128x16xi32> -> tensor<128x16xf16>
    %d = fsm.dot %x, %y, %zeros : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
    %at, %inside = fsm.places origin [%row, 0] strides [%stride, 1] bounds [%n, %n] : tensor<128x256xi32>
    fsm.store %d, %out[%at], %inside : tensor<128x256xf32>, !fsm.ptr<f32>, tensor<128x256xi32>
  }
  fsm.return
}
