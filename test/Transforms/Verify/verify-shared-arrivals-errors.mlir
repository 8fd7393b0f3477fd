// Stores that arrive at an mbarrier: each kernel differs from the first, which is right, in one place.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-shared

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>
#all = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[0]]>

fsm.kernel @right(%zero: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %come = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %come bytes 256 : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  fsm.shared_store %x, %a arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #all>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>
#all = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[0]]>

fsm.kernel @no_wait(%zero: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %come = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %come bytes 256 : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  // expected-note@+1 {{the earlier access is here}}
  fsm.shared_store %x, %a arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected a barrier between this 'fsm.shared_load' and an earlier 'fsm.shared_store' of other threads (RAW hazard)}}
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #all>
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>
#all = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[0]]>

// A barrier orders what threads have done, and not what arrives later.
fsm.kernel @barrier_for_the_wait(%zero: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %come = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %come bytes 256 : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  // expected-note@+1 {{the store that arrives is here}}
  fsm.shared_store %x, %a arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  fsm.shared_barrier <program>
  // expected-error@+1 {{expected a wait between this 'fsm.shared_load' and the arrival of what it reads}}
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #all>
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>
#other = #fsm.layout<register = [], lane = [[2], [1], [4], [8], [16]], warp = [], cta = [[32]]>
#all = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[0]]>

// An mbarrier orders what arrives against who waits, not against what arrives at the same place.
fsm.kernel @stored_twice(%zero: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %come = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %come bytes 512 : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %z = fsm.range 0, 64 : tensor<64xi32, #other>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  // expected-note@+1 {{the earlier access is here}}
  fsm.shared_store %x, %a arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected a barrier between this 'fsm.shared_store' and an earlier 'fsm.shared_store' of other threads (WAW hazard)}}
  fsm.shared_store %z, %a arriving %come : tensor<64xi32, #other>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  %y = fsm.shared_load %a : !fsm.shared<64xi32> -> tensor<64xi32, #all>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>

fsm.kernel @other_bytes(%zero: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %come = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected as many bytes as stores bring, 256, got 128}}
  fsm.mbarrier_init %come bytes 128 : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  fsm.shared_store %x, %a arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>

fsm.kernel @no_bytes(%zero: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %come = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %come : !fsm.shared<1x!fsm.mbarrier>
  fsm.barrier
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  // expected-error@+1 {{expected an 'fsm.mbarrier_init' with the bytes that arrive at the mbarrier of this store}}
  fsm.shared_store %x, %a arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @one_cta(%zero: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %come = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %come bytes 256 : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  // expected-error@+1 {{expected a kernel on several ctas where stores arrive at an mbarrier}}
  fsm.shared_store %x, %a arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>

fsm.kernel @in_a_loop(%zero: i32, %one: i32, %n: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %come = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %come bytes 256 : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  scf.for %i = %zero to %n step %one : i32 {
    // expected-error@+1 {{expected stores that arrive at an mbarrier outside of loops, or with another exchange that arrives from all warps in each round of the kernel's loop}}
    fsm.shared_store %x, %a arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
    fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  }
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>

fsm.kernel @too_late(%zero: i32, %p: !fsm.ptr<i32>) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %n = fsm.load %p : !fsm.ptr<i32> -> i32
  %come = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected what makes an mbarrier ready for the bytes of stores at the beginning of the kernel, in front of all accesses to memory}}
  fsm.mbarrier_init %come bytes 256 : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  fsm.shared_store %x, %a arriving %come : tensor<64xi32, #w>, !fsm.shared<64xi32> at !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %come[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#wide = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>
#own = #fsm.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [], cta = [[1]]>
#all = #fsm.layout<register = [], lane = [[1], [0], [0], [0], [0]], warp = [], cta = [[0]]>

fsm.kernel @not_expected(%x: f32, %n: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 64 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %p = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %p bytes 8 : !fsm.shared<1x!fsm.mbarrier>
  %q = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %q bytes 8 : !fsm.shared<1x!fsm.mbarrier>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%s = %x, %turn = %zero) -> (f32, i32) : i32 {
    %b = fsm.splat %s : tensor<64xf32, #wide>
    %t = fsm.reduce <sum> %b axis 0 : tensor<64xf32, #wide> -> f32 exchange {
    ^bb0(%v: tensor<2xf32, #own>):
      %a = fsm.shared_alloc {fsm.shared_offset = 32 : i32} : !fsm.shared<2xf32>
      // expected-error@+1 {{expected an 'fsm.mbarrier_expect' in front of stores that arrive in each round of a loop}}
      fsm.shared_store %v, %a arriving %p : tensor<2xf32, #own>, !fsm.shared<2xf32> at !fsm.shared<1x!fsm.mbarrier>
      fsm.mbarrier_wait %p[%zero] phase %turn : !fsm.shared<1x!fsm.mbarrier>
      %w = fsm.shared_load %a : !fsm.shared<2xf32> -> tensor<2xf32, #all>
      fsm.yield %w : tensor<2xf32, #all>
    }
    %u = fsm.reduce <max> %b axis 0 : tensor<64xf32, #wide> -> f32 exchange {
    ^bb0(%v: tensor<2xf32, #own>):
      %a = fsm.shared_alloc {fsm.shared_offset = 48 : i32} : !fsm.shared<2xf32>
      fsm.mbarrier_expect %q[%zero] bytes 8 : !fsm.shared<1x!fsm.mbarrier>
      fsm.shared_store %v, %a arriving %q : tensor<2xf32, #own>, !fsm.shared<2xf32> at !fsm.shared<1x!fsm.mbarrier>
      fsm.mbarrier_wait %q[%zero] phase %turn : !fsm.shared<1x!fsm.mbarrier>
      %w = fsm.shared_load %a : !fsm.shared<2xf32> -> tensor<2xf32, #all>
      fsm.yield %w : tensor<2xf32, #all>
    }
    %y = arith.addf %t, %u : f32
    %next = arith.xori %turn, %one : i32
    scf.yield %y, %next : f32, i32
  }
  fsm.return
}

// -----

#wide = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>
#own = #fsm.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [], cta = [[1]]>
#all = #fsm.layout<register = [], lane = [[1], [0], [0], [0], [0]], warp = [], cta = [[0]]>

fsm.kernel @of_one_phase(%x: f32, %n: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 64 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %p = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %p bytes 8 : !fsm.shared<1x!fsm.mbarrier>
  %q = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %q bytes 8 : !fsm.shared<1x!fsm.mbarrier>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%s = %x, %turn = %zero) -> (f32, i32) : i32 {
    %b = fsm.splat %s : tensor<64xf32, #wide>
    %t = fsm.reduce <sum> %b axis 0 : tensor<64xf32, #wide> -> f32 exchange {
    ^bb0(%v: tensor<2xf32, #own>):
      %a = fsm.shared_alloc {fsm.shared_offset = 32 : i32} : !fsm.shared<2xf32>
      fsm.mbarrier_expect %p[%zero] bytes 8 : !fsm.shared<1x!fsm.mbarrier>
      // expected-error@+1 {{expected a wait behind stores that arrive in each round of a loop, whose phase the loop carries: 0, 1, 0 and so on}}
      fsm.shared_store %v, %a arriving %p : tensor<2xf32, #own>, !fsm.shared<2xf32> at !fsm.shared<1x!fsm.mbarrier>
      fsm.mbarrier_wait %p[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
      %w = fsm.shared_load %a : !fsm.shared<2xf32> -> tensor<2xf32, #all>
      fsm.yield %w : tensor<2xf32, #all>
    }
    %u = fsm.reduce <max> %b axis 0 : tensor<64xf32, #wide> -> f32 exchange {
    ^bb0(%v: tensor<2xf32, #own>):
      %a = fsm.shared_alloc {fsm.shared_offset = 48 : i32} : !fsm.shared<2xf32>
      fsm.mbarrier_expect %q[%zero] bytes 8 : !fsm.shared<1x!fsm.mbarrier>
      fsm.shared_store %v, %a arriving %q : tensor<2xf32, #own>, !fsm.shared<2xf32> at !fsm.shared<1x!fsm.mbarrier>
      fsm.mbarrier_wait %q[%zero] phase %turn : !fsm.shared<1x!fsm.mbarrier>
      %w = fsm.shared_load %a : !fsm.shared<2xf32> -> tensor<2xf32, #all>
      fsm.yield %w : tensor<2xf32, #all>
    }
    %y = arith.addf %t, %u : f32
    %next = arith.xori %turn, %one : i32
    scf.yield %y, %next : f32, i32
  }
  fsm.return
}

// -----

#wide = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>
#own = #fsm.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [], cta = [[1]]>
#all = #fsm.layout<register = [], lane = [[1], [0], [0], [0], [0]], warp = [], cta = [[0]]>

fsm.kernel @of_other_bytes(%x: f32, %n: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.shared_bytes = 64 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %p = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %p bytes 8 : !fsm.shared<1x!fsm.mbarrier>
  %q = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %q bytes 8 : !fsm.shared<1x!fsm.mbarrier>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%s = %x, %turn = %zero) -> (f32, i32) : i32 {
    %b = fsm.splat %s : tensor<64xf32, #wide>
    %t = fsm.reduce <sum> %b axis 0 : tensor<64xf32, #wide> -> f32 exchange {
    ^bb0(%v: tensor<2xf32, #own>):
      %a = fsm.shared_alloc {fsm.shared_offset = 32 : i32} : !fsm.shared<2xf32>
      // expected-error@+1 {{expected as many bytes as the stores behind it bring, 8, got 16}}
      fsm.mbarrier_expect %p[%zero] bytes 16 : !fsm.shared<1x!fsm.mbarrier>
      fsm.shared_store %v, %a arriving %p : tensor<2xf32, #own>, !fsm.shared<2xf32> at !fsm.shared<1x!fsm.mbarrier>
      fsm.mbarrier_wait %p[%zero] phase %turn : !fsm.shared<1x!fsm.mbarrier>
      %w = fsm.shared_load %a : !fsm.shared<2xf32> -> tensor<2xf32, #all>
      fsm.yield %w : tensor<2xf32, #all>
    }
    %u = fsm.reduce <max> %b axis 0 : tensor<64xf32, #wide> -> f32 exchange {
    ^bb0(%v: tensor<2xf32, #own>):
      %a = fsm.shared_alloc {fsm.shared_offset = 48 : i32} : !fsm.shared<2xf32>
      fsm.mbarrier_expect %q[%zero] bytes 8 : !fsm.shared<1x!fsm.mbarrier>
      fsm.shared_store %v, %a arriving %q : tensor<2xf32, #own>, !fsm.shared<2xf32> at !fsm.shared<1x!fsm.mbarrier>
      fsm.mbarrier_wait %q[%zero] phase %turn : !fsm.shared<1x!fsm.mbarrier>
      %w = fsm.shared_load %a : !fsm.shared<2xf32> -> tensor<2xf32, #all>
      fsm.yield %w : tensor<2xf32, #all>
    }
    %y = arith.addf %t, %u : f32
    %next = arith.xori %turn, %one : i32
    scf.yield %y, %next : f32, i32
  }
  fsm.return
}
