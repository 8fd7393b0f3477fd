// Where a target has wgmma, groups of four warps multiply by it: each group has rows of its own as long as
// there are 64 for each, then columns, of which an instruction takes up to 256. What does not divide so goes to single warps.
//
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-products{target=sm_90a}))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-products{target=sm_120}))' | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: array<i64: 64

// CHECK-LABEL: @one_group
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 64, 128, 16>}
fsm.kernel @one_group() attributes {num_warps = 4 : i32} {
  %a = ub.poison : tensor<128x64xf16>
  %b = ub.poison : tensor<64x128xf16>
  %c = ub.poison : tensor<128x128xf32>
  %d = fsm.dot %a, %b, %c : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  fsm.return
}

// Two groups have 64 rows and all 512 columns each, by two instructions.
// CHECK-LABEL: @two_down
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 64, 256, 16>}
fsm.kernel @two_down() attributes {num_warps = 8 : i32} {
  %a = ub.poison : tensor<128x16xbf16>
  %b = ub.poison : tensor<16x512xbf16>
  %c = ub.poison : tensor<128x512xf32>
  %d = fsm.dot %a, %b, %c : tensor<128x16xbf16>, tensor<16x512xbf16> -> tensor<128x512xf32>
  fsm.return
}

// Two groups share 64 rows and have half of the columns each.
// CHECK-LABEL: @two_across
// CHECK:         fsm.dot {{.*}} {fsm.mma = array<i64: 64, 16, 16>}
fsm.kernel @two_across() attributes {num_warps = 8 : i32} {
  %a = ub.poison : tensor<64x32xf16>
  %b = ub.poison : tensor<32x32xf16>
  %c = ub.poison : tensor<64x32xf32>
  %d = fsm.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
  fsm.return
}

// A step has 32 bytes of each type. Sums of f16 may be in f16; factors of f8 stay such where sums may be less exact, by
// instructions of no more than 128 columns where these are promoted.
// CHECK-LABEL: @types
// CHECK:         {fsm.mma = array<i64: 64, 64, 32>} : tensor<128x64xi8>
// CHECK:         {fsm.mma = array<i64: 64, 64, 8>} : tensor<128x64xf32>
// CHECK:         {fsm.mma = array<i64: 64, 64, 16>} : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf16>
// CHECK:         {fsm.mma = array<i64: 64, 128, 32>} : tensor<128x64xf8E4M3FN>
// CHECK:         {fsm.mma = array<i64: 64, 256, 32>} : tensor<128x64xf8E4M3FN>
// CHECK:         {fsm.mma = array<i64: 16, 8, 16>} : tensor<128x64xf8E4M3FN>
fsm.kernel @types() attributes {num_warps = 8 : i32} {
  %a0 = ub.poison : tensor<128x64xi8>
  %b0 = ub.poison : tensor<64x64xi8>
  %c0 = ub.poison : tensor<128x64xi32>
  %d0 = fsm.dot %a0, %b0, %c0 : tensor<128x64xi8>, tensor<64x64xi8> -> tensor<128x64xi32>
  %a1 = ub.poison : tensor<128x64xf32>
  %b1 = ub.poison : tensor<64x64xf32>
  %c1 = ub.poison : tensor<128x64xf32>
  %d1 = fsm.dot %a1, %b1, %c1 precision = tf32 : tensor<128x64xf32>, tensor<64x64xf32> -> tensor<128x64xf32>
  %a2 = ub.poison : tensor<128x64xf16>
  %b2 = ub.poison : tensor<64x64xf16>
  %c2 = ub.poison : tensor<128x64xf16>
  %d2 = fsm.dot %a2, %b2, %c2 : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf16>
  %a3 = ub.poison : tensor<128x64xf8E4M3FN>
  %b3 = ub.poison : tensor<64x256xf8E5M2>
  %c3 = ub.poison : tensor<128x256xf32>
  %d3 = fsm.dot %a3, %b3, %c3 accumulate = 64 : tensor<128x64xf8E4M3FN>, tensor<64x256xf8E5M2> -> tensor<128x256xf32>
  %d4 = fsm.dot %a3, %b3, %c3 accumulate = 128 : tensor<128x64xf8E4M3FN>, tensor<64x256xf8E5M2> -> tensor<128x256xf32>
  %d5 = fsm.dot %a3, %b3, %c3 : tensor<128x64xf8E4M3FN>, tensor<64x256xf8E5M2> -> tensor<128x256xf32>
  fsm.return
}

// Two warps, 32 rows, 8 columns a group, 48 products, and factors beyond 128 KiB.
// CHECK-LABEL: @not_two_warps
// CHECK-NOT:     array<i64: 64
fsm.kernel @not_two_warps() attributes {num_warps = 2 : i32} {
  %a = ub.poison : tensor<64x32xf16>
  %b = ub.poison : tensor<32x32xf16>
  %c = ub.poison : tensor<64x32xf32>
  %d = fsm.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
  fsm.return
}

fsm.kernel @not_these() attributes {num_warps = 8 : i32} {
  %a0 = ub.poison : tensor<32x32xf16>
  %b0 = ub.poison : tensor<32x32xf16>
  %c0 = ub.poison : tensor<32x32xf32>
  %d0 = fsm.dot %a0, %b0, %c0 : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %a1 = ub.poison : tensor<64x32xf16>
  %b1 = ub.poison : tensor<32x16xf16>
  %c1 = ub.poison : tensor<64x16xf32>
  %d1 = fsm.dot %a1, %b1, %c1 : tensor<64x32xf16>, tensor<32x16xf16> -> tensor<64x16xf32>
  %a2 = ub.poison : tensor<128x48xf16>
  %b2 = ub.poison : tensor<48x64xf16>
  %c2 = ub.poison : tensor<128x64xf32>
  %d2 = fsm.dot %a2, %b2, %c2 : tensor<128x48xf16>, tensor<48x64xf16> -> tensor<128x64xf32>
  %a3 = ub.poison : tensor<128x1024xf16>
  %b3 = ub.poison : tensor<1024x64xf16>
  %c3 = ub.poison : tensor<128x64xf32>
  %d3 = fsm.dot %a3, %b3, %c3 : tensor<128x1024xf16>, tensor<1024x64xf16> -> tensor<128x64xf32>
  fsm.return
}
