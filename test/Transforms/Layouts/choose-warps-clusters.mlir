// A program gets a cluster of ctas where no number of warps of one leaves a thread enough registers, or where one of 32 warps would have a
// multiprocessor for itself.

// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps))' | FileCheck %s
// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps{target=sm_80}))' | FileCheck %s --check-prefix=SINGLE
// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps{remarks=true}))' 2>&1 >%t | FileCheck %s --check-prefix=REMARK

// 32 words for each thread of 32 warps: of four ctas instead of one.
// CHECK-LABEL: fsm.kernel @largest
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 4 : i32, num_warps = 8 : i32}
// SINGLE-LABEL: fsm.kernel @largest
// SINGLE-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 32 : i32}
// REMARK: remark: runs a program on a cluster of 4 ctas of 8 warps: others go on while one waits
fsm.kernel @largest(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 32768 : tensor<32768xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<32768xi32> -> tensor<32768xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<32768xf32> -> f32
  %all = fsm.splat %most : tensor<32768xf32>
  %y = arith.subf %x, %all : tensor<32768xf32>
  fsm.store %y, %p[%o] : tensor<32768xf32>, !fsm.ptr<f32>, tensor<32768xi32>
  fsm.return
}

// -----

// A loop's loads would wait in registers; tiles have not been measured.
// CHECK-LABEL: fsm.kernel @in_a_loop
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 32 : i32}
// CHECK-LABEL: fsm.kernel @tile
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 32 : i32}
fsm.kernel @in_a_loop(%p: !fsm.ptr<f32>, %n: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 32768 : tensor<32768xi32>
  scf.for %i = %none to %n step %one : i32 {
    %row = fsm.offset %p, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %row[%o] : !fsm.ptr<f32>, tensor<32768xi32> -> tensor<32768xf32>
    %most = fsm.reduce <max> %x axis 0 : tensor<32768xf32> -> f32
    %all = fsm.splat %most : tensor<32768xf32>
    %y = arith.subf %x, %all : tensor<32768xf32>
    fsm.store %y, %row[%o] : tensor<32768xf32>, !fsm.ptr<f32>, tensor<32768xi32>
  }
  fsm.return
}
fsm.kernel @tile(%p: !fsm.ptr<f32>) {
  %o = arith.constant dense<0> : tensor<8x4096xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<8x4096xi32> -> tensor<8x4096xf32>
  %most = fsm.reduce <max> %x axis 1 : tensor<8x4096xf32> -> tensor<8xf32>
  %q = fsm.range 0, 8 : tensor<8xi32>
  fsm.store %most, %p[%q] : tensor<8xf32>, !fsm.ptr<f32>, tensor<8xi32>
  fsm.return
}

// -----

// Three blocks of narrow numbers stay on one cta, two do not.
// CHECK-LABEL: fsm.kernel @narrow_scaled_and_moved
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 32 : i32}
// CHECK-LABEL: fsm.kernel @narrow_scaled
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 4 : i32, num_warps = 8 : i32}
fsm.kernel @narrow_scaled_and_moved(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %w: !fsm.ptr<f16> {fsm.align = 16 : i32}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<65536xi32> -> tensor<65536xf16>
  %most = fsm.reduce <max> %x axis 0 : tensor<65536xf16> -> f16
  %all = fsm.splat %most : tensor<65536xf16>
  %y = arith.subf %x, %all : tensor<65536xf16>
  %scales = fsm.load %w[%o] : !fsm.ptr<f16>, tensor<65536xi32> -> tensor<65536xf16>
  %z = arith.mulf %y, %scales : tensor<65536xf16>
  %moves = fsm.load %b[%o] : !fsm.ptr<f16>, tensor<65536xi32> -> tensor<65536xf16>
  %moved = arith.addf %z, %moves : tensor<65536xf16>
  fsm.store %moved, %p[%o] : tensor<65536xf16>, !fsm.ptr<f16>, tensor<65536xi32>
  fsm.return
}
fsm.kernel @narrow_scaled(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %w: !fsm.ptr<f16> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<65536xi32> -> tensor<65536xf16>
  %most = fsm.reduce <max> %x axis 0 : tensor<65536xf16> -> f16
  %all = fsm.splat %most : tensor<65536xf16>
  %y = arith.subf %x, %all : tensor<65536xf16>
  %scales = fsm.load %w[%o] : !fsm.ptr<f16>, tensor<65536xi32> -> tensor<65536xf16>
  %z = arith.mulf %y, %scales : tensor<65536xf16>
  fsm.store %z, %p[%o] : tensor<65536xf16>, !fsm.ptr<f16>, tensor<65536xi32>
  fsm.return
}

// -----

// A row that is loaded by vectors: 32 words for each thread of eight ctas.
// CHECK-LABEL: fsm.kernel @twice
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 8 : i32, num_warps = 8 : i32}
// SINGLE-LABEL: fsm.kernel @twice
// SINGLE-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 32 : i32}
// REMARK: remark: runs a program on a cluster of 8 ctas of 8 warps: one cta has too few registers for its blocks
fsm.kernel @twice(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<65536xf32> -> f32
  %all = fsm.splat %most : tensor<65536xf32>
  %y = arith.subf %x, %all : tensor<65536xf32>
  fsm.store %y, %p[%o] : tensor<65536xf32>, !fsm.ptr<f32>, tensor<65536xi32>
  fsm.return
}

// -----

// Of narrow loads few bytes would be on their way.
// CHECK-LABEL: fsm.kernel @twice_anywhere
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 8 : i32, num_warps = 8 : i32}
fsm.kernel @twice_anywhere(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<65536xf32> -> f32
  %all = fsm.splat %most : tensor<65536xf32>
  %y = arith.subf %x, %all : tensor<65536xf32>
  fsm.store %y, %p[%o] : tensor<65536xf32>, !fsm.ptr<f32>, tensor<65536xi32>
  fsm.return
}

// -----

// CHECK-LABEL: fsm.kernel @twice_narrow
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 8 : i32, num_warps = 8 : i32}
fsm.kernel @twice_narrow(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 65536 : tensor<65536xi32>
  %narrow = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<65536xi32> -> tensor<65536xf16>
  %x = arith.extf %narrow : tensor<65536xf16> to tensor<65536xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<65536xf32> -> f32
  %all = fsm.splat %most : tensor<65536xf32>
  %y = arith.subf %x, %all : tensor<65536xf32>
  %z = arith.truncf %y : tensor<65536xf32> to tensor<65536xf16>
  fsm.store %z, %p[%o] : tensor<65536xf16>, !fsm.ptr<f16>, tensor<65536xi32>
  fsm.return
}

// -----

// CHECK-LABEL: fsm.kernel @twice_weighed
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 8 : i32, num_warps = 8 : i32}
fsm.kernel @twice_weighed(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %w: !fsm.ptr<f32> {fsm.align = 64 : i32}) {
  %o = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<65536xf32> -> f32
  %weights = fsm.load %w[%o] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  %all = fsm.splat %most : tensor<65536xf32>
  %y = arith.subf %x, %all : tensor<65536xf32>
  %z = arith.mulf %y, %weights : tensor<65536xf32>
  fsm.store %z, %p[%o] : tensor<65536xf32>, !fsm.ptr<f32>, tensor<65536xi32>
  fsm.return
}

// -----

// CHECK-LABEL: fsm.kernel @four_times
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, max_registers = 128 : i32, num_ctas = 8 : i32, num_warps = 8 : i32}
fsm.kernel @four_times(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 131072 : tensor<131072xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<131072xi32> -> tensor<131072xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<131072xf32> -> f32
  %all = fsm.splat %most : tensor<131072xf32>
  %y = arith.subf %x, %all : tensor<131072xf32>
  fsm.store %y, %p[%o] : tensor<131072xf32>, !fsm.ptr<f32>, tensor<131072xi32>
  fsm.return
}

// -----

// A launch of few programs has no smaller clusters than it has room for.
// CHECK-LABEL: fsm.kernel @eight_times
// CHECK-SAME:    num_ctas = 16 : i32, num_warps = 8 : i32}
// CHECK-LABEL: fsm.kernel @few_of_65536
// CHECK-SAME:    num_ctas = 8 : i32, num_warps = 8 : i32}
fsm.kernel @eight_times(%p: !fsm.ptr<f32>) attributes {fsm.spread = 8 : i32} {
  %o = fsm.range 0, 262144 : tensor<262144xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<262144xi32> -> tensor<262144xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<262144xf32> -> f32
  %all = fsm.splat %most : tensor<262144xf32>
  %y = arith.subf %x, %all : tensor<262144xf32>
  fsm.store %y, %p[%o] : tensor<262144xf32>, !fsm.ptr<f32>, tensor<262144xi32>
  fsm.return
}
fsm.kernel @few_of_65536(%p: !fsm.ptr<f32>) attributes {fsm.spread = 8 : i32} {
  %o = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<65536xf32> -> f32
  %all = fsm.splat %most : tensor<65536xf32>
  %y = arith.subf %x, %all : tensor<65536xf32>
  fsm.store %y, %p[%o] : tensor<65536xf32>, !fsm.ptr<f32>, tensor<65536xi32>
  fsm.return
}

// -----

// Few warps that hold 96 or 128 words a thread, rather than many; of 96 two ctas share a multiprocessor's registers.
// CHECK-LABEL: fsm.kernel @twelve_times
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, max_registers = 128 : i32, num_ctas = 16 : i32, num_warps = 8 : i32}
fsm.kernel @twelve_times(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 393216 : tensor<393216xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<393216xi32> -> tensor<393216xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<393216xf32> -> f32
  %all = fsm.splat %most : tensor<393216xf32>
  %y = arith.subf %x, %all : tensor<393216xf32>
  fsm.store %y, %p[%o] : tensor<393216xf32>, !fsm.ptr<f32>, tensor<393216xi32>
  fsm.return
}
// CHECK-LABEL: fsm.kernel @sixteen_times
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 16 : i32, num_warps = 8 : i32}
fsm.kernel @sixteen_times(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 524288 : tensor<524288xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<524288xi32> -> tensor<524288xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<524288xf32> -> f32
  %all = fsm.splat %most : tensor<524288xf32>
  %y = arith.subf %x, %all : tensor<524288xf32>
  fsm.store %y, %p[%o] : tensor<524288xf32>, !fsm.ptr<f32>, tensor<524288xi32>
  fsm.return
}

// -----

// The author's warps are those of each cta; programs on several ctas share none.
// CHECK-LABEL: fsm.kernel @asked
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 4 : i32, num_warps = 1 : i32}
fsm.kernel @asked(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32, num_ctas = 4 : i32} {
  fsm.return
}

// -----

// A launch of few programs: as many ctas as it has room for.
// CHECK-LABEL: fsm.kernel @few
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, fsm.spread = 8 : i32, num_ctas = 8 : i32, num_warps = 4 : i32}
// SINGLE-LABEL: fsm.kernel @few
// SINGLE-SAME:    {fsm.programs_per_cta = 1 : i32, fsm.spread = 8 : i32, num_warps = 32 : i32}
// REMARK: remark: runs a program on a cluster of 8 ctas of 4 warps: the launch has few programs
fsm.kernel @few(%p: !fsm.ptr<f32>) attributes {fsm.spread = 8 : i32} {
  %o = fsm.range 0, 32768 : tensor<32768xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<32768xi32> -> tensor<32768xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<32768xf32> -> f32
  fsm.store %most, %p : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// Each cta has 4096 elements at least.
// CHECK-LABEL: fsm.kernel @few_of_16384
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, fsm.spread = 8 : i32, num_ctas = 4 : i32, num_warps = 4 : i32}
fsm.kernel @few_of_16384(%p: !fsm.ptr<f32>) attributes {fsm.spread = 8 : i32} {
  %o = fsm.range 0, 16384 : tensor<16384xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<16384xf32> -> f32
  fsm.store %most, %p : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// Shorter blocks are not worth it, nor does it take from a kernel what it says itself.
// CHECK-LABEL: fsm.kernel @short
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, fsm.spread = 8 : i32, num_warps = 16 : i32}
// CHECK-LABEL: fsm.kernel @says_two
// CHECK-SAME:    num_ctas = 2 : i32
fsm.kernel @short(%p: !fsm.ptr<f32>) attributes {fsm.spread = 8 : i32} {
  %o = fsm.range 0, 16383 : tensor<16383xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<16383xi32> -> tensor<16383xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<16383xf32> -> f32
  fsm.store %most, %p : f32, !fsm.ptr<f32>
  fsm.return
}
fsm.kernel @says_two(%p: !fsm.ptr<f32>) attributes {num_ctas = 2 : i32, fsm.spread = 8 : i32} {
  %o = fsm.range 0, 16384 : tensor<16384xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<16384xf32> -> f32
  fsm.store %most, %p : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// Rows that are loaded by vectors, from eight warps on: ctas of four warps of 32 words, then of eight, then 16 ctas, and of one block told how many registers.
// CHECK-LABEL: fsm.kernel @row_of_4096
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 4 : i32}
// CHECK-LABEL: fsm.kernel @row_of_8192
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 2 : i32, num_warps = 4 : i32}
fsm.kernel @row_of_4096(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 4096 : tensor<4096xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<4096xi32> -> tensor<4096xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<4096xf32> -> f32
  %all = fsm.splat %most : tensor<4096xf32>
  %y = arith.subf %x, %all : tensor<4096xf32>
  fsm.store %y, %p[%o] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}
fsm.kernel @row_of_8192(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 8192 : tensor<8192xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<8192xi32> -> tensor<8192xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<8192xf32> -> f32
  %all = fsm.splat %most : tensor<8192xf32>
  %y = arith.subf %x, %all : tensor<8192xf32>
  fsm.store %y, %p[%o] : tensor<8192xf32>, !fsm.ptr<f32>, tensor<8192xi32>
  fsm.return
}
// CHECK-LABEL: fsm.kernel @row_of_16384
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 4 : i32, num_warps = 4 : i32}
// SINGLE-LABEL: fsm.kernel @row_of_16384
// SINGLE-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 16 : i32}
// REMARK: remark: runs a program on a cluster of 4 ctas of 4 warps: others go on while one waits
fsm.kernel @row_of_16384(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 16384 : tensor<16384xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<16384xf32> -> f32
  %all = fsm.splat %most : tensor<16384xf32>
  %y = arith.subf %x, %all : tensor<16384xf32>
  fsm.store %y, %p[%o] : tensor<16384xf32>, !fsm.ptr<f32>, tensor<16384xi32>
  fsm.return
}
// CHECK-LABEL: fsm.kernel @row_of_32768
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 8 : i32, num_warps = 4 : i32}
fsm.kernel @row_of_32768(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 32768 : tensor<32768xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<32768xi32> -> tensor<32768xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<32768xf32> -> f32
  %all = fsm.splat %most : tensor<32768xf32>
  %y = arith.subf %x, %all : tensor<32768xf32>
  fsm.store %y, %p[%o] : tensor<32768xf32>, !fsm.ptr<f32>, tensor<32768xi32>
  fsm.return
}
// CHECK-LABEL: fsm.kernel @row_of_131072
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, max_registers = 128 : i32, num_ctas = 16 : i32, num_warps = 4 : i32}
fsm.kernel @row_of_131072(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 131072 : tensor<131072xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<131072xi32> -> tensor<131072xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<131072xf32> -> f32
  %all = fsm.splat %most : tensor<131072xf32>
  %y = arith.subf %x, %all : tensor<131072xf32>
  fsm.store %y, %p[%o] : tensor<131072xf32>, !fsm.ptr<f32>, tensor<131072xi32>
  fsm.return
}

// -----

// All blocks of a thread are 128 words together: two of 64 are, two of 128 are not.
// CHECK-LABEL: fsm.kernel @weighed_of_131072
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 16 : i32, num_warps = 4 : i32}
// CHECK-LABEL: fsm.kernel @weighed_of_262144
// CHECK-SAME:    num_ctas = 16 : i32, num_warps = 8 : i32}
// CHECK-LABEL: fsm.kernel @row_of_262144
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 16 : i32, num_warps = 4 : i32}
fsm.kernel @weighed_of_131072(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %w0: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 131072 : tensor<131072xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<131072xi32> -> tensor<131072xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<131072xf32> -> f32
  %all = fsm.splat %most : tensor<131072xf32>
  %y = arith.subf %x, %all : tensor<131072xf32>
  %v0 = fsm.load %w0[%o] : !fsm.ptr<f32>, tensor<131072xi32> -> tensor<131072xf32>
  %z0 = arith.mulf %y, %v0 : tensor<131072xf32>
  fsm.store %z0, %p[%o] : tensor<131072xf32>, !fsm.ptr<f32>, tensor<131072xi32>
  fsm.return
}
fsm.kernel @weighed_of_262144(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %w0: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 262144 : tensor<262144xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<262144xi32> -> tensor<262144xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<262144xf32> -> f32
  %all = fsm.splat %most : tensor<262144xf32>
  %y = arith.subf %x, %all : tensor<262144xf32>
  %v0 = fsm.load %w0[%o] : !fsm.ptr<f32>, tensor<262144xi32> -> tensor<262144xf32>
  %z0 = arith.mulf %y, %v0 : tensor<262144xf32>
  fsm.store %z0, %p[%o] : tensor<262144xf32>, !fsm.ptr<f32>, tensor<262144xi32>
  fsm.return
}
fsm.kernel @row_of_262144(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 262144 : tensor<262144xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<262144xi32> -> tensor<262144xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<262144xf32> -> f32
  %all = fsm.splat %most : tensor<262144xf32>
  %y = arith.subf %x, %all : tensor<262144xf32>
  fsm.store %y, %p[%o] : tensor<262144xf32>, !fsm.ptr<f32>, tensor<262144xi32>
  fsm.return
}

// -----

// Three blocks stay where they were; of narrow numbers rows of 16 warps only.
// CHECK-LABEL: fsm.kernel @three_of_16384
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_warps = 16 : i32}
// CHECK-LABEL: fsm.kernel @narrow_row_of_32768
// CHECK-SAME:    {fsm.programs_per_cta = 1 : i32, num_ctas = 2 : i32, num_warps = 4 : i32}
fsm.kernel @three_of_16384(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %w0: !fsm.ptr<f32> {fsm.align = 16 : i32}, %w1: !fsm.ptr<f32> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 16384 : tensor<16384xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
  %most = fsm.reduce <max> %x axis 0 : tensor<16384xf32> -> f32
  %all = fsm.splat %most : tensor<16384xf32>
  %y = arith.subf %x, %all : tensor<16384xf32>
  %v0 = fsm.load %w0[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
  %z0 = arith.mulf %y, %v0 : tensor<16384xf32>
  %v1 = fsm.load %w1[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
  %z1 = arith.mulf %z0, %v1 : tensor<16384xf32>
  fsm.store %z1, %p[%o] : tensor<16384xf32>, !fsm.ptr<f32>, tensor<16384xi32>
  fsm.return
}
fsm.kernel @narrow_row_of_32768(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}) {
  %o = fsm.range 0, 32768 : tensor<32768xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<32768xi32> -> tensor<32768xf16>
  %most = fsm.reduce <max> %x axis 0 : tensor<32768xf16> -> f16
  %all = fsm.splat %most : tensor<32768xf16>
  %y = arith.subf %x, %all : tensor<32768xf16>
  fsm.store %y, %p[%o] : tensor<32768xf16>, !fsm.ptr<f16>, tensor<32768xi32>
  fsm.return
}
