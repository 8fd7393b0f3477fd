// Slots that whole lines of banks make up begin with one: what a warp copies side by side would lie in one line more. Others
// begin where 16 bytes do, in front of them if there is room.

// RUN: %fsm_opt %s --fsm-allocate-shared=target=sm_90a | FileCheck %s

#row = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>

// CHECK:     fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<2x!fsm.mbarrier>
// CHECK:     fsm.shared_alloc {fsm.shared_offset = 128 : i32} : !fsm.shared<64xf32 slots 3
// CHECK:     fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<2x!fsm.mbarrier>
// CHECK:     fsm.shared_alloc {fsm.shared_offset = 896 : i32} : !fsm.shared<24xf32 slots 2>
fsm.kernel @slots() attributes {num_warps = 1 : i32} {
  %first = fsm.shared_alloc : !fsm.shared<2x!fsm.mbarrier>
  %lines = fsm.shared_alloc : !fsm.shared<64xf32 slots 3, #row>
  %second = fsm.shared_alloc : !fsm.shared<2x!fsm.mbarrier>
  %short = fsm.shared_alloc : !fsm.shared<24xf32 slots 2>
  fsm.return
}
