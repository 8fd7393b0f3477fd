// What is rounded to 16 bits, or a number in its place, on either side of a choice: zeros of both signs, a number that only 16 bits
// round, the least and infinity. A GPU chooses in front of the rounding (docs/decisions/0176-words-compared-with-a-limit.md).
//
// RUN: %fsm_run %s --device=sim -D T=f16 --grid=1 --arg='f16[512]' --arg=f32[64]:randn:1 --arg=i32[64]:arange --compare=interp
// RUN: %fsm_run %s --device=cpu -D T=f16 --grid=1 --arg='f16[512]' --arg=f32[64]:randn:1 --arg=i32[64]:arange --compare=interp
// RUN: %fsm_run %s --device=sim -D T=bf16 --grid=1 --arg='bf16[512]' --arg=f32[64]:randn:1 --arg=i32[64]:arange --compare=interp
// RUN: %fsm_run %s --device=cpu -D T=bf16 --grid=1 --arg='bf16[512]' --arg=f32[64]:randn:1 --arg=i32[64]:arange --compare=interp

// param T = f16
fsm.kernel @chosen(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<f32>, %words: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%i] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %w = fsm.load %words[%i] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %three = arith.constant dense<3> : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  %bits = arith.andi %w, %three : tensor<64xi32>
  %is = arith.cmpi eq, %bits, %zero : tensor<64xi32>
  %f0 = arith.constant dense<1.0> : tensor<64xf32>
  %x0 = arith.mulf %x, %f0 : tensor<64xf32>
  %half0 = arith.truncf %x0 : tensor<64xf32> to tensor<64x${T}>
  %f1 = arith.constant dense<1.125> : tensor<64xf32>
  %x1 = arith.mulf %x, %f1 : tensor<64xf32>
  %half1 = arith.truncf %x1 : tensor<64xf32> to tensor<64x${T}>
  %f2 = arith.constant dense<1.25> : tensor<64xf32>
  %x2 = arith.mulf %x, %f2 : tensor<64xf32>
  %half2 = arith.truncf %x2 : tensor<64xf32> to tensor<64x${T}>
  %f3 = arith.constant dense<1.375> : tensor<64xf32>
  %x3 = arith.mulf %x, %f3 : tensor<64xf32>
  %half3 = arith.truncf %x3 : tensor<64xf32> to tensor<64x${T}>
  %f4 = arith.constant dense<1.5> : tensor<64xf32>
  %x4 = arith.mulf %x, %f4 : tensor<64xf32>
  %half4 = arith.truncf %x4 : tensor<64xf32> to tensor<64x${T}>
  %f5 = arith.constant dense<1.625> : tensor<64xf32>
  %x5 = arith.mulf %x, %f5 : tensor<64xf32>
  %half5 = arith.truncf %x5 : tensor<64xf32> to tensor<64x${T}>
  %f6 = arith.constant dense<1.75> : tensor<64xf32>
  %x6 = arith.mulf %x, %f6 : tensor<64xf32>
  %half6 = arith.truncf %x6 : tensor<64xf32> to tensor<64x${T}>
  %f7 = arith.constant dense<1.875> : tensor<64xf32>
  %x7 = arith.mulf %x, %f7 : tensor<64xf32>
  %half7 = arith.truncf %x7 : tensor<64xf32> to tensor<64x${T}>
  %a = arith.constant dense<0.0> : tensor<64x${T}>
  %b = arith.constant dense<-0.0> : tensor<64x${T}>
  %c = arith.constant dense<0.1> : tensor<64x${T}>
  %d = arith.constant dense<0x0001> : tensor<64x${T}>
  %0 = arith.select %is, %half0, %a : tensor<64xi1>, tensor<64x${T}>
  %1 = arith.select %is, %a, %half1 : tensor<64xi1>, tensor<64x${T}>
  %2 = arith.select %is, %half2, %b : tensor<64xi1>, tensor<64x${T}>
  %3 = arith.select %is, %b, %half3 : tensor<64xi1>, tensor<64x${T}>
  %4 = arith.select %is, %half4, %c : tensor<64xi1>, tensor<64x${T}>
  %5 = arith.select %is, %c, %half5 : tensor<64xi1>, tensor<64x${T}>
  %6 = arith.select %is, %half6, %d : tensor<64xi1>, tensor<64x${T}>
  %7 = arith.select %is, %d, %half7 : tensor<64xi1>, tensor<64x${T}>
  %row0 = arith.constant 0 : i32
  %to0 = fsm.offset %out, %row0 : !fsm.ptr<${T}>, i32
  fsm.store %0, %to0[%i] : tensor<64x${T}>, !fsm.ptr<${T}>, tensor<64xi32>
  %row1 = arith.constant 64 : i32
  %to1 = fsm.offset %out, %row1 : !fsm.ptr<${T}>, i32
  fsm.store %1, %to1[%i] : tensor<64x${T}>, !fsm.ptr<${T}>, tensor<64xi32>
  %row2 = arith.constant 128 : i32
  %to2 = fsm.offset %out, %row2 : !fsm.ptr<${T}>, i32
  fsm.store %2, %to2[%i] : tensor<64x${T}>, !fsm.ptr<${T}>, tensor<64xi32>
  %row3 = arith.constant 192 : i32
  %to3 = fsm.offset %out, %row3 : !fsm.ptr<${T}>, i32
  fsm.store %3, %to3[%i] : tensor<64x${T}>, !fsm.ptr<${T}>, tensor<64xi32>
  %row4 = arith.constant 256 : i32
  %to4 = fsm.offset %out, %row4 : !fsm.ptr<${T}>, i32
  fsm.store %4, %to4[%i] : tensor<64x${T}>, !fsm.ptr<${T}>, tensor<64xi32>
  %row5 = arith.constant 320 : i32
  %to5 = fsm.offset %out, %row5 : !fsm.ptr<${T}>, i32
  fsm.store %5, %to5[%i] : tensor<64x${T}>, !fsm.ptr<${T}>, tensor<64xi32>
  %row6 = arith.constant 384 : i32
  %to6 = fsm.offset %out, %row6 : !fsm.ptr<${T}>, i32
  fsm.store %6, %to6[%i] : tensor<64x${T}>, !fsm.ptr<${T}>, tensor<64xi32>
  %row7 = arith.constant 448 : i32
  %to7 = fsm.offset %out, %row7 : !fsm.ptr<${T}>, i32
  fsm.store %7, %to7[%i] : tensor<64x${T}>, !fsm.ptr<${T}>, tensor<64xi32>
  fsm.return
}
