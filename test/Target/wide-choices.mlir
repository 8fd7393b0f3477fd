// What is rounded in pairs is chosen in front of that (decision 176).

// RUN: %fsm_run %s --device=sim --grid=1 --num-warps=1 --arg=f16[64] --arg=f32[64]:randn:1 --arg=i32[64]:uniform:2 --compare=interp
// RUN: %fsm_run %s --device=sim --grid=1 --num-warps=1 --arg=f16[64] --arg=f32[64] --arg=i32[64] --target=sm_90a --emit=ptx | FileCheck %s

// CHECK-COUNT-2: selp.f32
// CHECK:         cvt.rn.f16x2.f32
// CHECK-NOT:     selp.b16
fsm.kernel @chosen(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f32>, %words: !fsm.ptr<i32>) {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%i] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %w = fsm.load %words[%i] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %limit = arith.constant dense<1000000000> : tensor<64xi32>
  %keep = arith.cmpi ult, %w, %limit : tensor<64xi32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %y = arith.select %keep, %x, %one : tensor<64xi1>, tensor<64xf32>
  %z = arith.truncf %y : tensor<64xf32> to tensor<64xf16>
  fsm.store %z, %out[%i] : tensor<64xf16>, !fsm.ptr<f16>, tensor<64xi32>
  fsm.return
}
