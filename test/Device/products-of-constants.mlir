// A factor in registers of which a mask leaves some out in all threads: constants, in registers before the fence.

// RUN: %fsm_run %s --device=sim --target=sm_90a --compare=interp --grid=1 --arg='f16[64x64]:uniform:1' --arg='f16[64x64]:uniform:2' --arg='f16[64x64]:uniform:3' --arg='f32[64x64]'
// RUN: %fsm_run %s --target=sm_90a --emit=ptx | FileCheck %s
// CHECK:     mov.b32 %r{{[0-9]+}}, 0;
// CHECK:     wgmma.fence
// CHECK-NOT: mov.b32 %r{{[0-9]+}}, 0;
// CHECK:     wgmma.mma_async{{.*}}, {%r

// Attention without its softmax, from the diagonal on.
fsm.kernel @triangle(%q: !fsm.ptr<f16> {fsm.align = 16 : i32}, %k: !fsm.ptr<f16> {fsm.align = 16 : i32}, %v: !fsm.ptr<f16> {fsm.align = 16 : i32}, %out: !fsm.ptr<f32> {fsm.align = 16 : i32}) attributes {num_warps = 4 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %at = fsm.places strides [64, 1] : tensor<64x64xi32>
  %n = fsm.range 0, 64 : tensor<64xi32>
  %down = fsm.expand_dims %n axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %along = fsm.expand_dims %n axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %row = fsm.broadcast %down : tensor<64x1xi32> -> tensor<64x64xi32>
  %column = fsm.broadcast %along : tensor<1x64xi32> -> tensor<64x64xi32>
  %kept = arith.cmpi sle, %row, %column : tensor<64x64xi32>
  %x = fsm.load %q[%at] : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
  %y = fsm.load %k[%at] : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
  %z = fsm.load %v[%at] : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
  %s = fsm.dot %x, %y, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %cut = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  %a = arith.select %kept, %cut, %none : tensor<64x64xi1>, tensor<64x64xf16>
  %d = fsm.dot %a, %z, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  fsm.store %d, %out[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}
