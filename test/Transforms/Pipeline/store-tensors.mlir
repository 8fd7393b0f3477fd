// Blocks that threads exchange only to store them, by one thread that has the hardware do it: once, in a loop, and where that cannot be.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges -o %t.mlir
// RUN: %fsm_opt %t.mlir --fsm-store-tensors="target=sm_90a remarks" --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared -o %t.after.mlir 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.after.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK: remark: one thread has the block of this store stored from shared memory
// REMARK: remark: one thread has the block of this store stored from shared memory
// REMARK: remark: threads store what this store has from shared memory: the kernel may access its memory otherwise
// REMARK: remark: threads store what this store has from shared memory: the kernel orders it by atomics or barriers
// REMARK: remark: threads store what this store has from shared memory: its address or its stride may be no multiple of 16 bytes
// REMARK: remark: one thread has the block of this store stored from shared memory
// REMARK: remark: threads store what this store has from shared memory: its rows may begin or end inside of 16 bytes
// REMARK: remark: threads store what this store has from shared memory: it is volatile
// REMARK: remark: one thread has the block of this store stored from shared memory

// Rows of 400 bytes are no whole spans.
// RUN: sed 's/192/200/g' %t.mlir | %fsm_opt --fsm-store-tensors="target=sm_90a remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPANS
// SPANS: remark: threads store what this store has from shared memory: no boxes make up its block

// RUN: %fsm_opt %t.mlir --fsm-store-tensors="target=sm_80 remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD
// OLD-COUNT-9: remark: threads store what this store has from shared memory: the target has no copies of tensors
// RUN: %fsm_opt %t.mlir --fsm-store-tensors="target=sm_90a remarks tensor-maps=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MAPS
// MAPS-COUNT-9: remark: threads store what this store has from shared memory: the launch makes no tensor maps
// RUN: sed '/fsm.kernel/s/num_warps = 4 : i32/num_warps = 4 : i32, num_ctas = 2 : i32/' %t.mlir | %fsm_opt --fsm-store-tensors="target=sm_90a remarks" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CTAS
// CTAS: remark: threads store what this store has from shared memory: the cta has several programs, or the program several ctas

// Without a wait at the end, in front of the next write or at all, and without the fence.
// RUN: sed '/fsm.store_wait.*/{N;/fsm.return/!b;s/.*\n//}' %t.after.mlir | not %fsm_opt --fsm-verify-shared 2>&1 | FileCheck %s --check-prefix=END
// END: error: expected an 'fsm.store_wait' on each way from this store to the next one and to the end of the kernel
// RUN: sed '/fsm.store_wait.*/{N;/fsm.barrier/!b;s/.*\n//}' %t.after.mlir | not %fsm_opt --fsm-verify-shared 2>&1 | FileCheck %s --check-prefix=NEXT
// NEXT: error: expected a barrier between this 'fsm.shared_store' and an earlier 'fsm.store_tensor' of other threads
// RUN: sed '/scf.for/,/store_tensor/s/<program> fence/<program>/' %t.after.mlir | not %fsm_opt --fsm-verify-shared 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: error: expected a barrier with a fence between this 'fsm.store_tensor' and the write of what it reads

// What comes behind the tile may lie in its bytes only behind the wait, which is the last thing here.
// CHECK-LABEL: fsm.kernel @once
// CHECK:         %[[MAP:.*]] = fsm.tensor_map %out sizes[{{.*}}] strides[{{.*}}] : {{.*}} -> !fsm.tensor_map<64x64xf16 swizzle 128>
// CHECK:         %[[LEFT:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<64x128xf16, #
// CHECK-NOT:     fsm.store_wait
// CHECK:         fsm.shared_store %[[BLOCK:.*]] at [0, 0], %[[LEFT]]
// CHECK-NEXT:    fsm.shared_barrier <program> fence
// CHECK:         fsm.store_tensor %[[LEFT]] into %[[MAP]][%[[ROW:.*]], %c0_i32]
// CHECK-NOT:     fsm.store_wait
// CHECK-NOT:     fsm.barrier
// CHECK:         %[[RIGHT:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<64x128xf16, #
// CHECK-NEXT:    fsm.shared_store %[[BLOCK]] at [0, 128], %[[RIGHT]]
// CHECK-NEXT:    fsm.shared_barrier <program> fence
// CHECK-NOT:     fsm.store %{{[0-9]+}}, %
// CHECK:         fsm.store_tensor %[[RIGHT]] into %[[MAP]][%[[ROW]], %
// CHECK-NEXT:    fsm.store_wait %[[LEFT]]
// CHECK-NEXT:    fsm.store_wait %[[RIGHT]]
// CHECK-NEXT:    fsm.return

// CHECK-LABEL: fsm.kernel @loop
// CHECK:         %[[TILE:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<64x256xf16, #
// CHECK:         scf.for
// CHECK:           fsm.store_wait %[[TILE]]
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.shared_store %{{.*}}, %[[TILE]]
// CHECK-NEXT:      fsm.shared_barrier <program> fence
// CHECK:           fsm.store_tensor %[[TILE]] into
// CHECK-NOT:       fsm.barrier
// CHECK:         }
// CHECK-NEXT:    fsm.store_wait %[[TILE]]
// CHECK-NEXT:    fsm.return
fsm.kernel @once(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %tall = arith.constant 64 : i32
  %program = fsm.program_id x : i32
  %row = arith.muli %program, %tall overflow<nsw> : i32
  %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
  %at, %inside = fsm.places origin [%row, 0] strides [%stride, 1] bounds [%n, %n] : tensor<64x256xi32>
  fsm.store %z, %out[%at], %inside : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  fsm.return
}

fsm.kernel @loop(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %tall = arith.constant 64 : i32
  %none = arith.constant 0 : i32
  scf.for %row = %none to %n step %tall : i32 {
    %scales = fsm.splat %row : tensor<64x256xi32>
    %scale = arith.sitofp %scales : tensor<64x256xi32> to tensor<64x256xf32>
    %e = arith.mulf %d, %scale : tensor<64x256xf32>
    %z = arith.truncf %e : tensor<64x256xf32> to tensor<64x256xf16>
    %at, %inside = fsm.places origin [%row, 0] strides [%stride, 1] bounds [%n, %n] : tensor<64x256xi32>
    fsm.store %z, %out[%at], %inside : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  }
  fsm.return
}

// The pointers may be the same.
fsm.kernel @reads_it(%out: !fsm.ptr<f16> {fsm.align = 16 : i32}, %in: !fsm.ptr<f16>, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
  %at, %inside = fsm.places origin [0, 0] strides [%stride, 1] bounds [%n, %n] : tensor<64x256xi32>
  fsm.store %z, %out[%at], %inside : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  fsm.return
}

// Who sees the flag sees the block.
fsm.kernel @released(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %flag: !fsm.ptr<i32> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
  %at, %inside = fsm.places origin [0, 0] strides [%stride, 1] bounds [%n, %n] : tensor<64x256xi32>
  fsm.store %z, %out[%at], %inside : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  %one = arith.constant 1 : i32
  %old = fsm.atomic_rmw <add> %one, %flag sem = release : i32, !fsm.ptr<i32>
  fsm.return
}

fsm.kernel @odd(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
  %at, %inside = fsm.places origin [0, 0] strides [%stride, 1] bounds [%n, %n] : tensor<64x256xi32>
  fsm.store %z, %out[%at], %inside : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  fsm.return
}

// Where it begins below 0, the mask leaves nothing out, and what is in front of its row is stored to.
//
// CHECK-LABEL: fsm.kernel @below
// CHECK:         %[[BELOW:.*]] = arith.cmpi slt, %column, %c0_i32
// CHECK-NEXT:    scf.if %[[BELOW]] {
// CHECK:           fsm.offset %out, %column
// CHECK:           %[[ALL:.*]] = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x256xf16, #
// CHECK:           fsm.shared_store %[[BLOCK:.*]], %[[ALL]]
// CHECK-NEXT:      fsm.shared_barrier <program>
// CHECK-NEXT:      %[[ROWS:.*]] = fsm.shared_load %[[ALL]]
// CHECK-NEXT:      fsm.store %[[ROWS]]
// CHECK-NEXT:    } else {
// CHECK:           %[[LEFT:.*]] = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x128xf16, #
// CHECK:           fsm.shared_store %[[BLOCK]] at [0, 0], %[[LEFT]]
// CHECK-NEXT:      fsm.shared_barrier <program> fence
// CHECK-NEXT:      fsm.store_tensor %[[LEFT]] into %{{.*}}[%c0_i32, %column]
// CHECK-NEXT:      %[[RIGHT:.*]] = fsm.shared_alloc {{.*}} : !fsm.shared<64x128xf16, #
// CHECK-NEXT:      fsm.shared_store %[[BLOCK]] at [0, 128], %[[RIGHT]]
// CHECK:           fsm.store_tensor %[[RIGHT]] into %{{.*}}[%c0_i32, %
// CHECK-NEXT:      fsm.store_wait %[[LEFT]]
// CHECK-NEXT:      fsm.store_wait %[[RIGHT]]
// CHECK-NEXT:    }
// CHECK-NEXT:    fsm.return
fsm.kernel @below(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %column: i32 {fsm.divisible = 8 : i32}, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %p = fsm.offset %out, %column : !fsm.ptr<f16>, i32
  %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
  %at, %inside = fsm.places origin [0, 0] strides [%stride, 1] bounds [%n, %n] : tensor<64x256xi32>
  fsm.store %z, %p[%at], %inside : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  fsm.return
}

// Of rows of 303 elements, say, one more would be stored.
fsm.kernel @ragged(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
  %at, %inside = fsm.places origin [0, 0] strides [%stride, 1] bounds [%n, %n] : tensor<64x256xi32>
  fsm.store %z, %out[%at], %inside : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  fsm.return
}

fsm.kernel @volatile(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x256xf16> -> tensor<64x256xf32>
  %z = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
  %at, %inside = fsm.places origin [0, 0] strides [%stride, 1] bounds [%n, %n] : tensor<64x256xi32>
  fsm.store %z, %out[%at], %inside volatile : tensor<64x256xf16>, !fsm.ptr<f16>, tensor<64x256xi32>
  fsm.return
}

fsm.kernel @narrow(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x192xf32>
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<64x16xi32> -> tensor<64x16xf16>
  %y_at = fsm.places strides [192, 1] : tensor<16x192xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x192xi32> -> tensor<16x192xf16>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16xf16>, tensor<16x192xf16> -> tensor<64x192xf32>
  %z = arith.truncf %d : tensor<64x192xf32> to tensor<64x192xf16>
  %at, %inside = fsm.places origin [0, 0] strides [%stride, 1] bounds [%n, %n] : tensor<64x192xi32>
  fsm.store %z, %out[%at], %inside : tensor<64x192xf16>, !fsm.ptr<f16>, tensor<64x192xi32>
  fsm.return
}
