// An argument keeps the name it has in the text, whatever its users are called.

// RUN: %fsm_opt %s | FileCheck %s

// CHECK: fsm.kernel @k(%out: !fsm.ptr<f32>, %in_stride: i32) {
fsm.kernel @k(%out: !fsm.ptr<f32>, %in_stride: i32) {
  // CHECK: fsm.offset %out, %in_stride
  %a = fsm.offset %out, %in_stride : !fsm.ptr<f32>, i32
  fsm.return
}
