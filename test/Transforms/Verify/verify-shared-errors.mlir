// Plans and barriers that are wrong: each differs from a right one in one place.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-shared

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>
#v4 = #fsm.layout<register = [], lane = [[4], [8], [16], [32], [64]], warp = [[1], [2]], cta = []>

// The barrier that a single exchange in a loop needs is missing.
fsm.kernel @no_barrier(%n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 512 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xi32>
    // expected-error@+1 {{expected a barrier between this 'fsm.shared_store' and an earlier 'fsm.shared_load' of other threads (WAR hazard)}}
    fsm.shared_store %x, %a : tensor<128xi32, #w4>, !fsm.shared<128xi32>
    fsm.shared_barrier <program>
    // expected-note@+1 {{the earlier access is here}}
    %a1 = fsm.shared_load %a : !fsm.shared<128xi32> -> tensor<128xi32, #v4>
  }
  fsm.return
}

// -----

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>
#v4 = #fsm.layout<register = [], lane = [[4], [8], [16], [32], [64]], warp = [[1], [2]], cta = []>

// The second of two alternating slots has been moved over the first.
fsm.kernel @moved(%n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 512 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xi32>
    fsm.shared_store %x, %a : tensor<128xi32, #w4>, !fsm.shared<128xi32>
    fsm.shared_barrier <program>
    // expected-note@+1 {{the earlier access is here}}
    %a1 = fsm.shared_load %a : !fsm.shared<128xi32> -> tensor<128xi32, #v4>
    %b = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xi32>
    // expected-error@+1 {{expected a barrier between this 'fsm.shared_store' and an earlier 'fsm.shared_load' of other threads (WAR hazard)}}
    fsm.shared_store %x, %b : tensor<128xi32, #w4>, !fsm.shared<128xi32>
    fsm.shared_barrier <program>
    %b1 = fsm.shared_load %b : !fsm.shared<128xi32> -> tensor<128xi32, #v4>
  }
  fsm.return
}

// -----

fsm.kernel @beyond_the_end() attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  // expected-error@+1 {{the plan of shared memory is wrong here: bytes 16 to 32 are beyond the end, 16}}
  %a = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<4xi32>
  fsm.return
}

// -----

fsm.kernel @no_place() attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  // expected-error@+1 {{expected 16 bytes of shared memory at 'fsm.shared_offset'; run fsm-allocate-shared after the last change of layouts}}
  %a = fsm.shared_alloc : !fsm.shared<4xi32>
  fsm.return
}

// -----

// A store that a later iteration loads, in a loop with no promise about it.
fsm.kernel @carried(%p: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 4 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    // expected-error@+1 {{expected a barrier between this 'fsm.load' and an earlier 'fsm.store' of other threads (RAW hazard)}}
    %x = fsm.load %p : !fsm.ptr<i32> -> i32
    fsm.barrier
    // expected-note@+1 {{the earlier access is here}}
    fsm.store %x, %p : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// -----

// The promise of 2 stages is about the iteration before, not the one before that.
fsm.kernel @beyond_the_promise(%p: !fsm.ptr<i32>, %c: i1, %n: i32) attributes {num_warps = 4 : i32} {
  scf.for %i = %n to %n step %n : i32 {
    scf.if %c {
      // expected-note@+1 {{the earlier access is here}}
      fsm.store %n, %p : i32, !fsm.ptr<i32>
    } else {
      // expected-error@+1 {{expected a barrier between this 'fsm.load' and an earlier 'fsm.store' of other threads (RAW hazard)}}
      %x = fsm.load %p : !fsm.ptr<i32> -> i32
    }
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// -----

fsm.kernel @misaligned() attributes {num_warps = 4 : i32, fsm.shared_bytes = 64 : i32} {
  // expected-error@+1 {{expected 'fsm.shared_offset' on fsm.shared_alloc, with an i32 of at least 0, a multiple of 16, as fsm-allocate-shared writes it, got 8 : i32}}
  %a = fsm.shared_alloc {fsm.shared_offset = 8 : i32} : !fsm.shared<4xi32>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// Groups of warps meet by themselves, and not with the others.
fsm.kernel @parts_have_not_met() attributes {num_warps = 1 : i32, fsm.parts = 2 : i32, fsm.parts_in_cta, fsm.shared_bytes = 128 : i32} {
  %shared = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<32xi32>
  %own = fsm.range 0, 32 : tensor<32xi32, #w>
  fsm.shared_store %own, %shared : tensor<32xi32, #w>, !fsm.shared<32xi32>
  fsm.shared_barrier <program>
  fsm.end_parts
  // expected-error@+1 {{expected a barrier of all parts between this 'fsm.shared_load' and the store of what it reads}}
  %x = fsm.shared_load %shared from_part 1 : !fsm.shared<32xi32> -> tensor<32xi32, #w>
  fsm.return
}
