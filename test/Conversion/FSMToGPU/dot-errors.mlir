// RUN: %fsm_opt %s --convert-fsm-to-gpu --split-input-file --verify-diagnostics

#all = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>

fsm.kernel @not_staged() attributes {num_warps = 1 : i32, fsm.shared_bytes = 1024 : i32} {
  %a = ub.poison : tensor<4x4xf64, #all>
  // expected-error @below {{expected 'fsm-stage-exchanges' to bring its factors to shared memory}}
  %d = fsm.dot %a, %a, %a : tensor<4x4xf64, #all>, tensor<4x4xf64, #all> -> tensor<4x4xf64, #all>
  fsm.return
}

// -----

#all = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>
#two = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [[0, 0]], cta = []>

// expected-note@+1 {{the kernel is here}}
fsm.kernel @warps() attributes {num_warps = 1 : i32, fsm.shared_bytes = 1024 : i32} {
  %a = ub.poison : tensor<4x4xf64, #all>
  // expected-error @below {{expected layouts over the kernel's 1 warps}}
  %b = ub.poison : tensor<4x4xf64, #two>
  %d = fsm.dot %a, %b, %a : tensor<4x4xf64, #all>, tensor<4x4xf64, #two> -> tensor<4x4xf64, #all>
  fsm.return
}

// -----

#all = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]], warp = [], cta = []>

fsm.kernel @no_place() attributes {num_warps = 1 : i32, fsm.shared_bytes = 1024 : i32} {
  %c = ub.poison : tensor<4x4xf64, #all>
  // expected-error @below {{expected 'fsm.shared_offset' from fsm-allocate-shared}}
  %a = fsm.shared_alloc : !fsm.shared<4x4xf64 pitch 6>
  %d = fsm.shared_dot %a, %a, %c inner 4 : !fsm.shared<4x4xf64 pitch 6>, !fsm.shared<4x4xf64 pitch 6> -> tensor<4x4xf64, #all>
  fsm.return
}

// -----

#l = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @gather() attributes {num_warps = 1 : i32} {
  %x = ub.poison : tensor<32xf32, #l>
  %i = fsm.range 0, 32 : tensor<32xi32, #l>
  // expected-error @below {{expected 'fsm-stage-exchanges' to bring its source to shared memory}}
  %y = fsm.gather %x[%i] axis 0 : tensor<32xf32, #l>, tensor<32xi32, #l> -> tensor<32xf32, #l>
  fsm.return
}

// -----

#l = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @histogram() attributes {num_warps = 1 : i32} {
  %i = fsm.range 0, 32 : tensor<32xi32, #l>
  // expected-error @below {{expected 'fsm-stage-exchanges' to count it in shared memory}}
  %n = fsm.histogram %i : tensor<32xi32, #l> -> tensor<32xi32, #l>
  fsm.return
}

// -----

// Sums whose columns come before their rows.
#sum = #fsm.layout<register = [[8, 0], [0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

fsm.kernel @other_fragments() attributes {num_warps = 1 : i32, fsm.shared_bytes = 2048 : i32} {
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x16xf16 pitch 24>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<16x8xf16 pitch 8>
  %c = ub.poison : tensor<16x8xf32, #sum>
  // expected-error @below {{expected whole fragments of m16n8k16.row.col.f32.f16.f16.f32 in its blocks}}
  %d = fsm.shared_dot %a, %b, %c inner 16 {fsm.mma = array<i64: 16, 8, 16>}
    : !fsm.shared<16x16xf16 pitch 24>, !fsm.shared<16x8xf16 pitch 8> -> tensor<16x8xf32, #sum>
  fsm.return
}

// -----

#sum = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

fsm.kernel @no_instruction() attributes {num_warps = 1 : i32, fsm.shared_bytes = 2048 : i32} {
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x16xf16 pitch 24>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<16x8xf16 pitch 8>
  %c = ub.poison : tensor<16x8xf32, #sum>
  // expected-error @below {{expected 'fsm.mma' to be the shape of an instruction}}
  %d = fsm.shared_dot %a, %b, %c inner 16 {fsm.mma = array<i64: 16, 8, 4>}
    : !fsm.shared<16x16xf16 pitch 24>, !fsm.shared<16x8xf16 pitch 8> -> tensor<16x8xf32, #sum>
  fsm.return
}

// -----

#sum = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

fsm.kernel @transposed_without() attributes {num_warps = 1 : i32, fsm.shared_bytes = 2048 : i32} {
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x16xf16 pitch 24>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<8x16xf16 pitch 24>
  %c = ub.poison : tensor<16x8xf32, #sum>
  // expected-error @below {{expected 'fsm.mma' on a product of transposed factors}}
  %d = fsm.shared_dot %a, %b, %c inner 16 {right_transposed}
    : !fsm.shared<16x16xf16 pitch 24>, !fsm.shared<8x16xf16 pitch 24> -> tensor<16x8xf32, #sum>
  fsm.return
}

// -----

// ldmatrix transposes elements of 16 bits alone.
#sum = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

fsm.kernel @bytes_by_rows() attributes {num_warps = 1 : i32, fsm.shared_bytes = 2048 : i32} {
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x16xi8 pitch 16>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<16x8xi8 pitch 8>
  %c = ub.poison : tensor<16x8xi32, #sum>
  // expected-error @below {{expected whole fragments of m16n8k16.row.col.s32.s8.s8.s32 in its blocks}}
  %d = fsm.shared_dot %a, %b, %c inner 16 {fsm.mma = array<i64: 16, 8, 16>}
    : !fsm.shared<16x16xi8 pitch 16>, !fsm.shared<16x8xi8 pitch 8> -> tensor<16x8xi32, #sum>
  fsm.return
}

// -----

// Tiles whose chunks are not exchanged.
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#plain = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#square = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @plain_tile() attributes {num_warps = 4 : i32, fsm.shared_bytes = 2560 : i32} {
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64x16xf16, #plain>
  %b = fsm.shared_alloc {fsm.shared_offset = 2048 : i32} : !fsm.shared<16x16xf16, #square>
  %c = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  // expected-error @below {{expected whole fragments and tiles of m64n16k16.f32.f16.f16 in its blocks}}
  %d = fsm.shared_dot %a, %b, %c inner 16 {fsm.mma = array<i64: 64, 16, 16>}
      : !fsm.shared<64x16xf16, #plain>, !fsm.shared<16x16xf16, #square> -> tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// Threads hold a factor as the instruction of a warp wants it: here the halves of a row are the other way round.
#sum = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
#left = #fsm.layout<register = [[0, 1], [0, 8], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

fsm.kernel @held_by_a_warp() attributes {num_warps = 1 : i32, fsm.shared_bytes = 2048 : i32} {
  %a = ub.poison : tensor<16x16xf16, #left>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<16x8xf16 pitch 24>
  %c = ub.poison : tensor<16x8xf32, #sum>
  // expected-error @below {{expected whole fragments of m16n8k16.row.col.f32.f16.f16.f32 in its blocks}}
  %d = fsm.shared_dot %a, %b, %c inner 16 {fsm.mma = array<i64: 16, 8, 16>}
    : tensor<16x16xf16, #left>, !fsm.shared<16x8xf16 pitch 24> -> tensor<16x8xf32, #sum>
  fsm.return
}

// -----

// ... and all that is multiplied.
#sum = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
#left = #fsm.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>

fsm.kernel @half_of_what_is_held() attributes {num_warps = 1 : i32, fsm.shared_bytes = 2048 : i32} {
  %a = ub.poison : tensor<16x32xf16, #left>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<32x8xf16 pitch 8>
  %c = ub.poison : tensor<16x8xf32, #sum>
  // expected-error @below {{expected whole fragments of m16n8k16.row.col.f32.f16.f16.f32 in its blocks}}
  %d = fsm.shared_dot %a, %b, %c inner 16 {fsm.mma = array<i64: 16, 8, 16>}
    : tensor<16x32xf16, #left>, !fsm.shared<32x8xf16 pitch 8> -> tensor<16x8xf32, #sum>
  fsm.return
}

// -----

// ... and as it wants them: here rows and columns are the other way round.
#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>
#other = #fsm.layout<register = [[0, 1], [0, 8], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

fsm.kernel @held_otherwise() attributes {num_warps = 4 : i32, fsm.shared_bytes = 2048 : i32} {
  %a = ub.poison : tensor<64x16xf16, #other>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<16x16xf16, #tile>
  %c = ub.poison : tensor<64x16xf32, #sums>
  // expected-error @below {{expected whole fragments and tiles of m64n16k16.f32.f16.f16 in its blocks}}
  %d = fsm.shared_dot %a, %b, %c inner 16 {fsm.mma = array<i64: 64, 16, 16>}
    : tensor<64x16xf16, #other>, !fsm.shared<16x16xf16, #tile> -> tensor<64x16xf32, #sums>
  fsm.return
}

// -----

// A step of a tile has a place of its own, which is no number that a loop could count.
#sum = #fsm.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
fsm.kernel @steps_of_a_tile() attributes {num_warps = 1 : i32, fsm.shared_bytes = 2048 : i32} {
  %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x16xf16, #tile>
  %b = fsm.shared_alloc {fsm.shared_offset = 1024 : i32} : !fsm.shared<16x8xf16 pitch 8>
  %c = ub.poison : tensor<16x8xf32, #sum>
  // expected-error @below {{expected no 'fsm.steps_of_loop' on a product of tiles, whose steps have places of their own}}
  %d = fsm.shared_dot %a, %b, %c inner 16 {fsm.mma = array<i64: 16, 8, 16>, fsm.steps_of_loop = 1 : i32}
    : !fsm.shared<16x16xf16, #tile>, !fsm.shared<16x8xf16 pitch 8> -> tensor<16x8xf32, #sum>
  fsm.return
}
