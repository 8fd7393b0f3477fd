// What the form of each plan attribute leaves out: another width, a number past the end, no multiple, a value where none
// belongs, and lists of other lengths. Which ops may have one is in debug-errors.mlir and pipeline-ops-errors.mlir.

// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected 'fsm.programs_per_cta' on the kernel, then the function, with an i32 of at least 0, as fsm-choose-warps or fsm-allocate-shared writes it, got 4 : i64 on 'fsm.kernel'}}
fsm.kernel @wide() attributes {fsm.programs_per_cta = 4 : i64} {
  fsm.return
}

// -----

fsm.kernel @many(%p: !fsm.ptr<f32>, %x: f32) {
  // expected-error@+1 {{expected 'fsm.host_unroll' on stores, reductions and kept values, with an i32 from 1 to 16, as fsm-plan-host-loops writes it, got 17 : i32 on 'fsm.store'}}
  fsm.store %x, %p {fsm.host_unroll = 17 : i32} : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

fsm.kernel @between() attributes {num_warps = 1 : i32} {
  // expected-error@+1 {{expected 'fsm.shared_offset' on fsm.shared_alloc, with an i32 of at least 0, a multiple of 16, as fsm-allocate-shared writes it, got 24 : i32 on 'fsm.shared_alloc'}}
  %a = fsm.shared_alloc {fsm.shared_offset = 24 : i32} : !fsm.shared<128xf32>
  fsm.return
}

// -----

fsm.kernel @flag(%p: !fsm.ptr<f32>, %x: f32) {
  // expected-error@+1 {{expected 'fsm.host_stream' on stores, with no value, as fsm-plan-host-loops writes it, got false on 'fsm.store'}}
  fsm.store %x, %p {fsm.host_stream = false} : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

fsm.kernel @number(%x: f32) {
  // expected-error@+1 {{expected 'fsm.host_buffer' on values, with i64s, as fsm-plan-host-loops writes it, got 64 : i64 on 'fsm.splat'}}
  %b = fsm.splat %x {fsm.host_buffer = 64 : i64} : tensor<4xf32>
  fsm.return
}

// -----

fsm.kernel @short(%p: !fsm.ptr<f32>) {
  // expected-error@+1 {{expected 'fsm.host_prefetch' on loads, with two i64s, as fsm-plan-host-loops writes it, got array<i64: 1> on 'fsm.load'}}
  %x = fsm.load %p {fsm.host_prefetch = array<i64: 1>} : !fsm.ptr<f32> -> f32
  fsm.return
}

// -----

fsm.kernel @forced(%p: !fsm.ptr<f32>, %x: f32) {
  // expected-error@+1 {{expected 'fsm.forced_stages' on scf.for, with no value, as the author or fsm-specialize writes it, got unit on 'fsm.store'}}
  fsm.store %x, %p {fsm.forced_stages} : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// Of as many ctas as a cluster may have, 8, the pass and the option take no more either.
// expected-error@+1 {{expected 'fsm.spread' on a kernel, with an i32 that is a power of two up to 8, as the author or fsm-specialize writes it, got 1073741824 : i32 on 'fsm.kernel'}}
fsm.kernel @spread(%p: !fsm.ptr<f32>) attributes {fsm.spread = 1073741824 : i32} {
  fsm.return
}

// -----

// What one thread alone goes round can give the others nothing.
fsm.kernel @results(%n: i32) {
  // expected-error@+1 {{expected 'fsm.first_thread' on loops scf.while without results, with no value, as fsm-wait-alone writes it, got unit on 'scf.while'}}
  %last = scf.while (%i = %n) : (i32) -> i32 {
    %zero = arith.constant 0 : i32
    %more = arith.cmpi sgt, %i, %zero : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %one = arith.constant 1 : i32
    %next = arith.subi %i, %one : i32
    scf.yield %next : i32
  } attributes {fsm.first_thread}
  fsm.return
}
