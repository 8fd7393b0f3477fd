// A product by tensor cores: both factors go to shared memory, and each warp reads its fragments of them by ldmatrix.
//
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --convert-fsm-to-gpu | FileCheck %s

// 16 x 32 times 32 x 24 by one warp: two steps of 16. A step reads the left fragment, 16 x 16, at once, and of the right
// one two of 16 x 8; there are three of these. Rows of the left matrix are 64 bytes, 80 apart, those of the right one 48
// bytes; it begins behind 16 * 80 bytes, and its second step 16 * 48 bytes further.
#left = #fsm.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [], cta = []>
#right = #fsm.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
#sum = #fsm.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

// CHECK-LABEL: gpu.func @product(
// CHECK:         nvvm.bar.warp.sync
// CHECK:         %[[LEFT:.*]] = nvvm.ldmatrix %{{.*}} {{{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32{{.*}}}
// CHECK:         nvvm.ldmatrix %{{.*}} {{{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32{{.*}}}
// CHECK:         nvvm.ldmatrix %{{.*}} {{{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32{{.*}}}
// CHECK-NOT:     nvvm.ldmatrix
// CHECK-COUNT-3: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK-NOT:     nvvm.mma.sync
// CHECK:         llvm.getelementptr %{{.*}}[32]
// CHECK-NEXT:    nvvm.ldmatrix %{{.*}} {{{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32{{.*}}}
// CHECK:         llvm.getelementptr %{{.*}}[2048]
// CHECK-NEXT:    nvvm.ldmatrix %{{.*}} {{{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32{{.*}}}
// CHECK:         nvvm.ldmatrix %{{.*}} {{{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32{{.*}}}
// CHECK-NOT:     nvvm.ldmatrix
// CHECK-COUNT-3: nvvm.mma.sync
// CHECK-NOT:     nvvm.mma.sync
// CHECK-NOT:     math.fma
// CHECK:         gpu.return
fsm.kernel @product() attributes {num_warps = 1 : i32} {
  %a = ub.poison : tensor<16x32xf16, #left>
  %b = ub.poison : tensor<32x24xf16, #right>
  %c = ub.poison : tensor<16x24xf32, #sum>
  %d = fsm.dot %a, %b, %c {fsm.mma = array<i64: 16, 8, 16>}
    : tensor<16x32xf16, #left>, tensor<32x24xf16, #right> -> tensor<16x24xf32, #sum>
  fsm.return
}

// Five steps of which two are an iteration, and one is left.
// CHECK-LABEL: gpu.func @steps(
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c4_i32 step %c2_i32
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK-NOT:     nvvm.mma.sync
// CHECK:         scf.yield
// CHECK:         nvvm.mma.sync
// CHECK-NOT:     nvvm.mma.sync
// CHECK:         gpu.return
#small = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
fsm.kernel @steps() attributes {num_warps = 1 : i32, fsm.shared_bytes = 4096 : i32} {
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x80xf16 pitch 88>
  %b = fsm.shared_alloc {fsm.shared_offset = 2816 : i32} : !fsm.shared<80x8xf16 pitch 8>
  %c = ub.poison : tensor<16x8xf32, #small>
  %d = fsm.shared_dot %a, %b, %c inner 80 {fsm.mma = array<i64: 16, 8, 16>, fsm.steps_of_loop = 2 : i32}
    : !fsm.shared<16x80xf16 pitch 88>, !fsm.shared<80x8xf16 pitch 8> -> tensor<16x8xf32, #small>
  fsm.return
}

// Of f64 a lane reads its elements by itself, those of the left factor eight rows and four columns apart, those of the right one
// four rows: rows are 80 bytes.
// CHECK-LABEL: gpu.func @doubles(
// CHECK:         llvm.getelementptr %{{.*}}[640]
// CHECK:         llvm.getelementptr %{{.*}}[32]
// CHECK:         llvm.getelementptr %{{.*}}[672]
// CHECK:         llvm.getelementptr %{{.*}}[1280]
// CHECK:         llvm.getelementptr %{{.*}}[1600]
// CHECK:         llvm.call_intrinsic "llvm.nvvm.mma.m16n8k8.row.col.f64"(
// CHECK-SAME:    (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> !llvm.struct<(f64, f64, f64, f64)>
// CHECK:         gpu.return
fsm.kernel @doubles() attributes {num_warps = 1 : i32, fsm.shared_bytes = 4096 : i32} {
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x8xf64 pitch 10>
  %b = fsm.shared_alloc {fsm.shared_offset = 1280 : i32} : !fsm.shared<8x8xf64 pitch 10>
  %c = ub.poison : tensor<16x8xf64, #small>
  %d = fsm.shared_dot %a, %b, %c inner 8 {fsm.mma = array<i64: 16, 8, 8>}
    : !fsm.shared<16x8xf64 pitch 10>, !fsm.shared<8x8xf64 pitch 10> -> tensor<16x8xf64, #small>
  fsm.return
}
