// Blocks in shared memory as they may be: the right twins of verify-shared-blocks-errors.mlir.

// RUN: %fsm_opt %s --fsm-verify-shared
// RUN: %fsm_opt %s --fsm-insert-barriers | FileCheck %s

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#v = #fsm.layout<register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]], cta = []>
#own = #fsm.layout<register = [], lane = [[2], [1], [4], [8], [16]], warp = [[32]], cta = []>
#once = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]], cta = []>

// CHECK-NOT: fsm.barrier

fsm.kernel @barrier() attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  fsm.shared_barrier <program>
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #v>
  %z = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #own>
  fsm.return
}

fsm.kernel @barrier_of_a_warp() attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  fsm.shared_barrier <warp>
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #own>
  fsm.return
}

fsm.kernel @next_iteration(%n: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  scf.for %i = %n to %n step %n : i32 {
    %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
    fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
    fsm.shared_barrier <warp>
    %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #own>
    fsm.shared_barrier <program>
  }
  fsm.return
}

// The second block is stored when the first has been read.
fsm.kernel @one_after_the_other() attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %h = fsm.range 0, 32 : tensor<32xi32, #once>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  fsm.shared_barrier <program>
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #v>
  fsm.shared_barrier <program>
  %b = fsm.shared_alloc {fsm.shared_offset = 128 : i32} : !fsm.shared<32xi32>
  fsm.shared_store %h, %b : tensor<32xi32, #once>, !fsm.shared<32xi32>
  fsm.shared_barrier <program>
  %z = fsm.shared_load %b : !fsm.shared<32xi32> -> tensor<32xi32, #once>
  fsm.return
}

fsm.kernel @stored_on_each_way(%c: i1) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  scf.if %c {
    fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  } else {
    fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  }
  fsm.shared_barrier <program>
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #v>
  fsm.return
}
