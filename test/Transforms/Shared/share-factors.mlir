// What several products read is stored once, where the first of them reads it: as it is, or transposed; and in a branch. Not beside
// another branch, not what a loop computes anew, and not where a multiprocessor has no room for it.

// RUN: %fsm_opt %s '--pass-pipeline=builtin.module(fsm.kernel(fsm-expand-blocks,fsm-plan-products{target=sm_80},fsm-assign-layouts{target=sm_80},fsm-stage-exchanges,cse,fsm-share-factors{target=sm_80}))' | FileCheck %s

!ptrs = tensor<16x64xi32>
!rows = tensor<16x64xf16>
!columns = tensor<64x16xf16>
!places = tensor<16x16xi32>
!sums = tensor<16x16xf32>

// CHECK-LABEL: fsm.kernel @twice
// CHECK:         %[[X:.*]] = fsm.load
// CHECK:         %[[M:.*]] = fsm.shared_alloc
// CHECK-NEXT:    fsm.shared_store %[[X]], %[[M]]
// CHECK-NEXT:    fsm.shared_barrier
// CHECK-NEXT:    fsm.shared_dot %[[M]], %[[M]]
// CHECK-SAME:    right_transposed
// CHECK:         scf.if
// CHECK:           %[[Y:.*]] = fsm.load
// CHECK-NEXT:      %[[N:.*]] = fsm.shared_alloc
// CHECK-NEXT:      fsm.shared_store %[[Y]], %[[N]]
// CHECK-NEXT:      fsm.shared_barrier
// CHECK-NEXT:      %[[S:.*]] = fsm.shared_dot %[[M]], %[[N]]
// CHECK-NEXT:      fsm.shared_dot %[[N]], %[[M]], %[[S]]
// CHECK-NEXT:      scf.yield
fsm.kernel @twice(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32}, %if: i1) attributes {num_warps = 1 : i32} {
  %zeros = arith.constant dense<0.0> : !sums
  %at = fsm.places strides [64, 1] : !ptrs
  %to = fsm.places strides [16, 1] : !places
  %x = fsm.load %a[%at] : !fsm.ptr<f16>, !ptrs -> !rows
  %xt = fsm.transpose %x order [1, 0] : !rows -> !columns
  %square = fsm.dot %x, %xt, %zeros : !rows, !columns -> !sums
  %all = scf.if %if -> (!sums) {
    %y = fsm.load %b[%at] : !fsm.ptr<f16>, !ptrs -> !rows
    %yt = fsm.transpose %y order [1, 0] : !rows -> !columns
    %one = fsm.dot %x, %yt, %square : !rows, !columns -> !sums
    %two = fsm.dot %y, %xt, %one : !rows, !columns -> !sums
    scf.yield %two : !sums
  } else {
    scf.yield %square : !sums
  }
  fsm.store %all, %c[%to] : !sums, !fsm.ptr<f32>, !places
  fsm.return
}

// CHECK-LABEL: fsm.kernel @either
// CHECK:         scf.if
// CHECK-COUNT-2:   fsm.shared_store
// CHECK:         } else {
// CHECK-COUNT-2:   fsm.shared_store
fsm.kernel @either(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32}, %if: i1) attributes {num_warps = 1 : i32} {
  %zeros = arith.constant dense<0.0> : !sums
  %at = fsm.places strides [64, 1] : !ptrs
  %to = fsm.places strides [16, 1] : !places
  %x = fsm.load %a[%at] : !fsm.ptr<f16>, !ptrs -> !rows
  %y = fsm.load %b[%at] : !fsm.ptr<f16>, !ptrs -> !rows
  %all = scf.if %if -> (!sums) {
    %yt = fsm.transpose %y order [1, 0] : !rows -> !columns
    %one = fsm.dot %x, %yt, %zeros : !rows, !columns -> !sums
    scf.yield %one : !sums
  } else {
    %xt = fsm.transpose %x order [1, 0] : !rows -> !columns
    %two = fsm.dot %y, %xt, %zeros : !rows, !columns -> !sums
    scf.yield %two : !sums
  }
  fsm.store %all, %c[%to] : !sums, !fsm.ptr<f32>, !places
  fsm.return
}

// Three factors of 40 KB each: of two at a time there are two CTAs.
// CHECK-LABEL: fsm.kernel @full
// CHECK-COUNT-6: fsm.shared_store
fsm.kernel @full(%c: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32}, %e: !fsm.ptr<f16> {fsm.align = 16 : i32}) attributes {num_warps = 8 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %at = fsm.places origin [%none, %none] strides [%step, 1] : tensor<128x128xi32>
  %x = fsm.load %a[%at] : !fsm.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>
  %y = fsm.load %b[%at] : !fsm.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>
  %z = fsm.load %e[%at] : !fsm.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>
  %one = fsm.dot %x, %y, %zeros : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  %two = fsm.dot %y, %z, %one : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  %all = fsm.dot %z, %x, %two : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  fsm.store %all, %c[%at] : tensor<128x128xf32>, !fsm.ptr<f32>, tensor<128x128xi32>
  fsm.return
}
