// A block that a CTA's shared memory has no room for is stored where it is, element by element; a smaller one is brought to where it is
// stored by vectors.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks,canonicalize,fsm-assign-layouts{target=sm_90a}))' | FileCheck %s

// CHECK-LABEL: fsm.kernel @large
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @large(%out: !fsm.ptr<i64> {fsm.align = 16 : i32}, %in: !fsm.ptr<i64> {fsm.align = 16 : i32}) attributes {num_warps = 8 : i32, num_ctas = 8 : i32} {
  %along, %a = fsm.places origin [0, 0] strides [256, 1] bounds [256, 256] : tensor<256x256xi32>
  %across, %b = fsm.places origin [0, 0] strides [1, 256] bounds [256, 256] : tensor<256x256xi32>
  %x = fsm.load %in[%across] : !fsm.ptr<i64>, tensor<256x256xi32> -> tensor<256x256xi64>
  fsm.store %x, %out[%along] : tensor<256x256xi64>, !fsm.ptr<i64>, tensor<256x256xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @small
// CHECK:         fsm.convert_layout
fsm.kernel @small(%out: !fsm.ptr<i64> {fsm.align = 16 : i32}, %in: !fsm.ptr<i64> {fsm.align = 16 : i32}) attributes {num_warps = 8 : i32, num_ctas = 8 : i32} {
  %along, %a = fsm.places origin [0, 0] strides [128, 1] bounds [128, 128] : tensor<128x128xi32>
  %across, %b = fsm.places origin [0, 0] strides [1, 128] bounds [128, 128] : tensor<128x128xi32>
  %x = fsm.load %in[%across] : !fsm.ptr<i64>, tensor<128x128xi32> -> tensor<128x128xi64>
  fsm.store %x, %out[%along] : tensor<128x128xi64>, !fsm.ptr<i64>, tensor<128x128xi32>
  fsm.return
}
