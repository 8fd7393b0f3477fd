// About 32 words of the largest block a thread, 4 without reductions, and fewer where registers do not suffice; programs of
// one warp share a cta, unless their threads hold so much.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps{pack=false}))' | FileCheck %s --check-prefix=ALONE
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-choose-warps{target=sm_80}))' | FileCheck %s --check-prefix=SINGLE

// CHECK-LABEL: @half_a_warp
// CHECK-SAME:    fsm.programs_per_cta = 4 : i32, num_warps = 1 : i32
// ALONE-LABEL: @half_a_warp
// ALONE-SAME:    fsm.programs_per_cta = 1 : i32, num_warps = 1 : i32
fsm.kernel @half_a_warp(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 512 : tensor<512xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<512xi32> -> tensor<512xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<512xf32> -> f32
  fsm.store %sum, %p : f32, !fsm.ptr<f32>
  fsm.return
}

// A row that is stored as well is enough on its way for a cta of its own where it has more than 1.5 KB.
// CHECK-LABEL: @stored_row
// CHECK-SAME:    fsm.programs_per_cta = 1 : i32, num_warps = 1 : i32
fsm.kernel @stored_row(%p: !fsm.ptr<f16>) {
  %o = fsm.range 0, 800 : tensor<800xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<800xi32> -> tensor<800xf16>
  %max = fsm.reduce <max> %x axis 0 : tensor<800xf16> -> f16
  %maxes = fsm.splat %max : tensor<800xf16>
  fsm.store %maxes, %p[%o] : tensor<800xf16>, !fsm.ptr<f16>, tensor<800xi32>
  fsm.return
}

// CHECK-LABEL: @short_row
// CHECK-SAME:    fsm.programs_per_cta = 4 : i32, num_warps = 1 : i32
fsm.kernel @short_row(%p: !fsm.ptr<f16>) {
  %o = fsm.range 0, 704 : tensor<704xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<704xi32> -> tensor<704xf16>
  %max = fsm.reduce <max> %x axis 0 : tensor<704xf16> -> f16
  %maxes = fsm.splat %max : tensor<704xf16>
  fsm.store %maxes, %p[%o] : tensor<704xf16>, !fsm.ptr<f16>, tensor<704xi32>
  fsm.return
}

// 1024 words are 32 for each lane of one warp.
// CHECK-LABEL: @one_warp
// CHECK-SAME:    fsm.programs_per_cta = 1 : i32, num_warps = 1 : i32
fsm.kernel @one_warp(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  fsm.store %x, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<1024xf32> -> f32
  fsm.return
}

// Threads that exchange nothing make one access of 16 bytes each.
// CHECK-LABEL: @lone_threads
// CHECK-SAME:    fsm.programs_per_cta = 1 : i32, num_warps = 8 : i32
fsm.kernel @lone_threads(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  fsm.store %x, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.return
}

// One more than that needs a second warp, and there is no half a warp in between.
// CHECK-LABEL: @two_warps
// CHECK-SAME:    fsm.programs_per_cta = 1 : i32, num_warps = 2 : i32
fsm.kernel @two_warps(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 1025 : tensor<1025xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1025xi32> -> tensor<1025xf32>
  fsm.store %x, %p[%o] : tensor<1025xf32>, !fsm.ptr<f32>, tensor<1025xi32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<1025xf32> -> f32
  fsm.return
}

// Three warps' worth is four: 16 * 3 * 64 words.
// CHECK-LABEL: @three_are_four
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @three_are_four(%p: !fsm.ptr<f32>) {
  %c = arith.constant dense<0> : tensor<16x3x64xi32>
  %x = fsm.load %p[%c] : !fsm.ptr<f32>, tensor<16x3x64xi32> -> tensor<16x3x64xf32>
  fsm.store %x, %p[%c] : tensor<16x3x64xf32>, !fsm.ptr<f32>, tensor<16x3x64xi32>
  %sum = fsm.reduce <sum> %x axis 1 : tensor<16x3x64xf32> -> tensor<16x64xf32>
  fsm.return
}

// Halves: two in a word. The 2048 offsets are computed on demand and do not count.
// CHECK-LABEL: @halves
// CHECK-SAME:    num_warps = 1 : i32
fsm.kernel @halves(%p: !fsm.ptr<f16>) {
  %o = fsm.range 0, 2048 : tensor<2048xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  fsm.store %x, %p[%o] : tensor<2048xf16>, !fsm.ptr<f16>, tensor<2048xi32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<2048xf16> -> f16
  fsm.return
}

// What they are widened to counts.
// CHECK-LABEL: @widened
// CHECK-SAME:    num_warps = 2 : i32
fsm.kernel @widened(%p: !fsm.ptr<f16>, %q: !fsm.ptr<f32>) {
  %o = fsm.range 0, 2048 : tensor<2048xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  %y = arith.extf %x : tensor<2048xf16> to tensor<2048xf32>
  fsm.store %y, %q[%o] : tensor<2048xf32>, !fsm.ptr<f32>, tensor<2048xi32>
  %sum = fsm.reduce <sum> %y axis 0 : tensor<2048xf32> -> f32
  fsm.return
}

// Nine blocks of 1024 words, all loaded before the first is stored: 288 registers with one warp, 144 with two.
// CHECK-LABEL: @no_room
// CHECK-SAME:    num_warps = 2 : i32
fsm.kernel @no_room(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 1024 : tensor<1024xi32>
  %x0 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x1 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x2 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x3 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x4 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x5 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x6 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x7 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x8 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %s = fsm.reduce <sum> %x0 axis 0 : tensor<1024xf32> -> f32
  %all = fsm.splat %s : tensor<1024xf32>
  fsm.store %x0, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x1, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x2, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x3, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x4, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x5, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x6, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x7, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x8, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.return
}

// With two warps, 144 of 120; with four, 72.
// CHECK-LABEL: @little_room
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @little_room(%p: !fsm.ptr<f32>) attributes {max_registers = 120} {
  %o = fsm.range 0, 1024 : tensor<1024xi32>
  %x0 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x1 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x2 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x3 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x4 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x5 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x6 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x7 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %x8 = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %s = fsm.reduce <sum> %x0 axis 0 : tensor<1024xf32> -> f32
  %all = fsm.splat %s : tensor<1024xf32>
  fsm.store %x0, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x1, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x2, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x3, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x4, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x5, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x6, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x7, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.store %x8, %p[%o] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.return
}

// A block that only a store sees is held in registers by then.
// CHECK-LABEL: @stored_constant
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @stored_constant(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 4096 : tensor<4096xi32>
  %x = arith.constant dense<0.0> : tensor<4096xf32>
  fsm.store %x, %p[%o] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<4096xf32> -> f32
  fsm.return
}

// A carried block counts even when nothing is computed from it.
// CHECK-LABEL: @carried
// CHECK-SAME:    num_warps = 2 : i32
fsm.kernel @carried(%p: !fsm.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<2048xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %c) -> (tensor<2048xf32>) : i32 {
    scf.yield %a : tensor<2048xf32>
  }
  %sum = fsm.reduce <sum> %r axis 0 : tensor<2048xf32> -> f32
  fsm.return
}

// 32 warps are the most.
// CHECK-LABEL: @most
// CHECK-SAME:    num_warps = 32 : i32
fsm.kernel @most(%p: !fsm.ptr<f32>) {
  %o = fsm.range 0, 131072 : tensor<131072xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<131072xi32> -> tensor<131072xf32>
  fsm.store %x, %p[%o] : tensor<131072xf32>, !fsm.ptr<f32>, tensor<131072xi32>
  fsm.return
}

// What the author wrote stands.
// CHECK-LABEL: @written
// CHECK-SAME:    fsm.programs_per_cta = 1 : i32, num_warps = 8 : i32
fsm.kernel @written(%p: !fsm.ptr<f32>) attributes {num_warps = 8 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  fsm.store %x, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// Scalars alone are one warp's work.
// CHECK-LABEL: @scalars
// CHECK-SAME:    fsm.programs_per_cta = 4 : i32, num_warps = 1 : i32
fsm.kernel @scalars(%p: !fsm.ptr<f32>, %x: f32) {
  fsm.store %x, %p : f32, !fsm.ptr<f32>
  fsm.return
}

// Tensor cores read fewer fragments where a thread has more sums: 128 of them, and 32 elsewhere.
// CHECK-LABEL: @sums_of_tensor_cores
// CHECK-SAME:    num_warps = 4 : i32
// SINGLE-LABEL: @sums_of_tensor_cores
// SINGLE-SAME:   num_warps = 4 : i32
fsm.kernel @sums_of_tensor_cores(%p: !fsm.ptr<f32>, %x: f16) {
  %o = arith.constant dense<0> : tensor<128x128xi32>
  %c = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<128x128xi32> -> tensor<128x128xf32>
  %a = fsm.splat %x : tensor<128x32xf16>
  %b = fsm.splat %x : tensor<32x128xf16>
  %d = fsm.dot %a, %b, %c : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
  fsm.store %d, %p[%o] : tensor<128x128xf32>, !fsm.ptr<f32>, tensor<128x128xi32>
  fsm.return
}

// CHECK-LABEL: @sums_of_multiply_adds
// CHECK-SAME:    num_warps = 16 : i32
fsm.kernel @sums_of_multiply_adds(%p: !fsm.ptr<f32>, %x: f32) {
  %o = arith.constant dense<0> : tensor<128x128xi32>
  %c = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<128x128xi32> -> tensor<128x128xf32>
  %a = fsm.splat %x : tensor<128x32xf32>
  %b = fsm.splat %x : tensor<32x128xf32>
  %d = fsm.dot %a, %b, %c precision = ieee : tensor<128x32xf32>, tensor<32x128xf32> -> tensor<128x128xf32>
  fsm.store %d, %p[%o] : tensor<128x128xf32>, !fsm.ptr<f32>, tensor<128x128xi32>
  fsm.return
}

// Sums of columns that a loop carries beside rows of words: eight warps with half of what four would hold. Of rows of less than words
// four.

// CHECK-LABEL: fsm.kernel @columns_of_words
// CHECK-SAME:    num_warps = 8 : i32
fsm.kernel @columns_of_words(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32> {fsm.align = 16 : i32}, %other: !fsm.ptr<f32> {fsm.align = 16 : i32}, %rows: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %length = arith.constant 4096 : i32
  %offs = fsm.range 0, 4096 : tensor<4096xi32>
  %none = arith.constant dense<0.0> : tensor<4096xf32>
  %all:2 = scf.for %row = %zero to %rows step %one iter_args(%a = %none, %b = %none) -> (tensor<4096xf32>, tensor<4096xf32>) : i32 {
    %start = arith.muli %row, %length : i32
    %p = fsm.offset %in, %start : !fsm.ptr<f32>, i32
    %q = fsm.offset %other, %start : !fsm.ptr<f32>, i32
    %x = fsm.load %p[%offs] : !fsm.ptr<f32>, tensor<4096xi32> -> tensor<4096xf32>
    %y = fsm.load %q[%offs] : !fsm.ptr<f32>, tensor<4096xi32> -> tensor<4096xf32>
    %product = arith.mulf %x, %y : tensor<4096xf32>
    %sum = fsm.reduce <sum> %product axis 0 : tensor<4096xf32> -> f32
    %sums = fsm.splat %sum : tensor<4096xf32>
    %moved = arith.subf %x, %sums : tensor<4096xf32>
    %c = arith.addf %a, %moved : tensor<4096xf32>
    %d = arith.addf %b, %y : tensor<4096xf32>
    scf.yield %c, %d : tensor<4096xf32>, tensor<4096xf32>
  }
  fsm.store %all#0, %out[%offs] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.store %all#1, %out[%offs] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @columns_of_halves
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @columns_of_halves(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %other: !fsm.ptr<f16> {fsm.align = 16 : i32}, %rows: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %length = arith.constant 4096 : i32
  %offs = fsm.range 0, 4096 : tensor<4096xi32>
  %none = arith.constant dense<0.0> : tensor<4096xf32>
  %all:2 = scf.for %row = %zero to %rows step %one iter_args(%a = %none, %b = %none) -> (tensor<4096xf32>, tensor<4096xf32>) : i32 {
    %start = arith.muli %row, %length : i32
    %p = fsm.offset %in, %start : !fsm.ptr<f16>, i32
    %q = fsm.offset %other, %start : !fsm.ptr<f16>, i32
    %h = fsm.load %p[%offs] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
    %i = fsm.load %q[%offs] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
    %x = arith.extf %h : tensor<4096xf16> to tensor<4096xf32>
    %y = arith.extf %i : tensor<4096xf16> to tensor<4096xf32>
    %product = arith.mulf %x, %y : tensor<4096xf32>
    %sum = fsm.reduce <sum> %product axis 0 : tensor<4096xf32> -> f32
    %sums = fsm.splat %sum : tensor<4096xf32>
    %moved = arith.subf %x, %sums : tensor<4096xf32>
    %c = arith.addf %a, %moved : tensor<4096xf32>
    %d = arith.addf %b, %y : tensor<4096xf32>
    scf.yield %c, %d : tensor<4096xf32>, tensor<4096xf32>
  }
  fsm.store %all#0, %out[%offs] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.store %all#1, %out[%offs] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}
