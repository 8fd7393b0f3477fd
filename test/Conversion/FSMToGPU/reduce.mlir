// Reductions: a tree over a thread's registers, butterflies over lanes, and one slot for
// each warp behind one barrier. A test of the unit ConversionTests runs many.

// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --convert-fsm-to-gpu | FileCheck %s

#one = #fsm.layout<register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// Eight registers are four additions, two and one, each level an op, and one warp needs no shared memory.
// CHECK-LABEL: gpu.func @one_warp
// CHECK:         arith.addf {{.*}} : vector<4xf32>
// CHECK:         arith.addf {{.*}} : vector<2xf32>
// CHECK:         arith.addf {{.*}} : f32
// CHECK-NOT:     arith.addf
// CHECK:         nvvm.shfl.sync bfly
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT:     nvvm.shfl
// CHECK-NOT:     nvvm.bar
// CHECK-NOT:     !llvm.ptr<3>
// CHECK:         gpu.return
fsm.kernel @one_warp(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32, #one>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<256xi32, #one> -> tensor<256xf32, #one>
  %s = fsm.reduce <sum> %x axis 0 : tensor<256xf32, #one> -> f32
  fsm.store %s, %out : f32, !fsm.ptr<f32>
  fsm.return
}

#four = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], cta = []>

// Five butterflies before the one barrier, two behind it.
// CHECK-LABEL: gpu.func @four_warps
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT:     nvvm.shfl
// CHECK:         llvm.store {{.*}}, !llvm.ptr<3>
// CHECK:         nvvm.bar
// CHECK-NOT:     nvvm.bar
// CHECK:         llvm.load {{.*}} !llvm.ptr<3> -> f32
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK-NOT:     nvvm.shfl
// CHECK:         gpu.return
fsm.kernel @four_warps(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 512 : tensor<512xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<512xi32, #four> -> tensor<512xf32, #four>
  %s = fsm.reduce <sum> %x axis 0 : tensor<512xf32, #four> -> f32
  fsm.store %s, %out : f32, !fsm.ptr<f32>
  fsm.return
}
