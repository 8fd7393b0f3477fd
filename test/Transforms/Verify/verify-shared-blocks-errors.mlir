// Blocks in shared memory whose barriers or places are wrong: each differs from a right one in one place.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-shared

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#v = #fsm.layout<register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]], cta = []>

fsm.kernel @no_barrier() attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  // expected-note@+1 {{the earlier access is here}}
  fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  // expected-error@+1 {{expected a barrier between this 'fsm.shared_load' and an earlier 'fsm.shared_store' of other threads (RAW hazard)}}
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #v>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#v = #fsm.layout<register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]], cta = []>

// The elements are another warp's.
fsm.kernel @barrier_of_a_warp() attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  // expected-note@+1 {{the earlier access is here}}
  fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  fsm.shared_barrier <warp>
  // expected-error@+1 {{expected a barrier between this 'fsm.shared_load' and an earlier 'fsm.shared_store' of other threads (RAW hazard)}}
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #v>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#v = #fsm.layout<register = [], lane = [[2], [1], [4], [8], [16]], warp = [[32]], cta = []>

// The elements are the warp's own, but no warp waits for the others' before the second iteration.
fsm.kernel @next_iteration(%n: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  scf.for %i = %n to %n step %n : i32 {
    %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
    // expected-error@+2 {{expected a barrier between this 'fsm.shared_store' and an earlier 'fsm.shared_store' of other threads (WAW hazard)}}
    // expected-note@+1 {{the earlier access is here}}
    fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
    fsm.shared_barrier <warp>
    %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #v>
  }
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

// Two blocks at the same time in the same bytes: no barrier helps.
fsm.kernel @overwritten() attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  %b = fsm.shared_alloc {fsm.shared_offset = 128 : i32} : !fsm.shared<32xi32>
  fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  fsm.barrier
  %h = arith.constant dense<0> : tensor<32xi32, #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]], cta = []>>
  // expected-note@+1 {{what writes there is here}}
  fsm.shared_store %h, %b : tensor<32xi32, #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]], cta = []>>, !fsm.shared<32xi32>
  fsm.barrier
  // expected-error@+1 {{expected no other 'fsm.shared_store' in the bytes of this 'fsm.shared_load' since its block was stored}}
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#own = #fsm.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1]], cta = []>
#all = #fsm.layout<register = [], lane = [[1], [0], [0], [0], [0]], warp = [[0]], cta = []>

// What the warps of a reduction exchange, in a loop that goes around.
fsm.kernel @scratch(%n: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  fsm.barrier
  scf.for %i = %n to %n step %n : i32 {
    // expected-error@+1 {{expected no other 'fsm.shared_store' in the bytes of this 'fsm.shared_load' since its block was stored}}
    %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #w>
    fsm.barrier
    %m = fsm.reduce <max> %x axis 0 : tensor<64xi32, #w> -> i32 exchange {
    ^bb0(%part: tensor<2xi32, #own>):
      %b = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<2xi32>
      // expected-note@+1 {{what writes there is here}}
      fsm.shared_store %part, %b : tensor<2xi32, #own>, !fsm.shared<2xi32>
      fsm.shared_barrier <program>
      %parts = fsm.shared_load %b : !fsm.shared<2xi32> -> tensor<2xi32, #all>
      fsm.yield %parts : tensor<2xi32, #all>
    }
    fsm.barrier
  }
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @never_stored(%c: i1) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  scf.if %c {
    fsm.shared_store %x, %a : tensor<64xi32, #w>, !fsm.shared<64xi32>
  }
  fsm.barrier
  // expected-error@+1 {{expected a store to the memory of this 'fsm.shared_load' on each way to it}}
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @no_place() attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  // expected-error@+1 {{expected 256 bytes of shared memory at 'fsm.shared_offset'; run fsm-allocate-shared after the last change of layouts}}
  %a = fsm.shared_alloc : !fsm.shared<64xi32>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [[0, 0]], cta = []>

// A product reads two factors; one of them was not stored.
fsm.kernel @one_factor(%x: f32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<4x4xf32 pitch 8>
  %b = fsm.shared_alloc {fsm.shared_offset = 128 : i32} : !fsm.shared<4x4xf32 pitch 8>
  fsm.shared_store %v, %a : tensor<4x4xf32, #w>, !fsm.shared<4x4xf32 pitch 8>
  fsm.shared_barrier <program>
  // expected-error@+1 {{expected a store to the memory of this 'fsm.shared_dot' on each way to it}}
  %d = fsm.shared_dot %a, %b, %v inner 4 : !fsm.shared<4x4xf32 pitch 8>, !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [[0, 0]], cta = []>

// The second factor is stored behind the barrier.
fsm.kernel @behind_the_barrier(%x: f32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<4x4xf32 pitch 8>
  %b = fsm.shared_alloc {fsm.shared_offset = 128 : i32} : !fsm.shared<4x4xf32 pitch 8>
  fsm.shared_store %v, %a : tensor<4x4xf32, #w>, !fsm.shared<4x4xf32 pitch 8>
  fsm.shared_barrier <program>
  // expected-note@+1 {{the earlier access is here}}
  fsm.shared_store %v, %b : tensor<4x4xf32, #w>, !fsm.shared<4x4xf32 pitch 8>
  // expected-error@+1 {{expected a barrier between this 'fsm.shared_dot' and an earlier 'fsm.shared_store' of other threads (RAW hazard)}}
  %d = fsm.shared_dot %a, %b, %v inner 4 : !fsm.shared<4x4xf32 pitch 8>, !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #w>
  fsm.return
}
