// Plans and barriers that are wrong: each differs from a right one in one place.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-shared

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

// The barrier that a single reduction in a loop needs is missing.
fsm.kernel @no_barrier(%n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    // expected-error@+2 {{expected a barrier between this 'fsm.reduce' and an earlier 'fsm.reduce' of other threads (WAR hazard)}}
    // expected-note@+1 {{the earlier access is here}}
    %m = fsm.reduce <max> %x axis 0 {fsm.shared_offset = 0 : i32} : tensor<128xi32, #w4> -> i32
  }
  fsm.return
}

// -----

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

// The second of two alternating slots has been moved over the first.
fsm.kernel @moved(%n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 32 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    // expected-note@+1 {{the earlier access is here}}
    %m = fsm.reduce <max> %x axis 0 {fsm.shared_offset = 0 : i32} : tensor<128xi32, #w4> -> i32
    // expected-error@+1 {{expected a barrier between this 'fsm.reduce' and an earlier 'fsm.reduce' of other threads (WAR hazard)}}
    %s = fsm.reduce <sum> %x axis 0 {fsm.shared_offset = 0 : i32} : tensor<128xi32, #w4> -> i32
  }
  fsm.return
}

// -----

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

fsm.kernel @beyond_the_end() attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  // expected-error@+1 {{the plan of shared memory is wrong here: bytes 16 to 32 are beyond the end, 16}}
  %m = fsm.reduce <max> %x axis 0 {fsm.shared_offset = 16 : i32} : tensor<128xi32, #w4> -> i32
  fsm.return
}

// -----

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

fsm.kernel @no_place() attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  // expected-error@+1 {{expected 16 bytes of shared memory at 'fsm.shared_offset'; run fsm-allocate-shared after the last change of layouts}}
  %m = fsm.reduce <max> %x axis 0 : tensor<128xi32, #w4> -> i32
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

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

fsm.kernel @misaligned() attributes {num_warps = 4 : i32, fsm.shared_bytes = 64 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  // expected-error@+1 {{expected 'fsm.shared_offset' as the passes for GPUs write it, got 8 : i32}}
  %m = fsm.reduce <max> %x axis 0 {fsm.shared_offset = 8 : i32} : tensor<128xi32, #w4> -> i32
  fsm.return
}
