// A block that a CTA's shared memory has no room for is stored where it is, element by element; a smaller one is brought to where it is
// stored by vectors.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks,canonicalize,fsm-assign-layouts{target=sm_90a}))' --verify-diagnostics | FileCheck %s
// RUN: not %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-expand-blocks,canonicalize,fsm-assign-layouts{target=sm_90a strict=true}))' 2>&1 | FileCheck --check-prefix=STRICT %s

// STRICT: error: stores this block from where it was computed

// CHECK-DAG: #[[SHARED:.+]] = #fsm.layout<register = {{.*}}[1, 0], [2, 0], [4, 0]], lane = {{.*}}, warp = {{.*}}, cta = {{\[\[}}0, 512], [0, 1024], [0, 2048]]>
// CHECK-DAG: #[[OWN:.+]] = #fsm.layout<{{.*}}cta = {{\[\[}}1, 0], [2, 0], [4, 0]]>

// CHECK-LABEL: fsm.kernel @large
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @large(%out: !fsm.ptr<i64> {fsm.align = 16 : i32}, %in: !fsm.ptr<i64> {fsm.align = 16 : i32}) attributes {num_warps = 8 : i32, num_ctas = 8 : i32} {
  %along, %a = fsm.places origin [0, 0] strides [256, 1] bounds [256, 256] : tensor<256x256xi32>
  %across, %b = fsm.places origin [0, 0] strides [1, 256] bounds [256, 256] : tensor<256x256xi32>
  %x = fsm.load %in[%across] : !fsm.ptr<i64>, tensor<256x256xi32> -> tensor<256x256xi64>
  // expected-warning @below {{stores this block from where it was computed, at about 8 times the cost of vectors: to exchange it takes 524288 bytes of shared memory a cta, of which sm_90a has 232448: use a smaller block}}
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

// What is stored along rows is loaded so.
// CHECK-LABEL: fsm.kernel @loaded
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @loaded(%out: !fsm.ptr<i64> {fsm.align = 16 : i32}, %in: !fsm.ptr<i64> {fsm.align = 16 : i32}) attributes {num_warps = 8 : i32, num_ctas = 8 : i32} {
  %along, %a = fsm.places origin [0, 0] strides [256, 1] bounds [256, 256] : tensor<256x256xi32>
  %across, %b = fsm.places origin [0, 0] strides [1, 256] bounds [256, 256] : tensor<256x256xi32>
  %x = fsm.load %in[%along] : !fsm.ptr<i64>, tensor<256x256xi32> -> tensor<256x256xi64>
  // expected-warning @below {{loads this block to where it is used}}
  %y = fsm.load %in[%across] : !fsm.ptr<i64>, tensor<256x256xi32> -> tensor<256x256xi64>
  %z = arith.addi %x, %y : tensor<256x256xi64>
  fsm.store %z, %out[%along] : tensor<256x256xi64>, !fsm.ptr<i64>, tensor<256x256xi32>
  fsm.return
}

// Ctas that have rows of their own would hand one another 524288 bytes of column sums: they share the rows, behind the warps.
// CHECK-LABEL: fsm.kernel @columns
// CHECK:         fsm.load {{.*}} -> tensor<5x8804xf32, #[[SHARED]]>
// CHECK-NOT:     fsm.convert_layout
// CHECK:         fsm.return
fsm.kernel @columns(%out: !fsm.ptr<f32> {fsm.align = 16 : i32}, %in: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 8 : i32, num_ctas = 8 : i32} {
  %places, %inside = fsm.places origin [0, 0] strides [8804, 1] bounds [5, 8804] : tensor<5x8804xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<f32>, tensor<5x8804xi32> -> tensor<5x8804xf32>
  %sums = fsm.reduce <sum> %x axis 0 : tensor<5x8804xf32> -> tensor<8804xf32>
  %column = fsm.range 0, 8804 : tensor<8804xi32>
  fsm.store %sums, %out[%column] : tensor<8804xf32>, !fsm.ptr<f32>, tensor<8804xi32>
  fsm.return
}

// 5 x 4096 have room.
// CHECK-LABEL: fsm.kernel @short_columns
// CHECK:         fsm.load {{.*}} -> tensor<5x4096xf32, #[[OWN]]>
fsm.kernel @short_columns(%out: !fsm.ptr<f32> {fsm.align = 16 : i32}, %in: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 8 : i32, num_ctas = 8 : i32} {
  %places, %inside = fsm.places origin [0, 0] strides [4096, 1] bounds [5, 4096] : tensor<5x4096xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<f32>, tensor<5x4096xi32> -> tensor<5x4096xf32>
  %sums = fsm.reduce <sum> %x axis 0 : tensor<5x4096xf32> -> tensor<4096xf32>
  %column = fsm.range 0, 4096 : tensor<4096xi32>
  fsm.store %sums, %out[%column] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}
