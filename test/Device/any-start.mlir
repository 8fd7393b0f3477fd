// Vectors that begin 0 to 7 elements behind a whole one, of eight, four and two elements: each element comes from its place, and the
// last program reads the array's last one and nothing behind it.
//
// RUN: %fsm_run %s --kernel=eight --device=sim --grid=8 --arg='f16[8x512]' --arg='f16[519]:randn:1' --compare=interp
// RUN: %fsm_run %s --kernel=four --device=sim --grid=8 --arg='bf16[8x256]' --arg='bf16[259]:randn:1' --compare=interp
// RUN: %fsm_run %s --kernel=masked --device=sim --grid=8 --arg='f16[8x512]' --arg='f16[500]:randn:1' --arg=500 --compare=interp

fsm.kernel @eight(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>) attributes {num_warps = 1 : i32} {
  %p = fsm.program_id x : i32
  %r = fsm.range 0, 512 : tensor<512xi32>
  %from = fsm.offset %in, %p : !fsm.ptr<f16>, i32
  %x = fsm.load %from[%r] {fsm.any_start, fsm.follows} : !fsm.ptr<f16>, tensor<512xi32> -> tensor<512xf16>
  %extent = arith.constant 512 : i32
  %begin = arith.muli %p, %extent : i32
  %to = fsm.offset %out, %begin : !fsm.ptr<f16>, i32
  fsm.store %x, %to[%r] : tensor<512xf16>, !fsm.ptr<f16>, tensor<512xi32>
  fsm.return
}

// Programs 4 to 7 begin where 0 to 3 do.
fsm.kernel @four(%out: !fsm.ptr<bf16>, %in: !fsm.ptr<bf16>) attributes {num_warps = 2 : i32} {
  %p = fsm.program_id x : i32
  %r = fsm.range 0, 256 : tensor<256xi32>
  %three = arith.constant 3 : i32
  %begin_in = arith.andi %p, %three : i32
  %from = fsm.offset %in, %begin_in : !fsm.ptr<bf16>, i32
  %x = fsm.load %from[%r] {fsm.any_start, fsm.follows} : !fsm.ptr<bf16>, tensor<256xi32> -> tensor<256xbf16>
  %extent = arith.constant 256 : i32
  %begin = arith.muli %p, %extent : i32
  %to = fsm.offset %out, %begin : !fsm.ptr<bf16>, i32
  fsm.store %x, %to[%r] : tensor<256xbf16>, !fsm.ptr<bf16>, tensor<256xi32>
  fsm.return
}

// What a mask leaves out in whole vectors is not read: those that begin in front of a multiple of eight that all programs have.
fsm.kernel @masked(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 1 : i32} {
  %p = fsm.program_id x : i32
  %r = fsm.range 0, 512 : tensor<512xi32>
  %left = arith.subi %n, %p : i32
  %whole = arith.constant -8 : i32
  %count = arith.andi %left, %whole : i32
  %counts = fsm.splat %count : tensor<512xi32>
  %mask = arith.cmpi slt, %r, %counts : tensor<512xi32>
  %other = arith.constant 7.0 : f16
  %from = fsm.offset %in, %p : !fsm.ptr<f16>, i32
  %x = fsm.load %from[%r], %mask, %other {fsm.any_start, fsm.follows} : !fsm.ptr<f16>, tensor<512xi32> -> tensor<512xf16>
  %extent = arith.constant 512 : i32
  %begin = arith.muli %p, %extent : i32
  %to = fsm.offset %out, %begin : !fsm.ptr<f16>, i32
  fsm.store %x, %to[%r] : tensor<512xf16>, !fsm.ptr<f16>, tensor<512xi32>
  fsm.return
}
