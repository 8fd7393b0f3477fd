// Tiles that an author writes are copied by the hardware wherever they begin: in front of the tensor as well, which of loads
// nobody could know. The maps' sizes and strides are those of the descriptors.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops="target=sm_90a remarks" --fsm-advance-loads --fsm-buffer-loads 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK-COUNT-2: remark: this load runs 2 iterations ahead, into shared memory: one thread has boxes of a tensor copied to where a product reads them

// What is in front of the tensors is zero.
// RUN: %fsm_run %s --device=sim --target=sm_90a --remarks --compare=interp --grid=1 --arg='f32[64x128]' --arg='f16[100x136]:uniform:1' --arg='f16[136x200]:uniform:2' --arg=100 --arg=200 --arg=136 --arg=136 --arg=200 --arg=-7 --arg=-8 --arg=-64 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: fsm.kernel @product
// CHECK:         %[[M:.*]] = arith.extsi %m : i32 to i64
// CHECK:         %[[K:.*]] = arith.extsi %k : i32 to i64
// CHECK:         fsm.tensor_map %p sizes[%[[M]], %[[K]]] strides[%{{.*}}]
// CHECK:         %[[L:.*]] = arith.extsi %k : i32 to i64
// CHECK:         %[[N:.*]] = arith.extsi %n : i32 to i64
// CHECK:         fsm.tensor_map %q sizes[%[[L]], %[[N]]] strides[%{{.*}}]
// CHECK:         scf.for
// CHECK:           fsm.copy_tensor {{.*}}[%{{.*}}, %{{.*}}]
// CHECK:           fsm.copy_tensor {{.*}}[%{{.*}}, %{{.*}}]
fsm.kernel @product(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}, %row: i32, %column: i32 {fsm.divisible = 8 : i32}, %from: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %step = arith.constant 64 : i32
  %a = fsm.descriptor %p sizes [%m, %k] strides [%p_stride, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %b = fsm.descriptor %q sizes [%k, %n] strides [%q_stride, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %d = scf.for %i = %from to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %x = fsm.load_tile %a[%row, %i] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
    %y = fsm.load_tile %b[%i, %column] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 3 : i32, fsm.forced_stages}
  %c = fsm.descriptor %out sizes [64, 128] strides [128, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  fsm.store_tile %d, %c[0, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
  fsm.return
}
