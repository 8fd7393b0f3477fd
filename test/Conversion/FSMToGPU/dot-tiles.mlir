// A product by multiply-adds of tiles in slots. All steps are written out, for where a chunk of 16 bytes is exchanged to is known
// for each: what a register and a step add meets the thread's bits in an exclusive or.
//
// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s
// RUN: %fsm_opt %s --convert-fsm-to-gpu --canonicalize --cse | FileCheck %s --check-prefix=PLACES

// A thread has two rows of four columns. For four steps it reads a chunk of each row and a vector for each step.
// CHECK-LABEL:    gpu.func @chunks(
// CHECK-NOT:      scf.for
// CHECK-COUNT-24: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:      llvm.load
// CHECK:          gpu.return

// Of the left tile a lane's rows add 144, 288 and 576 bytes, the other row 64, and a chunk 16, so that seven of eight places are
// exchanged; in the right one a step is a line of 64 bytes behind the other, from 2048 on.
// PLACES-LABEL:   gpu.func @chunks(
// PLACES-COUNT-7: arith.xori %{{.*}}, %c{{16|32|48|64|80|96|112}}_i32
// PLACES:         gpu.return
#A = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 4], [4, 8], [9, 0]]>
#B = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>
#sums = #fsm.layout<register = [[0, 1], [0, 2], [1, 0]], lane = [[2, 0], [0, 4], [0, 8], [4, 0], [8, 0]], warp = [], cta = []>
fsm.kernel @chunks(%out: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 4096 : i32} {
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x16xf32 slots 2, #A>
  %b = fsm.shared_alloc {fsm.shared_offset = 2048 : i32} : !fsm.shared<16x16xf32 slots 2, #B>
  %c = ub.poison : tensor<16x16xf32, #sums>
  %d = fsm.shared_dot %a[%slot], %b[%slot], %c inner 16
    : !fsm.shared<16x16xf32 slots 2, #A>, !fsm.shared<16x16xf32 slots 2, #B> -> tensor<16x16xf32, #sums>
  %o = arith.constant dense<0> : tensor<16x16xi32, #sums>
  fsm.store %d, %out[%o] : tensor<16x16xf32, #sums>, !fsm.ptr<f32>, tensor<16x16xi32, #sums>
  fsm.return
}
