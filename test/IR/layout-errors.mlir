// RUN: %fsm_opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a layout of rank 1 for the block, got rank 2}}
func.func private @rank(tensor<64xf32, #fsm.layout<register = [[0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], cta = []>>)

// -----

// expected-error@+1 {{expected a block of static shape under a layout}}
func.func private @dynamic(tensor<?xf32, #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>>)

// -----

// expected-error@+1 {{expected the layout to stay below the extent 32 along dimension 0, got 32}}
func.func private @beyond(tensor<32xf32, #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>>)

// -----

// expected-error@+1 {{expected the layout to stay below the extent 32 along dimension 0, got -1}}
func.func private @negative(tensor<32xf32, #fsm.layout<register = [], lane = [[1], [2], [4], [8], [-1]], warp = [], cta = []>>)

// -----

// expected-error@+1 {{expected a layout that holds every element of the block}}
func.func private @missing(tensor<64xf32, #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>>)

// -----

// expected-error@+1 {{expected 1 to 24 coordinates, got 25}}
func.func private @long(tensor<64xf32, #fsm.layout<register = [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]], lane = [], warp = [], cta = []>>)

// -----

// expected-error@+1 {{expected 1 coordinates, got 2}}
func.func private @uneven(tensor<64xf32, #fsm.layout<register = [[1], [1, 1]], lane = [], warp = [], cta = []>>)

// -----

// expected-error@+1 {{expected 5 bits of 'lane', got 4}}
func.func private @lanes(tensor<16xf32, #fsm.layout<register = [], lane = [[1], [2], [4], [8]], warp = [], cta = []>>)

// -----

// expected-error@+1 {{expected at most 5 bits of 'warp', got 6}}
func.func private @warps(tensor<32xf32, #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0], [0], [0], [0], [0]], cta = []>>)

// -----

#a = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @other_type(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %v = fsm.splat %x : tensor<32xf32, #a>
  // expected-error@+1 {{expected source and result to differ in their layouts only, got}}
  %w = "fsm.convert_layout"(%v) : (tensor<32xf32, #a>) -> tensor<32xf16, #a>
  fsm.return
}

// -----

#a = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @no_layout(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %v = fsm.splat %x : tensor<32xf32>
  // expected-error@+1 {{expected blocks with '#fsm.layout', got}}
  %w = fsm.convert_layout %v : tensor<32xf32> -> tensor<32xf32, #a>
  fsm.return
}

// -----

#a = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#b = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]], cta = []>
fsm.kernel @other_threads(%x: f32) {
  // expected-note@+1 {{the source is made here}}
  %v = fsm.splat %x : tensor<32xf32, #a>
  // expected-error@+1 {{expected two layouts over equally many warps and ctas}}
  %w = fsm.convert_layout %v : tensor<32xf32, #a> -> tensor<32xf32, #b>
  fsm.return
}

// -----

// The passes for GPUs write these; nothing else does.
fsm.kernel @plan(%p: !fsm.ptr<f32>) {
  // expected-error@+1 {{expected 'fsm.access_width' on loads, stores and fsm.atomic_rmw by offsets, and what becomes of loads, with an i32, a power of two, as fsm-assign-layouts writes it, got 3 : i32 on 'fsm.load'}}
  %x = fsm.load %p {fsm.access_width = 3 : i32} : !fsm.ptr<f32> -> f32
  fsm.return
}
