// Rows that begin at odd addresses are loaded element by element, each of which takes a register: eight warps, where four would do.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --fsm-choose-warps=target=sm_90a | FileCheck %s

// CHECK-LABEL: @rows_that_begin_anywhere
// CHECK-SAME:    num_warps = 8 : i32
fsm.kernel @rows_that_begin_anywhere(%p: !fsm.ptr<f32>, %a: !fsm.ptr<f16>, %stride: i32) {
  %o = arith.constant dense<0> : tensor<128x128xi32>
  %c = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<128x128xi32> -> tensor<128x128xf32>
  %x_at = fsm.places strides [%stride, 1] : tensor<128x64xi32>
  %x = fsm.load %a[%x_at] : !fsm.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>
  %y_at = fsm.places strides [%stride, 1] : tensor<64x128xi32>
  %y = fsm.load %a[%y_at] : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
  %d = fsm.dot %x, %y, %c : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  fsm.store %d, %p[%o] : tensor<128x128xf32>, !fsm.ptr<f32>, tensor<128x128xi32>
  fsm.return
}
// CHECK-LABEL: @rows_of_whole_words
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @rows_of_whole_words(%p: !fsm.ptr<f32>, %a: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 8 : i32}) {
  %o = arith.constant dense<0> : tensor<128x128xi32>
  %c = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<128x128xi32> -> tensor<128x128xf32>
  %x_at = fsm.places strides [%stride, 1] : tensor<128x64xi32>
  %x = fsm.load %a[%x_at] : !fsm.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>
  %y_at = fsm.places strides [%stride, 1] : tensor<64x128xi32>
  %y = fsm.load %a[%y_at] : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
  %d = fsm.dot %x, %y, %c : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  fsm.store %d, %p[%o] : tensor<128x128xf32>, !fsm.ptr<f32>, tensor<128x128xi32>
  fsm.return
}

// The 32 warps that a long row needs are eight of each of four ctas where it begins anywhere, for they wait for many loads; of one cta
// where threads load vectors.
// CHECK-LABEL: @long_row
// CHECK-SAME:    num_ctas = 4 : i32, num_warps = 8 : i32
fsm.kernel @long_row(%out: !fsm.ptr<f32>, %in: !fsm.ptr<bf16> {fsm.align = 16 : i32}, %stride: i32) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 32767 : tensor<32767xi32>
  %src = fsm.offset %in, %start : !fsm.ptr<bf16>, i32
  %x = fsm.load %src[%offs] : !fsm.ptr<bf16>, tensor<32767xi32> -> tensor<32767xbf16>
  %wide = arith.extf %x : tensor<32767xbf16> to tensor<32767xf32>
  %max = fsm.reduce <max> %wide axis 0 : tensor<32767xf32> -> f32
  %maxes = fsm.splat %max : tensor<32767xf32>
  %y = arith.subf %wide, %maxes : tensor<32767xf32>
  %sum = fsm.reduce <sum> %y axis 0 : tensor<32767xf32> -> f32
  %at = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %sum, %at : f32, !fsm.ptr<f32>
  fsm.return
}

// CHECK-LABEL: @long_row_of_vectors
// CHECK-SAME:    num_ctas = 4 : i32, num_warps = 8 : i32
fsm.kernel @long_row_of_vectors(%out: !fsm.ptr<f32>, %in: !fsm.ptr<bf16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 16 : i32}) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 32767 : tensor<32767xi32>
  %src = fsm.offset %in, %start : !fsm.ptr<bf16>, i32
  %x = fsm.load %src[%offs] : !fsm.ptr<bf16>, tensor<32767xi32> -> tensor<32767xbf16>
  %wide = arith.extf %x : tensor<32767xbf16> to tensor<32767xf32>
  %max = fsm.reduce <max> %wide axis 0 : tensor<32767xf32> -> f32
  %maxes = fsm.splat %max : tensor<32767xf32>
  %y = arith.subf %wide, %maxes : tensor<32767xf32>
  %sum = fsm.reduce <sum> %y axis 0 : tensor<32767xf32> -> f32
  %at = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %sum, %at : f32, !fsm.ptr<f32>
  fsm.return
}

// Rows with weights and a bias: eight warps instead of sixteen, while a thread holds few enough; eight or sixteen ctas, of which a thread has
// sixteen elements of each block. A row alone has four ctas, however long.
// CHECK-LABEL: @norm(
// CHECK-NOT:     num_ctas
// CHECK-SAME:    num_warps = 8 : i32
fsm.kernel @norm(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %weight: !fsm.ptr<f16> {fsm.align = 64 : i32}, %bias: !fsm.ptr<f16> {fsm.align = 64 : i32}, %stride: i32) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 12289 : tensor<12289xi32>
  %src = fsm.offset %in, %start : !fsm.ptr<f16>, i32
  %x = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<12289xi32> -> tensor<12289xf16>
  %wide = arith.extf %x : tensor<12289xf16> to tensor<12289xf32>
  %max = fsm.reduce <max> %wide axis 0 : tensor<12289xf32> -> f32
  %maxes = fsm.splat %max : tensor<12289xf32>
  %y = arith.subf %wide, %maxes : tensor<12289xf32>
  %w = fsm.load %weight[%offs] : !fsm.ptr<f16>, tensor<12289xi32> -> tensor<12289xf16>
  %w32 = arith.extf %w : tensor<12289xf16> to tensor<12289xf32>
  %b = fsm.load %bias[%offs] : !fsm.ptr<f16>, tensor<12289xi32> -> tensor<12289xf16>
  %b32 = arith.extf %b : tensor<12289xf16> to tensor<12289xf32>
  %z = arith.mulf %y, %w32 : tensor<12289xf32>
  %v = arith.addf %z, %b32 : tensor<12289xf32>
  fsm.store %v, %out[%offs] : tensor<12289xf32>, !fsm.ptr<f32>, tensor<12289xi32>
  fsm.return
}

// CHECK-LABEL: @longer_norm(
// CHECK-NOT:     num_ctas
// CHECK-SAME:    num_warps = 16 : i32
fsm.kernel @longer_norm(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %weight: !fsm.ptr<f16> {fsm.align = 64 : i32}, %bias: !fsm.ptr<f16> {fsm.align = 64 : i32}, %stride: i32) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 12801 : tensor<12801xi32>
  %src = fsm.offset %in, %start : !fsm.ptr<f16>, i32
  %x = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<12801xi32> -> tensor<12801xf16>
  %wide = arith.extf %x : tensor<12801xf16> to tensor<12801xf32>
  %max = fsm.reduce <max> %wide axis 0 : tensor<12801xf32> -> f32
  %maxes = fsm.splat %max : tensor<12801xf32>
  %y = arith.subf %wide, %maxes : tensor<12801xf32>
  %w = fsm.load %weight[%offs] : !fsm.ptr<f16>, tensor<12801xi32> -> tensor<12801xf16>
  %w32 = arith.extf %w : tensor<12801xf16> to tensor<12801xf32>
  %b = fsm.load %bias[%offs] : !fsm.ptr<f16>, tensor<12801xi32> -> tensor<12801xf16>
  %b32 = arith.extf %b : tensor<12801xf16> to tensor<12801xf32>
  %z = arith.mulf %y, %w32 : tensor<12801xf32>
  %v = arith.addf %z, %b32 : tensor<12801xf32>
  fsm.store %v, %out[%offs] : tensor<12801xf32>, !fsm.ptr<f32>, tensor<12801xi32>
  fsm.return
}

// CHECK-LABEL: @norm_of_eight_ctas(
// CHECK-SAME:    num_ctas = 8 : i32, num_warps = 8 : i32
fsm.kernel @norm_of_eight_ctas(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %weight: !fsm.ptr<f16> {fsm.align = 64 : i32}, %bias: !fsm.ptr<f16> {fsm.align = 64 : i32}, %stride: i32) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 32767 : tensor<32767xi32>
  %src = fsm.offset %in, %start : !fsm.ptr<f16>, i32
  %x = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<32767xi32> -> tensor<32767xf16>
  %wide = arith.extf %x : tensor<32767xf16> to tensor<32767xf32>
  %max = fsm.reduce <max> %wide axis 0 : tensor<32767xf32> -> f32
  %maxes = fsm.splat %max : tensor<32767xf32>
  %y = arith.subf %wide, %maxes : tensor<32767xf32>
  %w = fsm.load %weight[%offs] : !fsm.ptr<f16>, tensor<32767xi32> -> tensor<32767xf16>
  %w32 = arith.extf %w : tensor<32767xf16> to tensor<32767xf32>
  %b = fsm.load %bias[%offs] : !fsm.ptr<f16>, tensor<32767xi32> -> tensor<32767xf16>
  %b32 = arith.extf %b : tensor<32767xf16> to tensor<32767xf32>
  %z = arith.mulf %y, %w32 : tensor<32767xf32>
  %v = arith.addf %z, %b32 : tensor<32767xf32>
  fsm.store %v, %out[%offs] : tensor<32767xf32>, !fsm.ptr<f32>, tensor<32767xi32>
  fsm.return
}

// CHECK-LABEL: @norm_of_sixteen_ctas(
// CHECK-SAME:    num_ctas = 16 : i32, num_warps = 8 : i32
fsm.kernel @norm_of_sixteen_ctas(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %weight: !fsm.ptr<f16> {fsm.align = 64 : i32}, %bias: !fsm.ptr<f16> {fsm.align = 64 : i32}, %stride: i32) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 50257 : tensor<50257xi32>
  %src = fsm.offset %in, %start : !fsm.ptr<f16>, i32
  %x = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<50257xi32> -> tensor<50257xf16>
  %wide = arith.extf %x : tensor<50257xf16> to tensor<50257xf32>
  %max = fsm.reduce <max> %wide axis 0 : tensor<50257xf32> -> f32
  %maxes = fsm.splat %max : tensor<50257xf32>
  %y = arith.subf %wide, %maxes : tensor<50257xf32>
  %w = fsm.load %weight[%offs] : !fsm.ptr<f16>, tensor<50257xi32> -> tensor<50257xf16>
  %w32 = arith.extf %w : tensor<50257xf16> to tensor<50257xf32>
  %b = fsm.load %bias[%offs] : !fsm.ptr<f16>, tensor<50257xi32> -> tensor<50257xf16>
  %b32 = arith.extf %b : tensor<50257xf16> to tensor<50257xf32>
  %z = arith.mulf %y, %w32 : tensor<50257xf32>
  %v = arith.addf %z, %b32 : tensor<50257xf32>
  fsm.store %v, %out[%offs] : tensor<50257xf32>, !fsm.ptr<f32>, tensor<50257xi32>
  fsm.return
}

// CHECK-LABEL: @short_norm(
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @short_norm(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %weight: !fsm.ptr<f16> {fsm.align = 64 : i32}, %bias: !fsm.ptr<f16> {fsm.align = 64 : i32}, %stride: i32) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 4095 : tensor<4095xi32>
  %src = fsm.offset %in, %start : !fsm.ptr<f16>, i32
  %x = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %wide = arith.extf %x : tensor<4095xf16> to tensor<4095xf32>
  %max = fsm.reduce <max> %wide axis 0 : tensor<4095xf32> -> f32
  %maxes = fsm.splat %max : tensor<4095xf32>
  %y = arith.subf %wide, %maxes : tensor<4095xf32>
  %w = fsm.load %weight[%offs] : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %w32 = arith.extf %w : tensor<4095xf16> to tensor<4095xf32>
  %b = fsm.load %bias[%offs] : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %b32 = arith.extf %b : tensor<4095xf16> to tensor<4095xf32>
  %z = arith.mulf %y, %w32 : tensor<4095xf32>
  %v = arith.addf %z, %b32 : tensor<4095xf32>
  fsm.store %v, %out[%offs] : tensor<4095xf32>, !fsm.ptr<f32>, tensor<4095xi32>
  fsm.return
}

// A row alone has twice the warps, unless a load waits for another one.
// CHECK-LABEL: @row_of_4096(
// CHECK-SAME:    num_warps = 8 : i32
fsm.kernel @row_of_4096(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}) {
  %offs = fsm.range 0, 4096 : tensor<4096xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %max = fsm.reduce <max> %x axis 0 : tensor<4096xf16> -> f16
  %maxes = fsm.splat %max : tensor<4096xf16>
  %y = arith.subf %x, %maxes : tensor<4096xf16>
  %wide = arith.extf %y : tensor<4096xf16> to tensor<4096xf32>
  fsm.store %wide, %out[%offs] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}
// CHECK-LABEL: @row_and_its_label(
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @row_and_its_label(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %labels: !fsm.ptr<i32>) {
  %row = fsm.program_id x : i32
  %place = fsm.offset %labels, %row : !fsm.ptr<i32>, i32
  %label = fsm.load %place : !fsm.ptr<i32> -> i32
  %chosen = fsm.offset %in, %label : !fsm.ptr<f16>, i32
  %logit = fsm.load %chosen : !fsm.ptr<f16> -> f16
  %offs = fsm.range 0, 4096 : tensor<4096xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %max = fsm.reduce <max> %x axis 0 : tensor<4096xf16> -> f16
  %less = arith.subf %max, %logit : f16
  %all = fsm.splat %less : tensor<4096xf16>
  %y = arith.subf %x, %all : tensor<4096xf16>
  %wide = arith.extf %y : tensor<4096xf16> to tensor<4096xf32>
  fsm.store %wide, %out[%offs] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}

// Two rows that are waited for have four times the warps, 16 at most; where one would have these, four ctas of four.
// CHECK-LABEL: @two_rows_of_2048(
// CHECK-NOT:     num_ctas
// CHECK-SAME:    num_warps = 8 : i32
fsm.kernel @two_rows_of_2048(%out: !fsm.ptr<f16> {fsm.align = 16 : i32}, %in0: !fsm.ptr<f16> {fsm.align = 16 : i32}, %in1: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 16 : i32}) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 2048 : tensor<2048xi32>
  %src0 = fsm.offset %in0, %start : !fsm.ptr<f16>, i32
  %x0 = fsm.load %src0[%offs] : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  %w0 = arith.extf %x0 : tensor<2048xf16> to tensor<2048xf32>
  %src1 = fsm.offset %in1, %start : !fsm.ptr<f16>, i32
  %x1 = fsm.load %src1[%offs] : !fsm.ptr<f16>, tensor<2048xi32> -> tensor<2048xf16>
  %w1 = arith.extf %x1 : tensor<2048xf16> to tensor<2048xf32>
  %p = arith.mulf %w0, %w1 : tensor<2048xf32>
  %sum = fsm.reduce <sum> %p axis 0 : tensor<2048xf32> -> f32
  %sums = fsm.splat %sum : tensor<2048xf32>
  %y = arith.subf %w0, %sums : tensor<2048xf32>
  %n = arith.truncf %y : tensor<2048xf32> to tensor<2048xf16>
  %dst = fsm.offset %out, %start : !fsm.ptr<f16>, i32
  fsm.store %n, %dst[%offs] : tensor<2048xf16>, !fsm.ptr<f16>, tensor<2048xi32>
  fsm.return
}

// CHECK-LABEL: @two_rows_of_8192(
// CHECK-NOT:     num_ctas
// CHECK-SAME:    num_warps = 16 : i32
fsm.kernel @two_rows_of_8192(%out: !fsm.ptr<f16> {fsm.align = 16 : i32}, %in0: !fsm.ptr<f16> {fsm.align = 16 : i32}, %in1: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 16 : i32}) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 8192 : tensor<8192xi32>
  %src0 = fsm.offset %in0, %start : !fsm.ptr<f16>, i32
  %x0 = fsm.load %src0[%offs] : !fsm.ptr<f16>, tensor<8192xi32> -> tensor<8192xf16>
  %w0 = arith.extf %x0 : tensor<8192xf16> to tensor<8192xf32>
  %src1 = fsm.offset %in1, %start : !fsm.ptr<f16>, i32
  %x1 = fsm.load %src1[%offs] : !fsm.ptr<f16>, tensor<8192xi32> -> tensor<8192xf16>
  %w1 = arith.extf %x1 : tensor<8192xf16> to tensor<8192xf32>
  %p = arith.mulf %w0, %w1 : tensor<8192xf32>
  %sum = fsm.reduce <sum> %p axis 0 : tensor<8192xf32> -> f32
  %sums = fsm.splat %sum : tensor<8192xf32>
  %y = arith.subf %w0, %sums : tensor<8192xf32>
  %n = arith.truncf %y : tensor<8192xf32> to tensor<8192xf16>
  %dst = fsm.offset %out, %start : !fsm.ptr<f16>, i32
  fsm.store %n, %dst[%offs] : tensor<8192xf16>, !fsm.ptr<f16>, tensor<8192xi32>
  fsm.return
}

// CHECK-LABEL: @two_rows_of_16384(
// CHECK-SAME:    num_ctas = 4 : i32, num_warps = 4 : i32
fsm.kernel @two_rows_of_16384(%out: !fsm.ptr<f16> {fsm.align = 16 : i32}, %in0: !fsm.ptr<f16> {fsm.align = 16 : i32}, %in1: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 16 : i32}) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 16384 : tensor<16384xi32>
  %src0 = fsm.offset %in0, %start : !fsm.ptr<f16>, i32
  %x0 = fsm.load %src0[%offs] : !fsm.ptr<f16>, tensor<16384xi32> -> tensor<16384xf16>
  %w0 = arith.extf %x0 : tensor<16384xf16> to tensor<16384xf32>
  %src1 = fsm.offset %in1, %start : !fsm.ptr<f16>, i32
  %x1 = fsm.load %src1[%offs] : !fsm.ptr<f16>, tensor<16384xi32> -> tensor<16384xf16>
  %w1 = arith.extf %x1 : tensor<16384xf16> to tensor<16384xf32>
  %p = arith.mulf %w0, %w1 : tensor<16384xf32>
  %sum = fsm.reduce <sum> %p axis 0 : tensor<16384xf32> -> f32
  %sums = fsm.splat %sum : tensor<16384xf32>
  %y = arith.subf %w0, %sums : tensor<16384xf32>
  %n = arith.truncf %y : tensor<16384xf32> to tensor<16384xf16>
  %dst = fsm.offset %out, %start : !fsm.ptr<f16>, i32
  fsm.store %n, %dst[%offs] : tensor<16384xf16>, !fsm.ptr<f16>, tensor<16384xi32>
  fsm.return
}

// One row of eight warps is two ctas of four, if it is stored.
// CHECK-LABEL: @row_of_8192(
// CHECK-SAME:    num_ctas = 2 : i32, num_warps = 4 : i32
fsm.kernel @row_of_8192(%out: !fsm.ptr<f16> {fsm.align = 16 : i32}, %in0: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 16 : i32}) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 8192 : tensor<8192xi32>
  %src0 = fsm.offset %in0, %start : !fsm.ptr<f16>, i32
  %x0 = fsm.load %src0[%offs] : !fsm.ptr<f16>, tensor<8192xi32> -> tensor<8192xf16>
  %w0 = arith.extf %x0 : tensor<8192xf16> to tensor<8192xf32>
  %sum = fsm.reduce <sum> %w0 axis 0 : tensor<8192xf32> -> f32
  %sums = fsm.splat %sum : tensor<8192xf32>
  %y = arith.subf %w0, %sums : tensor<8192xf32>
  %n = arith.truncf %y : tensor<8192xf32> to tensor<8192xf16>
  %dst = fsm.offset %out, %start : !fsm.ptr<f16>, i32
  fsm.store %n, %dst[%offs] : tensor<8192xf16>, !fsm.ptr<f16>, tensor<8192xi32>
  fsm.return
}

// CHECK-LABEL: @sum_of_8192(
// CHECK-NOT:     num_ctas
// CHECK-SAME:    num_warps = 8 : i32
fsm.kernel @sum_of_8192(%out: !fsm.ptr<f32> {fsm.align = 16 : i32}, %in0: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 16 : i32}) {
  %row = fsm.program_id x : i32
  %start = arith.muli %row, %stride overflow<nsw> : i32
  %offs = fsm.range 0, 8192 : tensor<8192xi32>
  %src0 = fsm.offset %in0, %start : !fsm.ptr<f16>, i32
  %x0 = fsm.load %src0[%offs] : !fsm.ptr<f16>, tensor<8192xi32> -> tensor<8192xf16>
  %w0 = arith.extf %x0 : tensor<8192xf16> to tensor<8192xf32>
  %sum = fsm.reduce <sum> %w0 axis 0 : tensor<8192xf32> -> f32
  %at = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %sum, %at : f32, !fsm.ptr<f32>
  fsm.return
}
