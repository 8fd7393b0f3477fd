// Groups of warps that share a loop: each is told from the others by its warps' numbers, has memory and a barrier of its own, and the
// first one reads what the others have stored when all have met.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]], cta = []>
#places = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64], [128]]>

// CHECK-LABEL: gpu.func @groups
// CHECK-SAME:    fsm.num_warps = 8 : i32
// CHECK-SAME:    fsm.programs_per_cta = 1 : i32
// CHECK-SAME:    fsm.shared_bytes = 4096 : i32
// CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>
// CHECK:         %[[WARP:.*]] = arith.shrui %{{.*}}, %c5_i32
// CHECK:         %[[GROUP:.*]] = arith.shrui %[[WARP]], %c1_i32
// CHECK:         %[[OWN:.*]] = arith.andi %[[WARP]], %c1_i32{{.*}}
// CHECK:         %[[BYTES:.*]] = arith.muli %[[GROUP]], %c1024_i32
// CHECK:         %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%[[BYTES]]]
// CHECK:         %[[NUMBER:.*]] = arith.addi %[[GROUP]], %c1_i32{{.*}}
// CHECK:         nvvm.barrier id = %[[NUMBER]] number_of_threads = %c64_i32
// CHECK:         llvm.store {{.*}} !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         %[[IS_FIRST:.*]] = arith.cmpi eq, %[[GROUP]], %c0_i32{{.*}}
// CHECK:         scf.if %[[IS_FIRST]] {
// CHECK:           %[[OF_GROUP:.*]] = llvm.getelementptr %[[BASE]][%{{.*}}]
// CHECK-NEXT:      llvm.getelementptr %[[OF_GROUP]][1024]
// CHECK:           llvm.getelementptr %{{.*}}[3072]
// CHECK:           llvm.store {{.*}} !llvm.ptr<1>
fsm.kernel @groups(%out: !fsm.ptr<i32> {fsm.align = 16 : i32}) attributes {num_warps = 2 : i32, fsm.parts = 4 : i32, fsm.parts_in_cta, fsm.shared_bytes = 1024 : i32} {
  %part = fsm.part_id : i32
  %shared = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<256xi32, #places>
  %own = fsm.splat %part : tensor<256xi32, #row>
  fsm.shared_barrier <program>
  fsm.shared_store %own, %shared : tensor<256xi32, #row>, !fsm.shared<256xi32, #places>
  fsm.shared_barrier <parts>
  fsm.end_parts
  %a = fsm.shared_load %shared from_part 1 : !fsm.shared<256xi32, #places> -> tensor<256xi32, #row>
  %b = fsm.shared_load %shared from_part 3 : !fsm.shared<256xi32, #places> -> tensor<256xi32, #row>
  %sum = arith.addi %a, %b : tensor<256xi32, #row>
  %offsets = fsm.range 0, 256 : tensor<256xi32, #row>
  fsm.store %sum, %out[%offsets] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<256xi32, #row>, !fsm.ptr<i32>, tensor<256xi32, #row>
  fsm.return
}
