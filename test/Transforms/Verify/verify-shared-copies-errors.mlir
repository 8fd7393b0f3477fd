// Copies whose barriers, waits or places are wrong: each differs from a right one, the last of its kind, in one place.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics --fsm-verify-shared

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @no_barrier_behind_init(%p: !fsm.ptr<i32>, %zero: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 1>
  %full = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  // expected-note@+1 {{the earlier access is here}}
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected a barrier between this 'fsm.copy_async' and an earlier 'fsm.mbarrier_init' of other threads (RAW hazard)}}
  fsm.copy_async %p[%o] into %a[%zero] mbarrier %full : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @no_init(%p: !fsm.ptr<i32>, %zero: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 1>
  %full = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected a store to the memory of this 'fsm.copy_async' on each way to it}}
  fsm.copy_async %p[%o] into %a[%zero] mbarrier %full : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

// Another memory's mbarrier says nothing of these copies.
fsm.kernel @waits_for_another(%p: !fsm.ptr<i32>, %zero: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 288 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 1>
  %full = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  %other = fsm.shared_alloc {fsm.shared_offset = 272 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %other : !fsm.shared<1x!fsm.mbarrier>
  fsm.barrier
  // expected-note@+1 {{the copy is here}}
  fsm.copy_async %p[%o] into %a[%zero] mbarrier %full : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %other[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected a wait between this 'fsm.shared_load' and the copy of what it reads}}
  %x = fsm.shared_load %a[%zero] : !fsm.shared<64xi32 slots 1> -> tensor<64xi32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

// The wait is behind the copy in one branch only.
fsm.kernel @waits_sometimes(%p: !fsm.ptr<i32>, %zero: i32, %b: i1) attributes {num_warps = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 1>
  %full = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  fsm.barrier
  // expected-note@+1 {{the copy is here}}
  fsm.copy_async %p[%o] into %a[%zero] mbarrier %full : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  scf.if %b {
    fsm.mbarrier_wait %full[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  }
  // expected-error@+1 {{expected a wait between this 'fsm.shared_load' and the copy of what it reads}}
  %x = fsm.shared_load %a[%zero] : !fsm.shared<64xi32 slots 1> -> tensor<64xi32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

fsm.kernel @no_barrier_before_next_copy(%p: !fsm.ptr<i32>, %zero: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 1>
  %full = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  fsm.barrier
  fsm.copy_async %p[%o] into %a[%zero] mbarrier %full : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %full[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  // expected-note@+1 {{the earlier access is here}}
  %x = fsm.shared_load %a[%zero] : !fsm.shared<64xi32 slots 1> -> tensor<64xi32, #w>
  // expected-error@+1 {{expected a barrier between this 'fsm.copy_async' and an earlier 'fsm.shared_load' of other threads (WAR hazard)}}
  fsm.copy_async %p[%o] into %a[%zero] mbarrier %full fence : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

// A block in the bytes of a slot.
fsm.kernel @overwritten(%p: !fsm.ptr<i32>, %zero: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 272 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 1>
  %full = fsm.shared_alloc {fsm.shared_offset = 256 : i32} : !fsm.shared<1x!fsm.mbarrier>
  %b = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32>
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  fsm.barrier
  fsm.copy_async %p[%o] into %a[%zero] mbarrier %full : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.barrier
  // expected-note@+1 {{what writes there is here}}
  fsm.shared_store %o, %b : tensor<64xi32, #w>, !fsm.shared<64xi32>
  fsm.barrier
  fsm.mbarrier_wait %full[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected no other 'fsm.shared_store' in the bytes of this 'fsm.shared_load' since its block was stored}}
  %x = fsm.shared_load %a[%zero] : !fsm.shared<64xi32 slots 1> -> tensor<64xi32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>

// What is right: one slot is filled while another is read, around a loop.
fsm.kernel @right(%p: !fsm.ptr<i32>, %zero: i32, %one: i32, %n: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 528 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 2>
  %full = fsm.shared_alloc {fsm.shared_offset = 512 : i32} : !fsm.shared<2x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<2x!fsm.mbarrier>
  fsm.barrier
  fsm.copy_async %p[%o] into %a[%zero] mbarrier %full : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 2> mbarrier !fsm.shared<2x!fsm.mbarrier>
  scf.for %i = %zero to %n step %one : i32 {
    fsm.mbarrier_wait %full[%zero] phase %zero : !fsm.shared<2x!fsm.mbarrier>
    %x = fsm.shared_load %a[%zero] : !fsm.shared<64xi32 slots 2> -> tensor<64xi32, #w>
    fsm.barrier
    fsm.copy_async %p[%o] into %a[%one] mbarrier %full fence : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 2> mbarrier !fsm.shared<2x!fsm.mbarrier>
  }
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>

// What a thread has copied has not arrived for it.
fsm.kernel @own_without_wait(%p: !fsm.ptr<i32>, %zero: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 1, #own>
  // expected-note@+1 {{the copy is here}}
  fsm.copy_async %p[%o] into %a[%zero] : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1, #own>
  fsm.copy_commit
  // expected-error@+1 {{expected a wait between this 'fsm.shared_load' and the copy of what it reads}}
  %x = fsm.shared_load %a[%zero] : !fsm.shared<64xi32 slots 1, #own> -> tensor<64xi32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>

// Threads that have met have not waited for their copies.
fsm.kernel @own_with_a_barrier(%p: !fsm.ptr<i32>, %zero: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 1, #own>
  // expected-note@+1 {{the copy is here}}
  fsm.copy_async %p[%o] into %a[%zero] : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1, #own>
  fsm.copy_commit
  fsm.shared_barrier <program>
  // expected-error@+1 {{expected a wait between this 'fsm.shared_load' and the copy of what it reads}}
  %x = fsm.shared_load %a[%zero] : !fsm.shared<64xi32 slots 1, #own> -> tensor<64xi32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#v = #fsm.layout<register = [], lane = [[32], [2], [4], [8], [16]], warp = [[1]], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>

// A thread's wait says nothing of what others have copied.
fsm.kernel @of_other_threads(%p: !fsm.ptr<i32>, %zero: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 256 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 1, #own>
  // expected-note@+1 {{the earlier access is here}}
  fsm.copy_async %p[%o] into %a[%zero] : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 1, #own>
  fsm.copy_commit
  fsm.copy_wait 0
  // expected-error@+1 {{expected a barrier between this 'fsm.shared_load' and an earlier 'fsm.copy_async' of other threads (RAW hazard)}}
  %x = fsm.shared_load %a[%zero] : !fsm.shared<64xi32 slots 1, #own> -> tensor<64xi32, #v>
  fsm.return
}

// -----

#all = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16]]>

// Both warps copy each element to the same place, and one may do so again while the other reads.
fsm.kernel @of_several_threads(%p: !fsm.ptr<i32>, %zero: i32, %one: i32, %n: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 128 : i32} {
  %o = fsm.range 0, 32 : tensor<32xi32, #all>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<32xi32 slots 1, #own>
  // expected-note@+1 {{the earlier access is here}}
  fsm.copy_async %p[%o] into %a[%zero] : !fsm.ptr<i32>, tensor<32xi32, #all>, !fsm.shared<32xi32 slots 1, #own>
  fsm.copy_commit
  fsm.copy_wait 0
  // expected-error@+1 {{expected a barrier between this 'fsm.shared_load' and an earlier 'fsm.copy_async' of other threads (RAW hazard)}}
  %x = fsm.shared_load %a[%zero] : !fsm.shared<32xi32 slots 1, #own> -> tensor<32xi32, #all>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>

// What is right needs no barrier at all: each thread has its places for itself.
fsm.kernel @own(%p: !fsm.ptr<i32>, %zero: i32, %one: i32, %n: i32) attributes {num_warps = 2 : i32, fsm.shared_bytes = 512 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xi32 slots 2, #own>
  fsm.copy_async %p[%o] into %a[%zero] : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 2, #own>
  fsm.copy_commit
  scf.for %i = %zero to %n step %one : i32 {
    fsm.copy_wait 0
    %x = fsm.shared_load %a[%zero] : !fsm.shared<64xi32 slots 2, #own> -> tensor<64xi32, #w>
    fsm.copy_async %p[%o] into %a[%one] : !fsm.ptr<i32>, tensor<64xi32, #w>, !fsm.shared<64xi32 slots 2, #own>
    fsm.copy_commit
  }
  fsm.return
}
