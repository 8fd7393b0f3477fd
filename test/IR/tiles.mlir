// Descriptors of tensors, and tiles of them: what is read is printed.

// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s

// CHECK-LABEL: @tiles
fsm.kernel @tiles(%p: !fsm.ptr<f16>, %m: i32, %n: i32, %l: i64) {
  // CHECK: %[[D:.*]] = fsm.descriptor %p sizes [%m, 7] strides [%n, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %d = fsm.descriptor %p sizes [%m, 7] strides [%n, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  // CHECK: %[[E:.*]] = fsm.descriptor %p sizes [%l, 4, 0] strides [9, %l, -1] {note} : !fsm.ptr<f16>, i64 -> !fsm.descriptor<3 x f16>
  %e = fsm.descriptor %p sizes [%l, 4, 0] strides [9, %l, -1] {note} : !fsm.ptr<f16>, i64 -> !fsm.descriptor<3 x f16>
  // CHECK: fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<f16> -> !fsm.descriptor<1 x f16>
  %f = fsm.descriptor %p sizes [4] strides [1] : !fsm.ptr<f16>, i64 -> !fsm.descriptor<1 x f16>
  // CHECK: %[[X:.*]] = fsm.load_tile %[[D]][%m, -3] : !fsm.descriptor<2 x f16> -> tensor<4x8xf16>
  %x = fsm.load_tile %d[%m, -3] : !fsm.descriptor<2 x f16> -> tensor<4x8xf16>
  // CHECK: fsm.load_tile %[[E]][1, %m, %n] pad = nan : !fsm.descriptor<3 x f16> -> tensor<8xf16>
  %y = fsm.load_tile %e[1, %m, %n] pad = nan : !fsm.descriptor<3 x f16> -> tensor<8xf16>
  // CHECK: fsm.store_tile %[[X]], %[[D]][0, %n] : tensor<4x8xf16>, !fsm.descriptor<2 x f16>
  fsm.store_tile %x, %d[0, %n] : tensor<4x8xf16>, !fsm.descriptor<2 x f16>
  fsm.return
}
