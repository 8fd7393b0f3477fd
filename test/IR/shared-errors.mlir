// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a block of 1 to 5 dimensions and at most 1048576 elements of i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN or f8E5M2, or pointers, in shared memory, got 4xi7}}
func.func private @elements(!fsm.shared<4xi7>)

// -----

// expected-error@+1 {{expected a block of 1 to 5 dimensions}}
func.func private @large(!fsm.shared<2048x2048xf32>)

// -----

// expected-error@+1 {{expected a block of 1 to 5 dimensions}}
func.func private @scalar(!fsm.shared<f32>)

// -----

// expected-error@+1 {{expected a block of 1 to 5 dimensions}}
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
  // expected-error@+1 {{expected 'at' where a part of a block goes to memory with a pitch: a power of two of one dimension, from a multiple of that on; got 'tensor<4x4xf32,}}
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
func.func private @from_elsewhere(%a: !fsm.shared<4x4xf32 pitch 8>, %v: tensor<4x4xf32, #w>) {
  // expected-error@+1 {{expected memory from an 'fsm.shared_alloc'}}
  %d = fsm.shared_dot %a, %a, %v inner 4 : !fsm.shared<4x4xf32 pitch 8>, !fsm.shared<4x4xf32 pitch 8> -> tensor<4x4xf32, #w>
  return
}
