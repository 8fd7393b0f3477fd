// Ctas that share a loop: each is told from the others by its number in the cluster, all but the first one store to that one's slots,
// and what is behind only the first one does.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#places = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>

// CHECK-LABEL: gpu.func @parts
// CHECK-SAME:    fsm.num_ctas = 4 : i32
// In front of all, the mbarrier for what three others bring.
// CHECK:         nvvm.mbarrier.init
// CHECK:         nvvm.mbarrier.arrive.expect_tx {{.*}}, %c1536_i32
// CHECK:         nvvm.fence.mbarrier.init
// CHECK:         nvvm.cluster.arrive.relaxed
// The program's number, and the cta's.
// CHECK:         %[[X:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK:         arith.shrui %[[X]], %c2_i32
// CHECK:         %[[Y:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK:         arith.andi %[[Y]], %c3_i32
// CHECK:         nvvm.cluster.wait
// CHECK:         %[[IS_OTHER:.*]] = arith.cmpi ne
// CHECK:         scf.if %[[IS_OTHER]] {
// CHECK:           st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32
// CHECK:         }
// CHECK:         %[[IS_FIRST:.*]] = arith.cmpi eq
// CHECK:         scf.if %[[IS_FIRST]] {
// CHECK:           nvvm.mbarrier.try_wait
// CHECK-COUNT-3:   llvm.load {{.*}} -> vector<4xi32>
// CHECK:           llvm.store {{.*}} !llvm.ptr<1>
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.return
fsm.kernel @parts(%out: !fsm.ptr<i32> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32, fsm.parts = 4 : i32, fsm.shared_bytes = 1552 : i32} {
  %come = fsm.shared_alloc {fsm.shared_offset = 1536 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %come bytes 1536 : !fsm.shared<1x!fsm.mbarrier>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xi32 slots 3, #places>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %program = fsm.program_id x : i32
  %part = fsm.part_id : i32
  %number = arith.addi %program, %part : i32
  %own = fsm.splat %number : tensor<128xi32, #row>
  fsm.shared_store %own, %slots to_first arriving %come : tensor<128xi32, #row>, !fsm.shared<128xi32 slots 3, #places> at !fsm.shared<1x!fsm.mbarrier>
  fsm.end_parts
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  %a = fsm.shared_load %slots[%zero] : !fsm.shared<128xi32 slots 3, #places> -> tensor<128xi32, #row>
  %b = fsm.shared_load %slots[%one] : !fsm.shared<128xi32 slots 3, #places> -> tensor<128xi32, #row>
  %c = fsm.shared_load %slots[%two] : !fsm.shared<128xi32 slots 3, #places> -> tensor<128xi32, #row>
  %ab = arith.addi %a, %b : tensor<128xi32, #row>
  %sum = arith.addi %ab, %c : tensor<128xi32, #row>
  %offsets = fsm.range 0, 128 : tensor<128xi32, #row>
  fsm.store %sum, %out[%offsets] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<128xi32, #row>, !fsm.ptr<i32>, tensor<128xi32, #row>
  fsm.return
}
