// Quotients and remainders of integers that a vector of the host has no instruction for: of 8 bits all, of 16 and 32 those next to
// a multiple, where a quotient of floats would be on the wrong side of an integer if it had a bit too few.
//
// RUN: %python %S/Inputs/quotients.py %t
// RUN: %fsm_run %s -D T=i8 --device=cpu --grid=64 --arg=out=i8[7x65536] --arg=a=@%t.a8.npy --arg=b=@%t.b8.npy --check=out:%t.out8.npy
// RUN: %fsm_run %s -D T=i16 --device=cpu --grid=64 --arg=out=i16[7x65536] --arg=a=@%t.a16.npy --arg=b=@%t.b16.npy --check=out:%t.out16.npy
// RUN: %fsm_run %s -D T=i32 --device=cpu --grid=64 --arg=out=i32[7x65536] --arg=a=@%t.a32.npy --arg=b=@%t.b32.npy --check=out:%t.out32.npy
// RUN: %fsm_run %s -D T=i64 --device=cpu --grid=64 --arg=out=i64[7x65536] --arg=a=@%t.a64.npy --arg=b=@%t.b64.npy --check=out:%t.out64.npy
// RUN: %fsm_run %s -D T=i32 --device=interp --grid=2 --arg=out=i32[7x65536] --arg=a=@%t.a32.npy --arg=b=@%t.b32.npy --compare=cpu

// param T = i32

fsm.kernel @quotients(%out: !fsm.ptr<${T}>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>) {
  %pid = fsm.program_id x : i32
  %extent = arith.constant 1024 : i32
  %count = arith.constant 65536 : i32
  %first = arith.muli %pid, %extent overflow<nsw> : i32
  %from_a = fsm.offset %a, %first : !fsm.ptr<${T}>, i32
  %from_b = fsm.offset %b, %first : !fsm.ptr<${T}>, i32
  %i = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %from_a[%i] : !fsm.ptr<${T}>, tensor<1024xi32> -> tensor<1024x${T}>
  %y = fsm.load %from_b[%i] : !fsm.ptr<${T}>, tensor<1024xi32> -> tensor<1024x${T}>
  %0 = arith.divsi %x, %y : tensor<1024x${T}>
  %1 = arith.remsi %x, %y : tensor<1024x${T}>
  %2 = arith.divui %x, %y : tensor<1024x${T}>
  %3 = arith.remui %x, %y : tensor<1024x${T}>
  %4 = arith.floordivsi %x, %y : tensor<1024x${T}>
  %5 = arith.ceildivsi %x, %y : tensor<1024x${T}>
  %6 = arith.ceildivui %x, %y : tensor<1024x${T}>
  %to0 = fsm.offset %out, %first : !fsm.ptr<${T}>, i32
  %to1 = fsm.offset %to0, %count : !fsm.ptr<${T}>, i32
  %to2 = fsm.offset %to1, %count : !fsm.ptr<${T}>, i32
  %to3 = fsm.offset %to2, %count : !fsm.ptr<${T}>, i32
  %to4 = fsm.offset %to3, %count : !fsm.ptr<${T}>, i32
  %to5 = fsm.offset %to4, %count : !fsm.ptr<${T}>, i32
  %to6 = fsm.offset %to5, %count : !fsm.ptr<${T}>, i32
  fsm.store %0, %to0[%i] : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.store %1, %to1[%i] : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.store %2, %to2[%i] : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.store %3, %to3[%i] : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.store %4, %to4[%i] : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.store %5, %to5[%i] : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.store %6, %to6[%i] : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.return
}
