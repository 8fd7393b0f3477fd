// Conversions between layouts: registers, shuffles or shared memory. A test of the unit
// ConversionTests runs many.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#a = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#b = #fsm.layout<register = [[1]], lane = [[32], [2], [4], [8], [16]], warp = [], cta = []>
#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#v = #fsm.layout<register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]], cta = []>

#row = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]], cta = []>
#square = #fsm.layout<register = [[0, 4]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]], cta = []>

// Two registers and one bit of the lane change places: one butterfly.
// CHECK-LABEL: gpu.func @shuffles
// CHECK:         nvvm.shfl.sync bfly
// CHECK-NOT:     nvvm.shfl
// CHECK-NOT:     nvvm.bar
// CHECK:         gpu.return
fsm.kernel @shuffles(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #a>
  %p = fsm.range 0, 64 : tensor<64xi32, #b>
  %x = fsm.convert_layout %o : tensor<64xi32, #a> -> tensor<64xi32, #b>
  fsm.store %x, %out[%p] : tensor<64xi32, #b>, !fsm.ptr<i32>, tensor<64xi32, #b>
  fsm.return
}

// Through shared memory go accesses that fsm-stage-exchanges has written.
// CHECK-LABEL: gpu.func @shared
// CHECK:         llvm.store {{.*}}, !llvm.ptr<3>
// CHECK:         nvvm.bar
// CHECK:         llvm.load {{.*}} !llvm.ptr<3>
// CHECK-NOT:     nvvm.bar
// CHECK:         gpu.return
#plain = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>
fsm.kernel @shared(%out: !fsm.ptr<i32>) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %p = fsm.range 0, 64 : tensor<64xi32, #v>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32, #plain>
  fsm.shared_store %o, %a : tensor<64xi32, #w>, !fsm.shared<64xi32, #plain>
  fsm.shared_barrier <program>
  %x = fsm.shared_load %a : !fsm.shared<64xi32, #plain> -> tensor<64xi32, #v>
  fsm.store %x, %out[%p] : tensor<64xi32, #v>, !fsm.ptr<i32>, tensor<64xi32, #v>
  fsm.return
}

// The lanes that have one of 25 elements write it, 4 bytes for each lane behind the first 16; then the threads of one warp wait
// for one another. In the other shape a row has 20 bytes, and what is outside of it reads the last row or column.
// CHECK-LABEL: gpu.func @rows
// CHECK:         arith.muli %{{.*}}, %c4_i32
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c25_i32
// CHECK-NEXT:    scf.if %[[INSIDE]]
// CHECK-NEXT:      llvm.getelementptr %{{.*}}[16]
// CHECK-NEXT:      llvm.store
// CHECK:         nvvm.bar.warp.sync
// CHECK-NOT:     nvvm.barrier
// CHECK:         arith.minui %{{.*}}, %c4_i32
// CHECK:         arith.muli %{{.*}}, %c20_i32
// CHECK:         llvm.load
// CHECK:         llvm.load
// CHECK-NOT:     llvm.load
// CHECK:         gpu.return
fsm.kernel @rows(%out: !fsm.ptr<i32>) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %o = fsm.range 0, 25 : tensor<25xi32, #row>
  %a = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<25xi32>
  fsm.shared_store %o, %a : tensor<25xi32, #row>, !fsm.shared<25xi32>
  fsm.shared_barrier <warp>
  %x = fsm.shared_load %a : !fsm.shared<25xi32> -> tensor<5x5xi32, #square>
  fsm.return
}

// Four columns of a thread are one access, where rows begin at multiples of that.
// CHECK-LABEL: gpu.func @row_vectors
// CHECK:         llvm.store {{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<3>
// CHECK:         nvvm.bar.warp.sync
// CHECK:         llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK-NOT:     llvm.load
// CHECK:         gpu.return
#quads = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [0, 0], [0, 0]], warp = [[0, 0]], cta = []>
fsm.kernel @row_vectors() attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %o = fsm.range 0, 20 : tensor<20xi32, #row>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<20xi32>
  fsm.shared_store %o, %a : tensor<20xi32, #row>, !fsm.shared<20xi32>
  fsm.shared_barrier <warp>
  %x = fsm.shared_load %a : !fsm.shared<20xi32> -> tensor<5x4xi32, #quads>
  fsm.return
}

// Bytes that lanes change two bits of: a lane's eight bytes are two words, of neighbours and of what is 128 further, which are chosen and
// handed on as they are.
// CHECK-LABEL: gpu.func @bytes
// CHECK:         llvm.bitcast %{{.*}} : vector<4xi8> to i32
// CHECK:         llvm.bitcast %{{.*}} : vector<4xi8> to i32
// CHECK-COUNT-2: arith.select {{.*}} : i32
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK-COUNT-2: arith.select {{.*}} : i32
// CHECK-NOT:     nvvm.shfl
// CHECK-NOT:     arith.select
// CHECK:         gpu.return
#pairs = #fsm.layout<register = [[1], [8], [128]], lane = [[2], [4], [16], [32], [64]], warp = [], cta = []>
#fours = #fsm.layout<register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @bytes(%out: !fsm.ptr<i8>, %in: !fsm.ptr<i8>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32, #pairs>
  %p = fsm.range 0, 256 : tensor<256xi32, #fours>
  %x = fsm.load %in[%o] {fsm.access_width = 2 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<i8>, tensor<256xi32, #pairs> -> tensor<256xi8, #pairs>
  %y = fsm.convert_layout %x : tensor<256xi8, #pairs> -> tensor<256xi8, #fours>
  fsm.store %y, %out[%p] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<256xi8, #fours>, !fsm.ptr<i8>, tensor<256xi32, #fours>
  fsm.return
}
