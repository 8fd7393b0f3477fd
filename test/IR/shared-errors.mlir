// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a block of 1 to 24 dimensions and at most 1048576 elements of i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN or f8E5M2, or pointers, in shared memory, got 4xi7}}
func.func private @elements(!fsm.shared<4xi7>)

// -----

// expected-error@+1 {{expected a block of 1 to 24 dimensions}}
func.func private @large(!fsm.shared<2048x2048xf32>)

// -----

// expected-error@+1 {{expected a block of 1 to 24 dimensions}}
func.func private @scalar(!fsm.shared<f32>)

// -----

// expected-error@+1 {{expected a block of 1 to 24 dimensions}}
func.func private @empty(!fsm.shared<4x0xf32>)

// -----

// expected-error@+1 {{expected a layout of shared memory, got}}
func.func private @threads(!fsm.shared<32xf32, #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>>)

// -----

// expected-error@+1 {{expected a layout of threads under a block, got one of shared memory}}
func.func private @offsets(tensor<4xf32, #fsm.layout<offset = [[1], [2]]>>)

// -----

// expected-error@+1 {{expected a layout of rank 2 for the block, got rank 1}}
func.func private @rank(!fsm.shared<2x2xf32, #fsm.layout<offset = [[1], [2]]>>)

// -----

// expected-error@+1 {{expected the layout to stay below the extent 4 along dimension 0, got 4}}
func.func private @beyond(!fsm.shared<4xf32, #fsm.layout<offset = [[1], [4]]>>)

// -----

// expected-error@+1 {{expected a layout that holds every element of the block}}
func.func private @missing(!fsm.shared<4xf32, #fsm.layout<offset = [[1], [1]]>>)

// -----

// expected-error@+1 {{expected a layout with one place for each element, got}}
func.func private @twice(!fsm.shared<4xf32, #fsm.layout<offset = [[1], [2], [1]]>>)

// -----

// Slots may have the places of one cta, but no place twice, and none beyond the extents.
// expected-error@+1 {{expected a layout with one place for each element, got}}
func.func private @slots_twice(!fsm.shared<8xf32 slots 2, #fsm.layout<offset = [[1], [1]]>>)

// -----

// expected-error@+1 {{expected the layout to stay below the extent 8 along dimension 0, got 8}}
func.func private @slots_beyond(!fsm.shared<8xf32 slots 2, #fsm.layout<offset = [[1], [8]]>>)

// -----

// What the slots have no place for is not another cta's here.
#part = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>
#one = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @no_place(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32} {
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 2, #part>
  // expected-error@+1 {{'fsm.shared_load' op expected a value that fits '!fsm.shared<128xf32 slots 2, }}
  %x = fsm.shared_load %slots[%slot] : !fsm.shared<128xf32 slots 2, #part> -> tensor<128xf32, #one>
  fsm.return
}

// -----

// The bits of the cta are those that the slots have a place for.
#part = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>
#low = #fsm.layout<register = [[2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = [[1]]>
fsm.kernel @other_cta(%p: !fsm.ptr<f32>, %slot: i32) attributes {num_warps = 1 : i32, num_ctas = 2 : i32} {
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 2, #part>
  %o = fsm.range 0, 128 : tensor<128xi32, #low>
  // expected-error@+1 {{'fsm.copy_async' op expected slots under a layout for a block of}}
  fsm.copy_async %p[%o] into %slots[%slot] : !fsm.ptr<f32>, tensor<128xi32, #low>, !fsm.shared<128xf32 slots 2, #part>
  fsm.return
}

// -----

// expected-error@+1 {{expected 1 to 25 bits of 'offset', got 0}}
#none = #fsm.layout<offset = []>

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @other_extents(%x: f32) {
  %v = fsm.splat %x : tensor<32xf32, #w>
  %a = fsm.shared_alloc : !fsm.shared<33xf32>
  // expected-error@+1 {{expected a value that fits '!fsm.shared<33xf32>', got}}
  fsm.shared_store %v, %a : tensor<32xf32, #w>, !fsm.shared<33xf32>
  fsm.return
}

// -----

// Row by row lies a block of another shape in memory of one dimension only.
#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @other_shape() {
  %a = fsm.shared_alloc : !fsm.shared<4x8xf32>
  // expected-error@+1 {{expected a value that fits '!fsm.shared<4x8xf32>', got}}
  %v = fsm.shared_load %a : !fsm.shared<4x8xf32> -> tensor<32xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @other_elements() {
  %a = fsm.shared_alloc : !fsm.shared<32xf32>
  // expected-error@+1 {{expected a value that fits '!fsm.shared<32xf32>', got}}
  %v = fsm.shared_load %a : !fsm.shared<32xf32> -> tensor<32xi32, #w>
  fsm.return
}

// -----

fsm.kernel @no_layout() {
  %a = fsm.shared_alloc : !fsm.shared<32xf32>
  // expected-error@+1 {{expected a block with '#fsm.layout', got 'tensor<32xf32>'}}
  %v = fsm.shared_load %a : !fsm.shared<32xf32> -> tensor<32xf32>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @from_elsewhere() {
  %a = ub.poison : !fsm.shared<32xf32>
  // expected-error@+1 {{expected memory from an 'fsm.shared_alloc'}}
  %v = fsm.shared_load %a : !fsm.shared<32xf32> -> tensor<32xf32, #w>
  fsm.return
}

// -----

fsm.kernel @scalar_and_block(%x: f32) {
  %a = fsm.shared_alloc : !fsm.shared<2xf32>
  // expected-error@+1 {{expected a value that fits '!fsm.shared<2xf32>', got 'f32'}}
  fsm.shared_store %x, %a : f32, !fsm.shared<2xf32>
  fsm.return
}

// -----

// expected-error@+1 {{expected a pitch of at least a row, 8, for two dimensions or more without a layout, got 4}}
func.func private @short_pitch(!fsm.shared<4x8xf32 pitch 4>)

// -----

// expected-error@+1 {{expected a pitch of at least a row, 8, for two dimensions or more without a layout, got 16}}
func.func private @one_row(!fsm.shared<8xf32 pitch 16>)

// -----

// A part begins at a multiple of what memory takes of it.
#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>
fsm.kernel @between_parts(%x: f32) {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %a = fsm.shared_alloc : !fsm.shared<4x2xf32 pitch 4>
  // expected-error@+1 {{expected 'at' where a part of a block goes to memory with a pitch or a tile: a power of two of one dimension, from a multiple of that on; got 'tensor<4x4xf32,}}
  fsm.shared_store %v at [0, 1], %a : tensor<4x4xf32, #w>, !fsm.shared<4x2xf32 pitch 4>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>
fsm.kernel @which_part(%x: f32) {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %a = fsm.shared_alloc : !fsm.shared<4x2xf32 pitch 4>
  // expected-error@+1 {{expected 'at' where a part of a block goes to memory with a pitch}}
  fsm.shared_store %v, %a : tensor<4x4xf32, #w>, !fsm.shared<4x2xf32 pitch 4>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>
fsm.kernel @two_cuts(%x: f32) {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %a = fsm.shared_alloc : !fsm.shared<2x2xf32 pitch 4>
  // expected-error@+1 {{expected 'at' where a part of a block goes to memory with a pitch}}
  fsm.shared_store %v at [0, 0], %a : tensor<4x4xf32, #w>, !fsm.shared<2x2xf32 pitch 4>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>
fsm.kernel @loaded() {
  %a = fsm.shared_alloc : !fsm.shared<4x4xf32 pitch 8>
  // expected-error@+1 {{expected memory without a pitch, got '!fsm.shared<4x4xf32 pitch 8>'}}
  %v = fsm.shared_load %a : !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>
fsm.kernel @too_long(%x: f32) {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %a = fsm.shared_alloc : !fsm.shared<4x4xf32 pitch 8>
  // expected-error@+1 {{expected factors with a pitch for 'tensor<4x4xf32, #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>>', and 5 columns and rows of them, got}}
  %d = fsm.shared_dot %a, %a, %v inner 5 : !fsm.shared<4x4xf32 pitch 8>, !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>
fsm.kernel @not_transposed(%x: f32) {
  %v = fsm.splat %x : tensor<4x4xf32, #w>
  %a = fsm.shared_alloc : !fsm.shared<4x2xf32 pitch 4>
  %b = fsm.shared_alloc : !fsm.shared<2x4xf32 pitch 4>
  // expected-error@+1 {{expected factors with a pitch for 'tensor<4x4xf32, #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>>', and 2 columns and rows of them, got}}
  %d = fsm.shared_dot %a, %b, %v inner 2 {right_transposed} : !fsm.shared<4x2xf32 pitch 4>, !fsm.shared<2x4xf32 pitch 4> -> tensor<4x4xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>
func.func private @from_elsewhere(%a: !fsm.shared<4x4xf32 pitch 8>, %v: tensor<4x4xf32, #w>) {
  // expected-error@+1 {{expected memory from an 'fsm.shared_alloc'}}
  %d = fsm.shared_dot %a, %a, %v inner 4 : !fsm.shared<4x4xf32 pitch 8>, !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #w>
  return
}

// -----

// expected-error@+1 {{expected at most 64 slots, got 65}}
func.func private @many_slots(!fsm.shared<128xf32 slots 65>)

// -----

// expected-error@+1 {{expected 1 to 64 mbarriers of one dimension, without a pitch, slots or a layout}}
func.func private @many_mbarriers(!fsm.shared<65x!fsm.mbarrier>)

// -----

// expected-error@+1 {{expected 1 to 64 mbarriers of one dimension, without a pitch, slots or a layout}}
func.func private @slots_of_mbarriers(!fsm.shared<1x!fsm.mbarrier slots 2>)

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @no_slot() {
  %a = fsm.shared_alloc : !fsm.shared<32xf32 slots 2>
  // expected-error@+1 {{expected the number of a slot with memory that has slots, got '!fsm.shared<32xf32 slots 2>'}}
  %v = fsm.shared_load %a : !fsm.shared<32xf32 slots 2> -> tensor<32xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @slot_of_none(%slot: i32) {
  %a = fsm.shared_alloc : !fsm.shared<32xf32>
  // expected-error@+1 {{expected the number of a slot with memory that has slots, got '!fsm.shared<32xf32>'}}
  %v = fsm.shared_load %a[%slot] : !fsm.shared<32xf32> -> tensor<32xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @store_to_slots(%x: f32) {
  %v = fsm.splat %x : tensor<32xf32, #w>
  %a = fsm.shared_alloc : !fsm.shared<32xf32 slots 2>
  // expected-error@+1 {{expected memory without slots, got '!fsm.shared<32xf32 slots 2>'}}
  fsm.shared_store %v, %a : tensor<32xf32, #w>, !fsm.shared<32xf32 slots 2>
  fsm.return
}

// -----

#row = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @store_to_first(%x: f32) {
  %shared = fsm.shared_alloc : !fsm.shared<32xf32 slots 3>
  %come = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  %block = ub.poison : tensor<32xf32, #row>
  // expected-error@+1 {{expected slots under a layout, and an mbarrier, where ctas store to the first one, got '!fsm.shared<32xf32 slots 3>'}}
  fsm.shared_store %block, %shared to_first arriving %come : tensor<32xf32, #row>, !fsm.shared<32xf32 slots 3>
    at !fsm.shared<1x!fsm.mbarrier>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @slot_of_a_part(%slot: i32) {
  %shared = fsm.shared_alloc : !fsm.shared<32xf32 slots 2>
  // expected-error@+1 {{expected memory without slots where it is another part's}}
  %x = fsm.shared_load %shared[%slot] from_part 1 : !fsm.shared<32xf32 slots 2> -> tensor<32xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @mask_without_other(%slot: i32, %more: i1) {
  %a = fsm.shared_alloc : !fsm.shared<32xf32 slots 2>
  // expected-error@+1 {{expected both a mask and what is taken where it is false, of a slot, or neither}}
  %v = "fsm.shared_load"(%a, %slot, %more) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!fsm.shared<32xf32 slots 2>, i32, i1) -> tensor<32xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @mask_without_slot(%more: i1, %x: f32) {
  %a = fsm.shared_alloc : !fsm.shared<32xf32>
  // expected-error@+1 {{expected both a mask and what is taken where it is false, of a slot, or neither}}
  %v = fsm.shared_load %a, %more, %x : !fsm.shared<32xf32>, mask i1, other f32 -> tensor<32xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#v = #fsm.layout<register = [], lane = [[2], [1], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @mask_of_other_threads(%slot: i32, %x: f32) {
  %m = ub.poison : tensor<32xi1, #v>
  %a = fsm.shared_alloc : !fsm.shared<32xf32 slots 2>
  // expected-error@+1 {{expected a mask and other elements of the result's}}
  %v = fsm.shared_load %a[%slot], %m, %x : !fsm.shared<32xf32 slots 2>, mask tensor<32xi1, #v>, other f32 -> tensor<32xf32, #w>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @other_of_another_type(%slot: i32, %more: i1) {
  %a = fsm.shared_alloc : !fsm.shared<32xf32 slots 2>
  // expected-error@+1 {{expected a mask and other elements of the result's}}
  %v = fsm.shared_load %a[%slot], %more, %slot : !fsm.shared<32xf32 slots 2>, mask i1, other i32 -> tensor<32xf32, #w>
  fsm.return
}

// -----

fsm.kernel @mbarrier_is_no_number() {
  %a = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  // expected-error@+1 {{expected a value that fits '!fsm.shared<1x!fsm.mbarrier>', got 'i64'}}
  %v = fsm.shared_load %a : !fsm.shared<1x!fsm.mbarrier> -> i64
  fsm.return
}

// -----

// expected-note@+1 {{the source is this argument}}
func.func private @renewed(%x: tensor<64xf32>) {
  // expected-error@+1 {{'fsm.renew' op expected elements of 16 bits, got 'f32'}}
  %y = fsm.renew %x : tensor<64xf32>
  func.return
}
