// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
// expected-note@+1 {{the pointer is this argument}}
fsm.kernel @other_pointer(%p: !fsm.ptr<f16>, %slot: i32) {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  // expected-note@+1 {{the memory is made here}}
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 3, #own>
  // expected-error@+1 {{expected a pointer to the slot's 'f32', got '!fsm.ptr<f16>'}}
  fsm.copy_async %p[%o] into %slots[%slot] : !fsm.ptr<f16>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 3, #own>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#short = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
fsm.kernel @other_mask(%p: !fsm.ptr<f32>, %slot: i32) {
  // expected-note@+1 {{the block of offsets is made here}}
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  // expected-note@+1 {{the mask is made here}}
  %m = ub.poison : tensor<64xi1, #short>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 3, #own>
  // expected-error@+1 {{expected a mask with the shape and layout of the offsets, 'tensor<128xi32, #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>>', got 'tensor<64xi1, }}
  fsm.copy_async %p[%o], %m into %slots[%slot] : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 3, #own>, tensor<64xi1, #short>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
// A slot may be larger than the block, but only by what its number of bits allows.
fsm.kernel @larger_slot(%p: !fsm.ptr<f32>, %slot: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32, #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 3, #own>
  // expected-error@+1 {{expected slots under a layout for a block of 'tensor<64xi32, #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>>', got '!fsm.shared<128xf32 slots 3, #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>>'}}
  fsm.copy_async %p[%o] into %slots[%slot] : !fsm.ptr<f32>, tensor<64xi32, #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>>, !fsm.shared<128xf32 slots 3, #own>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @no_layout(%p: !fsm.ptr<f32>, %slot: i32) {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 3>
  // expected-error@+1 {{expected slots under a layout for a block of}}
  fsm.copy_async %p[%o] into %slots[%slot] : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 3>
  fsm.return
}

// -----

#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
fsm.kernel @argument(%slot: i32) {
  %x = fsm.shared_alloc : !fsm.shared<128xf32 slots 3, #own>
  %b = arith.constant true
  // expected-error@+1 {{result 0 of 'arith.select' has type '!fsm.shared<128xf32 slots 3, }}
  %chosen = arith.select %b, %x, %x : !fsm.shared<128xf32 slots 3, #own>
  fsm.return
}

// -----

fsm.kernel @before_all() {
  // expected-error@+1 {{attribute 'pending' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  fsm.copy_wait -1
  fsm.return
}

// -----

fsm.kernel @one_stage(%n: i32) {
  %one = arith.constant 1 : i32
  // expected-error@+1 {{expected 'fsm.stages' on scf.for, with an i32 of at least 2, as fsm-schedule-loops writes it, got 1 : i32 on 'scf.for'}}
  scf.for %i = %one to %n step %one : i32 {
  } {fsm.stages = 1 : i32}
  fsm.return
}

// -----

fsm.kernel @stages_of_no_loop(%n: i32) {
  // expected-error@+1 {{expected 'fsm.stages' on scf.for, with an i32 of at least 2, as fsm-schedule-loops writes it, got 2 : i32 on 'arith.addi'}}
  %two = arith.addi %n, %n {fsm.stages = 2 : i32} : i32
  fsm.return
}

// -----

fsm.kernel @stage_outside(%n: i32) {
  // expected-error@+1 {{expected 'fsm.stage' on ops directly in an scf.for, with an i32 of at least 0, as fsm-schedule-loops or fsm-advance-loads writes it, got 0 : i32 on 'arith.addi'}}
  %two = arith.addi %n, %n {fsm.stage = 0 : i32} : i32
  fsm.return
}

// -----

fsm.kernel @stage_in_a_branch(%n: i32, %b: i1) {
  scf.if %b {
    // expected-error@+1 {{expected 'fsm.stage' on ops directly in an scf.for, with an i32 of at least 0, as fsm-schedule-loops or fsm-advance-loads writes it, got 0 : i32 on 'arith.addi'}}
    %two = arith.addi %n, %n {fsm.stage = 0 : i32} : i32
  }
  fsm.return
}

// -----

fsm.kernel @negative_stage(%n: i32) {
  %one = arith.constant 1 : i32
  scf.for %i = %one to %n step %one : i32 {
    // expected-error@+1 {{expected 'fsm.stage' on ops directly in an scf.for, with an i32 of at least 0, as fsm-schedule-loops or fsm-advance-loads writes it, got -1 : i32 on 'arith.addi'}}
    %two = arith.addi %i, %n {fsm.stage = -1 : i32} : i32
  }
  fsm.return
}

// -----

// A module has no parent.
// expected-error@+1 {{expected 'fsm.stage' on ops directly in an scf.for, with an i32 of at least 0, as fsm-schedule-loops or fsm-advance-loads writes it, got 0 : i32 on 'builtin.module'}}
module attributes {fsm.stage = 0 : i32} {
}

// -----

fsm.kernel @buffer_of_a_store(%p: !fsm.ptr<f32>, %x: f32) {
  // expected-error@+1 {{expected 'fsm.buffer' on loads, with a #fsm.load_buffer, as fsm-schedule-loops writes it, got #fsm.load_buffer<async> on 'fsm.store'}}
  fsm.store %x, %p {fsm.buffer = #fsm.load_buffer<async>} : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

fsm.kernel @buffer_of_a_number(%p: !fsm.ptr<f32>) {
  // expected-error@+1 {{expected 'fsm.buffer' on loads, with a #fsm.load_buffer, as fsm-schedule-loops writes it, got 2 : i32 on 'fsm.load'}}
  %x = fsm.load %p {fsm.buffer = 2 : i32} : !fsm.ptr<f32> -> f32
  fsm.return
}

// -----

fsm.kernel @other_elements_of_a_load(%p: !fsm.ptr<f32>) {
  // expected-error@+1 {{expected 'fsm.other_elements' on the choice of other elements behind a load, with no value, as fsm-advance-loads writes it, got unit on 'fsm.load'}}
  %x = fsm.load %p {fsm.other_elements} : !fsm.ptr<f32> -> f32
  fsm.return
}

// -----

fsm.kernel @place_of_a_read(%p: !fsm.ptr<f32>) {
  // expected-error@+1 {{expected 'fsm.shared_offset' on fsm.shared_alloc, with an i32 of at least 0, a multiple of 16, as fsm-allocate-shared writes it, got 0 : i32 on 'fsm.copy_commit'}}
  fsm.copy_commit {fsm.shared_offset = 0 : i32}
  fsm.return
}

// -----

fsm.kernel @wait_for_own_copies(%slot: i32) attributes {num_warps = 1 : i32} {
  %data = fsm.shared_alloc : !fsm.shared<128xf32 slots 2>
  // expected-error@+1 {{'fsm.mbarrier_wait' op expected memory of mbarriers, got '!fsm.shared<128xf32 slots 2>'}}
  fsm.mbarrier_wait %data[%slot] phase %slot : !fsm.shared<128xf32 slots 2>
  fsm.return
}

// -----

fsm.kernel @init_of_numbers() attributes {num_warps = 1 : i32} {
  %data = fsm.shared_alloc : !fsm.shared<2xi64>
  // expected-error@+1 {{'fsm.mbarrier_init' op expected memory of mbarriers, got '!fsm.shared<2xi64>'}}
  fsm.mbarrier_init %data : !fsm.shared<2xi64>
  fsm.return
}

// -----

fsm.kernel @mbarriers_from_elsewhere() attributes {num_warps = 1 : i32} {
  %full = ub.poison : !fsm.shared<2x!fsm.mbarrier>
  // expected-error@+1 {{'fsm.mbarrier_init' op expected memory from an 'fsm.shared_alloc'}}
  fsm.mbarrier_init %full : !fsm.shared<2x!fsm.mbarrier>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>
fsm.kernel @count_of_own_copies(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32} {
  %offsets = fsm.range 0, 128 : tensor<128xi32, #row>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 2, #own>
  // expected-error@+1 {{'fsm.copy_async' op expected an 'mbarrier' with a copy of a count}}
  fsm.copy_async %p[%offsets] into %slots[%slot] count %slot : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 2, #own>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @fewer_mbarriers(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32} {
  %offsets = fsm.range 0, 128 : tensor<128xi32, #row>
  %data = fsm.shared_alloc : !fsm.shared<128xf32 slots 3>
  %full = fsm.shared_alloc : !fsm.shared<2x!fsm.mbarrier>
  // expected-error@+1 {{expected slots row by row for a block of 'tensor<128xi32, #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>>', and an mbarrier for each of them, got '!fsm.shared<128xf32 slots 3>' and '!fsm.shared<2x!fsm.mbarrier>'}}
  fsm.copy_async %p[%offsets] into %data[%slot] mbarrier %full : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 3> mbarrier !fsm.shared<2x!fsm.mbarrier>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @copy_to_no_slot(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32} {
  %offsets = fsm.range 0, 128 : tensor<128xi32, #row>
  %data = fsm.shared_alloc : !fsm.shared<128xf32>
  %full = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected slots row by row for a block of}}
  fsm.copy_async %p[%offsets] into %data[%slot] mbarrier %full : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @arrives_at_numbers(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32} {
  %offsets = fsm.range 0, 128 : tensor<128xi32, #row>
  %data = fsm.shared_alloc : !fsm.shared<128xf32 slots 2>
  %full = fsm.shared_alloc : !fsm.shared<2xi64>
  // expected-error@+1 {{'fsm.copy_async' op expected memory of mbarriers, got '!fsm.shared<2xi64>'}}
  fsm.copy_async %p[%offsets] into %data[%slot] mbarrier %full : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 2> mbarrier !fsm.shared<2xi64>
  fsm.return
}

// -----

fsm.kernel @both_arrivals_and_bytes() attributes {num_warps = 2 : i32, num_ctas = 2 : i32} {
  %come = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{'fsm.mbarrier_init' op expected either the 'arrivals' of warps or the 'bytes' of stores, got both}}
  fsm.mbarrier_init %come arrivals 2 bytes 32 : !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

fsm.kernel @bytes_of_several() attributes {num_warps = 2 : i32, num_ctas = 2 : i32} {
  %come = fsm.shared_alloc : !fsm.shared<2x!fsm.mbarrier>
  // expected-error@+1 {{'fsm.mbarrier_init' op expected one mbarrier for the 'bytes' of stores, got '!fsm.shared<2x!fsm.mbarrier>'}}
  fsm.mbarrier_init %come bytes 32 : !fsm.shared<2x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>
fsm.kernel @arrives_at_memory() attributes {num_warps = 1 : i32, num_ctas = 2 : i32} {
  %x = arith.constant dense<0.0> : tensor<64xf32, #w>
  %all = fsm.shared_alloc : !fsm.shared<64xf32>
  // expected-error@+1 {{'fsm.shared_store' op expected an mbarrier for elements to arrive at, got '!fsm.shared<64xf32>'}}
  fsm.shared_store %x, %all arriving %all : tensor<64xf32, #w>, !fsm.shared<64xf32> at !fsm.shared<64xf32>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = [[32]]>
fsm.kernel @narrow_elements_arrive() attributes {num_warps = 1 : i32, num_ctas = 2 : i32} {
  %x = arith.constant dense<0.0> : tensor<64xf16, #w>
  %all = fsm.shared_alloc : !fsm.shared<64xf16>
  %come = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{'fsm.shared_store' op expected elements of 4 or 8 bytes to arrive at an mbarrier, got 'f16'}}
  fsm.shared_store %x, %all arriving %come : tensor<64xf16, #w>, !fsm.shared<64xf16> at !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}
