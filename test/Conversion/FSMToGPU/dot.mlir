// A product of matrices over threads: both operands go to shared memory by vectors, then each thread reads
// vectors of its rows and columns, and multiplies.
//
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --convert-fsm-to-gpu | FileCheck %s
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --convert-fsm-to-gpu | FileCheck %s --check-prefix=SUMS
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --convert-fsm-to-gpu | FileCheck %s --check-prefix=READS

// 16 x 8 times 8 x 16: rows of the left matrix are 32 bytes, 48 apart, those of the right one 64 bytes, 80
// apart, behind 16 * 48 bytes. Each of 32 lanes has two rows of 4 columns.
#left = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [], cta = []>
#right = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
#sum = #fsm.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

// CHECK-LABEL: gpu.func @tiles(
// CHECK:         llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK:         llvm.getelementptr %{{.*}}[768]
// CHECK:         llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK-NOT:     llvm.store
// CHECK:         nvvm.bar.warp.sync
// CHECK:         scf.for %{{.*}} iter_args(%{{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32)
// CHECK:         } {fsm.no_unroll}

// Two vectors of rows and, for each of the four steps, one of columns; the other row is 8 * 48 bytes away, the
// other steps 80 bytes each.
// READS-LABEL: gpu.func @tiles(
// READS:         scf.for
// READS:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// READS:         llvm.getelementptr %{{.*}}[384]
// READS:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// READS:         llvm.getelementptr %{{.*}}[768]
// READS:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// READS:         llvm.getelementptr %{{.*}}[848]
// READS:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// READS:         llvm.getelementptr %{{.*}}[928]
// READS:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// READS:         llvm.getelementptr %{{.*}}[1008]
// READS:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// READS-NOT:     llvm.load
// READS:         scf.yield

// SUMS-LABEL:    gpu.func @tiles(
// SUMS:          scf.for
// SUMS-COUNT-32: math.fma
// SUMS-NOT:      math.fma
// SUMS:          gpu.return
fsm.kernel @tiles() attributes {num_warps = 1 : i32} {
  %a = ub.poison : tensor<16x8xf32, #left>
  %b = ub.poison : tensor<8x16xf32, #right>
  %c = ub.poison : tensor<16x16xf32, #sum>
  %d = fsm.dot %a, %b, %c precision = ieee
    : tensor<16x8xf32, #left>, tensor<8x16xf32, #right> -> tensor<16x16xf32, #sum>
  fsm.return
}

// Over two warps, which wait for one another. 3 x 5 times 5 x 3: an odd row has no vectors. What is outside of
// the block is not written, and what a thread has outside is the last row's or column's. Four steps read one
// vector of a row, the fifth what is left of it.
#rows = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[0, 0]], cta = []>
#columns = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]], cta = []>
#odd = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [[0, 0]], cta = []>

// CHECK-LABEL: gpu.func @odd(
// CHECK:         scf.if
// CHECK:         arith.cmpi ult
// CHECK:         scf.if
// CHECK:         llvm.store %{{.*}} : i8, !llvm.ptr<3>
// CHECK:         llvm.store %{{.*}} : i8, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<4xi8>
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK:         arith.extsi %{{.*}} : i8 to i32
// READS-LABEL: gpu.func @odd(
// READS-DAG:     arith.minui
// READS-DAG:     arith.minui
// SUMS-LABEL:    gpu.func @odd(
// SUMS-NOT:      scf.for
// SUMS-COUNT-5:  arith.muli %{{.*}}, %{{.*}} : i32{{[[:space:]]+}}{{.*}}arith.addi
// SUMS:          gpu.return
fsm.kernel @odd() attributes {num_warps = 2 : i32} {
  %a = ub.poison : tensor<3x5xi8, #rows>
  %b = ub.poison : tensor<5x3xi8, #columns>
  %c = ub.poison : tensor<3x3xi32, #odd>
  %d = fsm.dot %a, %b, %c
    : tensor<3x5xi8, #rows>, tensor<5x3xi8, #columns> -> tensor<3x3xi32, #odd>
  fsm.return
}
