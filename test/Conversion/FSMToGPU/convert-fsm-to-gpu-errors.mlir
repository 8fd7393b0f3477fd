// What convert-fsm-to-gpu must be given, and says when it is not.
//
// RUN: %fsm_opt %s --convert-fsm-to-gpu --split-input-file --verify-diagnostics

// expected-error@below {{expected 'num_warps' on the kernel; 'fsm-choose-warps' writes it}}
fsm.kernel @no_warps(%out: !fsm.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  fsm.store %c0, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// expected-error@below {{expected one warp in each of the programs that share a cta}}
fsm.kernel @packed_warps(%out: !fsm.ptr<i32>) attributes {num_warps = 2 : i32, fsm.programs_per_cta = 4 : i32} {
  %c0 = arith.constant 0 : i32
  fsm.store %c0, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// expected-error@below {{expected either 'num_ctas' or 'fsm.parts', got both}}
fsm.kernel @shared_cluster(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32, num_ctas = 2 : i32, fsm.parts = 2 : i32} {
  fsm.return
}

// -----

// expected-error@below {{expected a program that has its cta for itself, and no warps that only load, where groups of warps share a loop}}
fsm.kernel @packed_groups(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32, fsm.parts = 2 : i32, fsm.parts_in_cta, fsm.programs_per_cta = 4 : i32} {
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @third_of_two() attributes {num_warps = 1 : i32, fsm.parts = 2 : i32, fsm.parts_in_cta, fsm.shared_bytes = 128 : i32} {
  %shared = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<32xi32>
  // expected-error@below {{expected a part of the kernel's groups of warps, of which there are 2, got 2}}
  %x = fsm.shared_load %shared from_part 2 : !fsm.shared<32xi32> -> tensor<32xi32, #w>
  fsm.return
}

// -----

// expected-error@below {{expected programs of one cta each in a cluster of programs}}
fsm.kernel @two_clusters(%out: !fsm.ptr<i32>) attributes {num_warps = 2 : i32, num_ctas = 2 : i32, fsm.cluster = 2 : i32} {
  %c0 = arith.constant 0 : i32
  fsm.store %c0, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

#w = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @unstaged(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32, fsm.parts = 2 : i32} {
  %o = fsm.range 0, 32 : tensor<32xi32, #w>
  // expected-error@below {{expected 'fsm-stage-exchanges' to bring it to the first cta}}
  %all = fsm.sum_parts %o : tensor<32xi32, #w>
  fsm.end_parts
  fsm.return
}

// -----

fsm.kernel @no_layouts(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  // expected-error@below {{expected a block with '#fsm.layout', got 'tensor<32xi32>'; 'fsm-assign-layouts' gives each block one}}
  %o = fsm.range 0, 32 : tensor<32xi32>
  fsm.store %o, %out[%o] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  fsm.return
}

// -----

#row = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @too_wide(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 32 : tensor<32xi32, #row>
  // expected-error@below {{expected 'fsm.access_width' elements side by side in each thread's registers}}
  %x = fsm.load %in[%o] {fsm.access_width = 2 : i32} : !fsm.ptr<i32>, tensor<32xi32, #row> -> tensor<32xi32, #row>
  fsm.store %x, %out[%o] : tensor<32xi32, #row>, !fsm.ptr<i32>, tensor<32xi32, #row>
  fsm.return
}

// -----

#row = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @too_wide_store(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 32 : tensor<32xi32, #row>
  // expected-error@below {{expected 'fsm.access_width' elements side by side in each thread's registers}}
  fsm.store %o, %out[%o] {fsm.access_width = 4 : i32} : tensor<32xi32, #row>, !fsm.ptr<i32>, tensor<32xi32, #row>
  fsm.return
}

// -----

#row = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#turned = #fsm.layout<register = [], lane = [[16, 0], [8, 0], [4, 0], [2, 0], [1, 0]], warp = [], cta = []>
fsm.kernel @moved(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  // expected-note@+1 {{operand 0 is 'tensor<32xi32, #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>>' here}}
  %o = fsm.range 0, 32 : tensor<32xi32, #row>
  // expected-error@below {{expected layouts of source and result between which no element moves}}
  %c = fsm.expand_dims %o axis 1 : tensor<32xi32, #row> -> tensor<32x1xi32, #turned>
  fsm.store %c, %out[%c] : tensor<32x1xi32, #turned>, !fsm.ptr<i32>, tensor<32x1xi32, #turned>
  fsm.return
}

// -----

#row = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
// expected-note@+1 {{the kernel is here}}
fsm.kernel @warps(%out: !fsm.ptr<i32>) attributes {num_warps = 2 : i32} {
  // expected-error@below {{expected layouts over the kernel's 2 warps}}
  %o = fsm.range 0, 32 : tensor<32xi32, #row>
  fsm.store %o, %out[%o] : tensor<32xi32, #row>, !fsm.ptr<i32>, tensor<32xi32, #row>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2], [4]], lane = [[0], [0], [0], [0], [0]], warp = [], cta = []>
fsm.kernel @beyond_the_block(%in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 6 : tensor<6xi32, #row>
  // expected-error@below {{expected 'fsm.access_width' elements side by side in each thread's registers}}
  %x = fsm.load %in[%o] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<6xi32, #row> -> tensor<6xf32, #row>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @no_such_dimension(%in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  // expected-error@below {{expected 'fsm.access_width' elements side by side in each thread's registers}}
  %x = fsm.load %in[%o] {fsm.access_dim = 1 : i32, fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
  fsm.return
}

// -----

// expected-error@below {{expected a name for PTX, of letters, digits, '_' and '$', that begins with no digit, 'fsm_' or '__nv_', got 'a b'}}
fsm.kernel @"a b"() attributes {num_warps = 1 : i32} {
  fsm.return
}

// -----

// expected-error@below {{expected a name for PTX, of letters, digits, '_' and '$', that begins with no digit, 'fsm_' or '__nv_', got 'fsm_shared'}}
fsm.kernel @fsm_shared() attributes {num_warps = 1 : i32} {
  fsm.return
}

// -----

func.func private @helper()

fsm.kernel @calls() attributes {num_warps = 1 : i32} {
  // expected-error @below {{'func.call' has no lowering to a GPU}}
  func.call @helper() : () -> ()
  fsm.return
}

// -----

// expected-error@below {{has the name of the gpu.module that kernels become; rename it}}
gpu.module @kernels {
}

// -----

#rows = #fsm.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [], cta = []>
fsm.kernel @transposed_lanes(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  // expected-note@+1 {{operand 0 is 'tensor<4x8xi32, #fsm.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [], cta = []>>' here}}
  %o = arith.constant dense<0> : tensor<4x8xi32, #rows>
  // expected-error@below {{expected layouts of source and result between which no element moves}}
  %t = fsm.transpose %o order [1, 0] : tensor<4x8xi32, #rows> -> tensor<8x4xi32, #fsm.layout<register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>>
  fsm.return
}

// -----

#part = #fsm.layout<register = [], lane = [[0], [1], [2], [4], [8]], warp = [], cta = []>
#pairs = #fsm.layout<register = [], lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [], cta = []>
fsm.kernel @joined_lanes(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  // expected-note@+2 {{operand 0 is 'tensor<16xi32, #fsm.layout<register = [], lane = [[0], [1], [2], [4], [8]], warp = [], cta = []>>' here}}
  // expected-note@+1 {{operand 1 is 'tensor<16xi32, #fsm.layout<register = [], lane = [[0], [1], [2], [4], [8]], warp = [], cta = []>>' here}}
  %o = fsm.range 0, 16 : tensor<16xi32, #part>
  // expected-error@below {{expected layouts of source and result between which no element moves}}
  %t = fsm.join %o, %o : tensor<16xi32, #part> -> tensor<16x2xi32, #pairs>
  fsm.return
}

// -----

#part = #fsm.layout<register = [], lane = [[0], [1], [2], [4], [8]], warp = [], cta = []>
#pairs = #fsm.layout<register = [], lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [], cta = []>
fsm.kernel @split_lanes(%out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  // expected-note@+1 {{operand 0 is 'tensor<16x2xi32, #fsm.layout<register = [], lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [], cta = []>>' here}}
  %o = arith.constant dense<0> : tensor<16x2xi32, #pairs>
  // expected-error@below {{expected layouts of source and result between which no element moves}}
  %l, %r = fsm.split %o : tensor<16x2xi32, #pairs> -> tensor<16xi32, #part>
  fsm.return
}

// -----

fsm.kernel @tensors(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %rows: i32, %columns: i32, %stride: i32) attributes {num_warps = 1 : i32} {
  // expected-error@below {{'fsm.descriptor' has no lowering to a GPU}}
  %a = fsm.descriptor %p sizes [%rows, %columns] strides [%stride, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  fsm.return
}

// -----

#row = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @no_end(%out: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #row>
  %ns = fsm.splat %n : tensor<64xi32, #row>
  // expected-error@below {{expected 'fsm.counts_left' on a mask of 32 bit indices that ends in a row}}
  %mask = arith.cmpi eq, %o, %ns {fsm.counts_left} : tensor<64xi32, #row>
  fsm.store %o, %out[%o], %mask : tensor<64xi32, #row>, !fsm.ptr<i32>, tensor<64xi32, #row>
  fsm.return
}

// -----

#four = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
fsm.kernel @divisors_that_vary(%p: !fsm.ptr<f16>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<128xi32, #four> -> tensor<128xf16, #four>
  %wide = arith.extf %x : tensor<128xf16, #four> to tensor<128xf32, #four>
  // expected-error @below {{expected 'fsm.divided_together' on a division of what was of 16 bits by one number}}
  %q = fsm.div_rn %wide, %wide {fsm.divided_together = 8 : i32} : tensor<128xf32, #four>
  fsm.return
}

// -----

#four = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @groups_of_three(%out: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %place = fsm.range 0, 128 : tensor<128xi32, #four>
  %lengths = fsm.splat %n : tensor<128xi32, #four>
  // expected-error@below {{expected 'fsm.groups' to have a power of two for each dimension of a block, negative only where a thread's registers add to its own index}}
  %row = arith.divsi %place, %lengths {fsm.groups = array<i64: 3>} : tensor<128xi32, #four>
  fsm.store %row, %out[%place] : tensor<128xi32, #four>, !fsm.ptr<i32>, tensor<128xi32, #four>
  fsm.return
}
