// Atomics that are not ordered as they ask for.

// RUN: %fsm_opt %s --split-input-file --fsm-verify-shared --verify-diagnostics

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

fsm.kernel @release(%p: !fsm.ptr<i32> {fsm.noalias}, %lock: !fsm.ptr<i32> {fsm.noalias}, %o: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 0 : i32} {
  %at = fsm.range 0, 128 : tensor<128xi32, #w4>
  // expected-note @below {{the earlier access is here}}
  fsm.store %at, %p[%at] : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  // expected-error @below {{expected a barrier between this 'fsm.atomic_rmw' and an earlier 'fsm.store' of other threads (WAW hazard)}}
  %was = fsm.atomic_rmw <exch> %o, %lock sem = release : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

fsm.kernel @acquire(%p: !fsm.ptr<i32> {fsm.noalias}, %lock: !fsm.ptr<i32> {fsm.noalias}, %o: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 0 : i32} {
  %at = fsm.range 0, 128 : tensor<128xi32, #w4>
  // expected-note @below {{the earlier access is here}}
  %was = fsm.atomic_rmw <exch> %o, %lock sem = acquire : i32, !fsm.ptr<i32>
  // expected-error @below {{expected a barrier between this 'fsm.load' and an earlier 'fsm.atomic_rmw' of other threads (RAW hazard)}}
  %x = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
  fsm.return
}

// -----

// The result is handed on through shared memory, which the next turn writes again.
fsm.kernel @turns(%p: !fsm.ptr<i32>, %o: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %last = scf.while (%x = %o) : (i32) -> i32 {
    %old = fsm.atomic_rmw <max> %x, %p sem = relaxed : i32, !fsm.ptr<i32>
    %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1xi32>
    // expected-error @below {{expected a barrier between this 'fsm.shared_store' and an earlier 'fsm.shared_load' of other threads (WAR hazard)}}
    fsm.shared_store %old, %a : i32, !fsm.shared<1xi32>
    fsm.shared_barrier <program>
    // expected-note @below {{the earlier access is here}}
    %y = fsm.shared_load %a : !fsm.shared<1xi32> -> i32
    %more = arith.cmpi ne, %x, %y : i32
    scf.condition(%more) %y : i32
  } do {
  ^bb0(%x: i32):
    scf.yield %x : i32
  }
  fsm.store %last, %p : i32, !fsm.ptr<i32>
  fsm.return
}
