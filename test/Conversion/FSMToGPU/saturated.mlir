// f32 becomes an integer by the instruction that saturates, four bytes in two of a word; f8 is widened in pairs where a GPU has the instruction.

// RUN: %fsm_opt %s --convert-fsm-to-gpu=target=sm_89 | FileCheck %s --check-prefixes=CHECK,F8
// RUN: %fsm_opt %s --convert-fsm-to-gpu=target=sm_80 | FileCheck %s --check-prefixes=CHECK,NONE

#w = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>

// The two that are missing are zeros, and nobody asks for them.
// CHECK-LABEL: gpu.func @bytes
// CHECK:         %[[X:.*]]:2 = vector.to_elements %{{.*}} : vector<2xf32>
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         llvm.inline_asm {{.*}}cvt.rzi.s32.f32 a, $1;{{.*}}cvt.pack.sat.s8.s32.b32 c, d, c, 0; cvt.pack.sat.s8.s32.b32 $0, b, a, c;{{.*}} %[[X]]#0, %[[X]]#1, %[[ZERO]], %[[ZERO]] : (f32, f32, f32, f32) -> i32
// CHECK:         vector.bitcast %{{.*}} : vector<1xi32> to vector<4xi8>
// CHECK:         vector.extract_strided_slice
// CHECK:         cvt.pack.sat.u8.s32.b32
fsm.kernel @bytes(%p: !fsm.ptr<i8>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %x = arith.sitofp %o : tensor<64xi32, #w> to tensor<64xf32, #w>
  %y = arith.fptosi %x : tensor<64xf32, #w> to tensor<64xi8, #w>
  %z = arith.fptoui %x : tensor<64xf32, #w> to tensor<64xi8, #w>
  fsm.store %y, %p[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<64xi8, #w>, !fsm.ptr<i8>, tensor<64xi32, #w>
  fsm.store %z, %p[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<64xi8, #w>, !fsm.ptr<i8>, tensor<64xi32, #w>
  fsm.return
}

// Of 64 bits, and of f64, NaN would be something else.
// CHECK-LABEL: gpu.func @others
// CHECK:         llvm.inline_asm {{.*}}cvt.rzi.u16.f32 $0, $1;
// CHECK:         llvm.inline_asm {{.*}}cvt.rzi.s8.f32 $0, $1;
// CHECK:         llvm.call_intrinsic "llvm.nvvm.f2i.rz"
// CHECK:         arith.fptosi %{{.*}} : f32 to i64
// CHECK:         arith.cmpf uno
// CHECK:         arith.fptosi %{{.*}} : f64 to i8
fsm.kernel @others(%p: !fsm.ptr<i16>, %q: !fsm.ptr<i8>, %r: !fsm.ptr<i32>, %s: !fsm.ptr<i64>, %x: f32, %y: f64) attributes {num_warps = 1 : i32} {
  %a = arith.fptoui %x : f32 to i16
  %b = arith.fptosi %x : f32 to i8
  %c = arith.fptosi %x : f32 to i32
  %d = arith.fptosi %x : f32 to i64
  %e = arith.fptosi %y : f64 to i8
  fsm.store %a, %p : i16, !fsm.ptr<i16>
  fsm.store %b, %q : i8, !fsm.ptr<i8>
  fsm.store %c, %r : i32, !fsm.ptr<i32>
  fsm.store %d, %s : i64, !fsm.ptr<i64>
  fsm.store %e, %q : i8, !fsm.ptr<i8>
  fsm.return
}

// CHECK-LABEL: gpu.func @wider
// F8:            llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"
// F8:            llvm.call_intrinsic "llvm.nvvm.e5m2x2.to.f16x2.rn"
// F8:            arith.extf %{{.*}} : vector<2xf16> to vector<2xf32>
// NONE-NOT:      x2.to.f16x2
fsm.kernel @wider(%p: !fsm.ptr<f16>, %q: !fsm.ptr<f32>, %e: !fsm.ptr<f8E4M3FN>, %f: !fsm.ptr<f8E5M2>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #w>
  %x = fsm.load %e[%o] {fsm.access_width = 2 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f8E4M3FN>, tensor<64xi32, #w> -> tensor<64xf8E4M3FN, #w>
  %y = fsm.load %f[%o] {fsm.access_width = 2 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f8E5M2>, tensor<64xi32, #w> -> tensor<64xf8E5M2, #w>
  %a = fsm.convert %x rounding = nearest_even : tensor<64xf8E4M3FN, #w> -> tensor<64xf16, #w>
  %b = fsm.convert %y rounding = nearest_even : tensor<64xf8E5M2, #w> -> tensor<64xf32, #w>
  fsm.store %a, %p[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<64xf16, #w>, !fsm.ptr<f16>, tensor<64xi32, #w>
  fsm.store %b, %q[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<64xf32, #w>, !fsm.ptr<f32>, tensor<64xi32, #w>
  fsm.return
}
