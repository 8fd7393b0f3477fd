// Scans, and reductions of tuples by a region, over threads. Tests of the unit ConversionTests run many, in any layouts.

// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --convert-fsm-to-gpu | FileCheck %s

#four = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], cta = []>

// A thread goes along its registers: three additions. Five steps join lanes, one more shuffle tells all of them what the last
// has, and one asks for the lane before. What four warps have comes by one access; three of them come before some thread: two
// additions, then one of warps and lanes, and one for each register.
// CHECK-LABEL: gpu.func @scan
// CHECK-COUNT-3: arith.addf
// CHECK-NOT:     arith.addf
// CHECK:         nvvm.shfl.sync idx
// CHECK:         arith.addf
// CHECK-COUNT-5: nvvm.shfl.sync idx
// CHECK:         scf.if
// CHECK:           llvm.store {{.*}} f32, !llvm.ptr<3>
// CHECK:         nvvm.bar
// CHECK-NOT:     nvvm.bar
// CHECK:         llvm.load {{.*}} !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:     llvm.load
// CHECK-COUNT-2: arith.addf
// CHECK:         nvvm.shfl.sync idx
// CHECK-NOT:     nvvm.shfl
// CHECK-COUNT-5: arith.addf
// CHECK-NOT:     arith.addf
// CHECK:         gpu.return
fsm.kernel @scan(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %o = fsm.range 0, 512 : tensor<512xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<512xi32, #four> -> tensor<512xf32, #four>
  %s = fsm.scan <sum> %x axis 0 : tensor<512xf32, #four>
  fsm.store %s, %out[%o] : tensor<512xf32, #four>, !fsm.ptr<f32>, tensor<512xi32, #four>
  fsm.return
}

#column = #fsm.layout<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], cta = []>

// Each thread has a column: no thread asks another. f16 accumulates in f32, and each of the four is rounded once.
// CHECK-LABEL: gpu.func @columns
// CHECK:         arith.extf {{.*}} vector<4xf16> to vector<4xf32>
// CHECK-COUNT-3: arith.addf {{.*}} : f32
// CHECK-NOT:     arith.addf
// CHECK-NOT:     nvvm.shfl
// CHECK-NOT:     !llvm.ptr<3>
// CHECK:         arith.truncf {{.*}} vector<4xf32> to vector<4xf16>
// CHECK:         gpu.return
fsm.kernel @columns(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>) attributes {num_warps = 1 : i32} {
  %f = fsm.range 0, 128 : tensor<128xi32, #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>>
  %o = fsm.reshape %f : tensor<128xi32, #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>> -> tensor<4x32xi32, #column>
  %x = fsm.load %in[%o] : !fsm.ptr<f16>, tensor<4x32xi32, #column> -> tensor<4x32xf16, #column>
  %s = fsm.scan <sum> %x axis 0 reverse : tensor<4x32xf16, #column>
  fsm.store %s, %out[%o] : tensor<4x32xf16, #column>, !fsm.ptr<f16>, tensor<4x32xi32, #column>
  fsm.return
}

#one = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// Of 40 elements the second register of some lanes holds none: what is combined is taken where both are there. The
// lower lane's tuple comes first in the first lane, which all ask for it in the end, so that they have the same bits.
// CHECK-LABEL: gpu.func @argmax
// CHECK:         llvm.intr.masked.load
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult
// CHECK:         %[[MORE:.*]] = arith.cmpf ogt
// CHECK:         %[[V:.*]] = arith.select %[[MORE]]
// CHECK:         %[[I:.*]] = arith.select %[[MORE]]
// CHECK:         arith.select %[[INSIDE]], %[[V]]
// CHECK:         arith.select %[[INSIDE]], %[[I]]
// CHECK:         nvvm.shfl.sync bfly {{.*}} : f32
// CHECK:         nvvm.shfl.sync bfly {{.*}} : i32
// CHECK-COUNT-8: nvvm.shfl.sync bfly
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK-NOT:     nvvm.shfl
// CHECK-NOT:     nvvm.bar
// CHECK:         gpu.return
fsm.kernel @argmax(%out: !fsm.ptr<i32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 40 : tensor<40xi32, #one>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<40xi32, #one> -> tensor<40xf32, #one>
  %v, %i = fsm.reduce_with %x, %o axis 0 : tensor<40xf32, #one>, tensor<40xi32, #one> -> f32, i32 {
  ^bb0(%v0: f32, %i0: i32, %v1: f32, %i1: i32):
    %more = arith.cmpf ogt, %v0, %v1 : f32
    %most = arith.select %more, %v0, %v1 : f32
    %at = arith.select %more, %i0, %i1 : i32
    fsm.yield %most, %at : f32, i32
  }
  fsm.store %i, %out : i32, !fsm.ptr<i32>
  fsm.return
}

#eight = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]], cta = []>

// What eight warps have found a thread fetches by one access for each value of the tuple: four warps in its registers, which it
// combines as a tree, the other four in the lane beside it, which it asks for them. In the one step between them both choose which tuple
// comes first; in a warp the lane that stores has the lower one anyway.
// CHECK-LABEL: gpu.func @warps
// CHECK-NOT:     arith.cmpi ne
// CHECK-COUNT-10: nvvm.shfl.sync bfly
// CHECK:         llvm.store {{.*}} !llvm.ptr<3>
// CHECK:         llvm.store {{.*}} !llvm.ptr<3>
// CHECK:         nvvm.bar
// CHECK-COUNT-2: llvm.load {{.*}} !llvm.ptr<3> -> vector<4x{{[if]}}32>
// CHECK-NOT:     llvm.load
// CHECK-COUNT-3: arith.cmpf ogt
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK-NOT:     nvvm.shfl
// CHECK:         %[[HIGH:.*]] = arith.cmpi ne
// CHECK-COUNT-4: arith.select %[[HIGH]]
// CHECK:         arith.cmpf ogt
// CHECK-NOT:     arith.cmpf
// CHECK:         gpu.return
fsm.kernel @warps(%out: !fsm.ptr<i32>, %in: !fsm.ptr<f32>) attributes {num_warps = 8 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32, #eight>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<256xi32, #eight> -> tensor<256xf32, #eight>
  %v, %i = fsm.reduce_with %x, %o axis 0 : tensor<256xf32, #eight>, tensor<256xi32, #eight> -> f32, i32 {
  ^bb0(%v0: f32, %i0: i32, %v1: f32, %i1: i32):
    %more = arith.cmpf ogt, %v0, %v1 : f32
    %most = arith.select %more, %v0, %v1 : f32
    %at = arith.select %more, %i0, %i1 : i32
    fsm.yield %most, %at : f32, i32
  }
  fsm.store %i, %out : i32, !fsm.ptr<i32>
  fsm.return
}
