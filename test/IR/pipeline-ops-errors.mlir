// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
// expected-error@+1 {{expected 1 to 64 slots in a ring, got 0}}
func.func private @no_slots(!fsm.ring<0, tensor<128xf32, #row>>)

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
// expected-error@+1 {{expected 1 to 64 slots in a ring, got 65}}
func.func private @many_slots(!fsm.ring<65, tensor<128xf32, #row>>)

// -----

// expected-error@+1 {{expected slots for a block with '#fsm.layout', got 'tensor<128xf32>'}}
func.func private @no_layout(!fsm.ring<3, tensor<128xf32>>)

// -----

// expected-error@+1 {{expected slots for a block with '#fsm.layout', got 'tensor<f32>'}}
func.func private @no_block(!fsm.ring<3, tensor<f32>>)

// -----

// expected-error@+1 {{expected slots for a block with '#fsm.layout', got 'tensor<?xf32>'}}
func.func private @dynamic(!fsm.ring<3, tensor<?xf32>>)

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
// expected-error@+1 {{expected slots for a block with '#fsm.layout', got}}
func.func private @element(!fsm.ring<3, tensor<128xi7, #row>>)

// -----

#tile = #fsm.layout<register = [[0, 32], [0, 64], [0, 128], [0, 256], [0, 512], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[128, 0], [256, 0], [512, 0], [1024, 0]], cta = []>
// expected-error@+1 {{expected slots for a block with '#fsm.layout', got}}
func.func private @huge(!fsm.ring<3, tensor<2048x1024xf32, #tile>>)

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
// expected-note@+1 {{the pointer is this argument}}
fsm.kernel @other_pointer(%p: !fsm.ptr<f16>, %slot: i32) {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  // expected-note@+1 {{the memory is made here}}
  %ring = fsm.ring : !fsm.ring<3, tensor<128xf32, #row>>
  // expected-error@+1 {{expected a pointer to the slot's 'f32', got '!fsm.ptr<f16>'}}
  fsm.copy_async %p[%o] into %ring[%slot] : !fsm.ptr<f16>, tensor<128xi32, #row>, !fsm.ring<3, tensor<128xf32, #row>>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#far = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @other_threads(%p: !fsm.ptr<f32>, %slot: i32) {
  // expected-note@+1 {{the block of offsets is made here}}
  %o = fsm.range 0, 128 : tensor<128xi32, #far>
  // expected-note@+1 {{the ring is made here}}
  %ring = fsm.ring : !fsm.ring<3, tensor<128xf32, #row>>
  // expected-error@+1 {{expected offsets and mask with the shape and layout of the ring's}}
  fsm.copy_async %p[%o] into %ring[%slot] : !fsm.ptr<f32>, tensor<128xi32, #far>, !fsm.ring<3, tensor<128xf32, #row>>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#short = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>
fsm.kernel @other_mask(%p: !fsm.ptr<f32>, %slot: i32) {
  // expected-note@+1 {{the block of offsets is made here}}
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  // expected-note@+1 {{the mask is made here}}
  %m = ub.poison : tensor<64xi1, #short>
  // expected-note@+1 {{the ring is made here}}
  %ring = fsm.ring : !fsm.ring<3, tensor<128xf32, #row>>
  // expected-error@+1 {{expected offsets and mask with the shape and layout of the ring's}}
  fsm.copy_async %p[%o], %m into %ring[%slot] : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.ring<3, tensor<128xf32, #row>>, tensor<64xi1, #short>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#far = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @other_result(%slot: i32) {
  // expected-note@+1 {{the ring is made here}}
  %ring = fsm.ring : !fsm.ring<3, tensor<128xf32, #row>>
  // expected-error@+1 {{expected the ring's}}
  %x = fsm.ring_read %ring[%slot] : !fsm.ring<3, tensor<128xf32, #row>> -> tensor<128xf32, #far>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @mask_without_other(%slot: i32, %more: i1) {
  %ring = fsm.ring : !fsm.ring<3, tensor<128xf32, #row>>
  // expected-error@+1 {{expected both a mask and what is taken where it is false, or neither}}
  %x = "fsm.ring_read"(%ring, %slot, %more) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!fsm.ring<3, tensor<128xf32, #row>>, i32, i1) -> tensor<128xf32, #row>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
// expected-note@+2 {{'other' is this argument}}
// expected-note@+1 {{the mask is this argument}}
fsm.kernel @other_of_another_type(%slot: i32, %more: i1) {
  // expected-note@+1 {{the ring is made here}}
  %ring = fsm.ring : !fsm.ring<3, tensor<128xf32, #row>>
  // expected-error@+1 {{expected a mask and other elements of the ring's}}
  %x = fsm.ring_read %ring[%slot], %more, %slot : !fsm.ring<3, tensor<128xf32, #row>>, mask i1, other i32 -> tensor<128xf32, #row>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#far = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
// expected-note@+1 {{'other' is this argument}}
fsm.kernel @mask_of_other_threads(%slot: i32, %zero: f32) {
  // expected-note@+1 {{the mask is made here}}
  %m = ub.poison : tensor<128xi1, #far>
  // expected-note@+1 {{the ring is made here}}
  %ring = fsm.ring : !fsm.ring<3, tensor<128xf32, #row>>
  // expected-error@+1 {{expected a mask and other elements of the ring's}}
  %x = fsm.ring_read %ring[%slot], %m, %zero : !fsm.ring<3, tensor<128xf32, #row>>, mask tensor<128xi1, #far>, other f32 -> tensor<128xf32, #row>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @made_of_nothing() {
  // expected-error@+1 {{result 0 of 'ub.poison' has type '!fsm.ring<3, tensor<128xf32,}}
  %ring = ub.poison : !fsm.ring<3, tensor<128xf32, #row>>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @chosen(%b: i1) {
  %x = fsm.ring : !fsm.ring<3, tensor<128xf32, #row>>
  %y = fsm.ring : !fsm.ring<3, tensor<128xf32, #row>>
  // expected-error@+1 {{result 0 of 'arith.select' has type '!fsm.ring<3, tensor<128xf32,}}
  %ring = arith.select %b, %x, %y : !fsm.ring<3, tensor<128xf32, #row>>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
// expected-error@+1 {{expected argument 0 to be}}
fsm.kernel @argument(%ring: !fsm.ring<3, tensor<128xf32, #row>>) {
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
  // expected-error@+1 {{expected 'fsm.shared_offset' on fsm.shared_alloc and rings, with an i32 of at least 0, a multiple of 16, as fsm-allocate-shared writes it, got 0 : i32 on 'fsm.copy_commit'}}
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
fsm.kernel @count_of_own_copies(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32} {
  %offsets = fsm.range 0, 128 : tensor<128xi32, #row>
  %ring = fsm.ring : !fsm.ring<2, tensor<128xf32, #row>>
  // expected-error@+1 {{'fsm.copy_async' op expected an 'mbarrier' with a copy to '!fsm.shared', or of a count}}
  fsm.copy_async %p[%offsets] into %ring[%slot] count %slot : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.ring<2, tensor<128xf32, #row>>
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
