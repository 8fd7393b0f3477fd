// Rows whose sums threads exchange: registers for what they load beside; nothing that keeps others from being there.

// RUN: %fsm_opt %s --fsm-gpu-pipeline="target=sm_90a stage=fsm kernel=weighted" | FileCheck %s

// Eight warps, where the row alone would have four: a thread has 16 numbers, and 8 registers of weights. With 14 for all else six ctas.
// CHECK-LABEL: fsm.kernel @weighted
// CHECK-SAME:    fsm.resident_ctas = 6 : i32
// CHECK-SAME:    num_warps = 8 : i32
fsm.kernel @weighted(%out: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %weight: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %stride: i32 {fsm.divisible = 64 : i32}) {
  %row = fsm.program_id x : i32
  %i = arith.muli %row, %stride overflow<nsw> : i32
  %o = fsm.range 0, 4096 : tensor<4096xi32>
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %raw = fsm.load %src[%o] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %w_raw = fsm.load %weight[%o] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %x = arith.extf %raw : tensor<4096xf16> to tensor<4096xf32>
  %w = arith.extf %w_raw : tensor<4096xf16> to tensor<4096xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<4096xf32> -> f32
  %sums = fsm.splat %sum : tensor<4096xf32>
  %centred = arith.subf %x, %sums : tensor<4096xf32>
  %y = arith.mulf %centred, %w : tensor<4096xf32>
  %narrow = arith.truncf %y : tensor<4096xf32> to tensor<4096xf16>
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  fsm.store %narrow, %dst[%o] : tensor<4096xf16>, !fsm.ptr<f16>, tensor<4096xi32>
  fsm.return
}

// With a bias as well registers for one of the two.
// CHECK-LABEL: fsm.kernel @weighted_and_moved
// CHECK-SAME:    fsm.resident_ctas = 6 : i32
// CHECK-SAME:    num_warps = 8 : i32
fsm.kernel @weighted_and_moved(%out: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %weight: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %bias: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %stride: i32 {fsm.divisible = 64 : i32}) {
  %row = fsm.program_id x : i32
  %i = arith.muli %row, %stride overflow<nsw> : i32
  %o = fsm.range 0, 4096 : tensor<4096xi32>
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %raw = fsm.load %src[%o] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %w_raw = fsm.load %weight[%o] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %b_raw = fsm.load %bias[%o] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %x = arith.extf %raw : tensor<4096xf16> to tensor<4096xf32>
  %w = arith.extf %w_raw : tensor<4096xf16> to tensor<4096xf32>
  %b = arith.extf %b_raw : tensor<4096xf16> to tensor<4096xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<4096xf32> -> f32
  %sums = fsm.splat %sum : tensor<4096xf32>
  %centred = arith.subf %x, %sums : tensor<4096xf32>
  %scaled = arith.mulf %centred, %w : tensor<4096xf32>
  %y = arith.addf %scaled, %b : tensor<4096xf32>
  %narrow = arith.truncf %y : tensor<4096xf32> to tensor<4096xf16>
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  fsm.store %narrow, %dst[%o] : tensor<4096xf16>, !fsm.ptr<f16>, tensor<4096xi32>
  fsm.return
}

// Two rows: as many ctas as there is room for, whose shared memory is what they exchange.
// CHECK-LABEL: fsm.kernel @two_rows
// CHECK-NOT:     fsm.resident_ctas
// CHECK-SAME:    fsm.shared_bytes = 64 : i32
// CHECK-SAME:    num_warps = 16 : i32
fsm.kernel @two_rows(%out: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %other: !fsm.ptr<f16> {fsm.align = 64 : i32, fsm.noalias}, %stride: i32 {fsm.divisible = 64 : i32}) {
  %row = fsm.program_id x : i32
  %i = arith.muli %row, %stride overflow<nsw> : i32
  %o = fsm.range 0, 4096 : tensor<4096xi32>
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %src2 = fsm.offset %other, %i : !fsm.ptr<f16>, i32
  %raw = fsm.load %src[%o] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %raw2 = fsm.load %src2[%o] : !fsm.ptr<f16>, tensor<4096xi32> -> tensor<4096xf16>
  %x = arith.extf %raw : tensor<4096xf16> to tensor<4096xf32>
  %z = arith.extf %raw2 : tensor<4096xf16> to tensor<4096xf32>
  %product = arith.mulf %x, %z : tensor<4096xf32>
  %sum = fsm.reduce <sum> %product axis 0 : tensor<4096xf32> -> f32
  %sums = fsm.splat %sum : tensor<4096xf32>
  %centred = arith.subf %x, %sums : tensor<4096xf32>
  %narrow = arith.truncf %centred : tensor<4096xf32> to tensor<4096xf16>
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  fsm.store %narrow, %dst[%o] : tensor<4096xf16>, !fsm.ptr<f16>, tensor<4096xi32>
  fsm.return
}

// Words have four warps, and as many ctas as there is room for.
// CHECK-LABEL: fsm.kernel @words
// CHECK-NOT:     fsm.resident_ctas
// CHECK-SAME:    fsm.shared_bytes = 16 : i32
// CHECK-SAME:    num_warps = 4 : i32
fsm.kernel @words(%out: !fsm.ptr<f32> {fsm.align = 64 : i32, fsm.noalias}, %in: !fsm.ptr<f32> {fsm.align = 64 : i32, fsm.noalias}, %other: !fsm.ptr<f32> {fsm.align = 64 : i32, fsm.noalias}, %stride: i32 {fsm.divisible = 64 : i32}) {
  %row = fsm.program_id x : i32
  %i = arith.muli %row, %stride overflow<nsw> : i32
  %o = fsm.range 0, 4096 : tensor<4096xi32>
  %src = fsm.offset %in, %i : !fsm.ptr<f32>, i32
  %src2 = fsm.offset %other, %i : !fsm.ptr<f32>, i32
  %x = fsm.load %src[%o] : !fsm.ptr<f32>, tensor<4096xi32> -> tensor<4096xf32>
  %z = fsm.load %src2[%o] : !fsm.ptr<f32>, tensor<4096xi32> -> tensor<4096xf32>
  %product = arith.mulf %x, %z : tensor<4096xf32>
  %sum = fsm.reduce <sum> %product axis 0 : tensor<4096xf32> -> f32
  %sums = fsm.splat %sum : tensor<4096xf32>
  %centred = arith.subf %x, %sums : tensor<4096xf32>
  %dst = fsm.offset %out, %i : !fsm.ptr<f32>, i32
  fsm.store %centred, %dst[%o] : tensor<4096xf32>, !fsm.ptr<f32>, tensor<4096xi32>
  fsm.return
}
