// Masks that end at a multiple of 2, 4 or 8 that is none of the next power of two: what they choose of blocks whose neighbours
// one thread has, more of them than the mask is the same for, and what they load and store.
//
// RUN: %fsm_run %s --kernel=chosen -D T=i32 -D D=2 --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i32[1024] --arg=i32[1024]:full:7 --arg=125
// RUN: %fsm_run %s --kernel=accessed -D T=i32 -D D=2 --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i32[1024] --arg=i32[1024]:full:7 --arg=125
// RUN: %fsm_run %s --kernel=chosen -D T=i32 -D D=2 --device=cpu --compare=interp --grid=1 --arg=i32[1024] --arg=i32[1024]:full:7 --arg=125
// RUN: %fsm_run %s --kernel=accessed -D T=i32 -D D=2 --device=cpu --compare=interp --grid=1 --arg=i32[1024] --arg=i32[1024]:full:7 --arg=125
// RUN: %fsm_run %s --kernel=chosen -D T=i16 -D D=4 --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i16[1024] --arg=i16[1024]:full:7 --arg=125
// RUN: %fsm_run %s --kernel=accessed -D T=i16 -D D=4 --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i16[1024] --arg=i16[1024]:full:7 --arg=125
// RUN: %fsm_run %s --kernel=chosen -D T=i16 -D D=2 --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i16[1024] --arg=i16[1024]:full:7 --arg=251
// RUN: %fsm_run %s --kernel=chosen -D T=i8 -D D=8 --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i8[1024] --arg=i8[1024]:full:7 --arg=125
// RUN: %fsm_run %s --kernel=accessed -D T=i8 -D D=8 --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i8[1024] --arg=i8[1024]:full:7 --arg=125
// RUN: %fsm_run %s --kernel=chosen -D T=i8 -D D=4 --device=sim --num-warps=2 --compare=interp --grid=1 --arg=i8[1024] --arg=i8[1024]:full:7 --arg=251
// RUN: %fsm_run %s --kernel=chosen -D T=i8 -D D=8 --device=cpu --compare=interp --grid=1 --arg=i8[1024] --arg=i8[1024]:full:7 --arg=125
// RUN: %fsm_run %s --kernel=accessed -D T=i8 -D D=8 --device=cpu --compare=interp --grid=1 --arg=i8[1024] --arg=i8[1024]:full:7 --arg=125
//
// param T = i32
// param D = 2

fsm.kernel @chosen(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %n: i32) {
  %at = fsm.range 0, 1024 : tensor<1024xi32>
  %divisor = arith.constant ${D} : i32
  %end = arith.muli %n, %divisor overflow<nsw> : i32
  %ends = fsm.splat %end : tensor<1024xi32>
  %before = arith.cmpi slt, %at, %ends : tensor<1024xi32>
  %x = fsm.load %in[%at] : !fsm.ptr<${T}>, tensor<1024xi32> -> tensor<1024x${T}>
  %one = arith.constant dense<1> : tensor<1024x${T}>
  %chosen = arith.select %before, %x, %one : tensor<1024xi1>, tensor<1024x${T}>
  fsm.store %chosen, %out[%at] : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.return
}

fsm.kernel @accessed(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %n: i32) {
  %at = fsm.range 0, 1024 : tensor<1024xi32>
  %divisor = arith.constant ${D} : i32
  %end = arith.muli %n, %divisor overflow<nsw> : i32
  %ends = fsm.splat %end : tensor<1024xi32>
  %before = arith.cmpi slt, %at, %ends : tensor<1024xi32>
  %behind = arith.cmpi sle, %ends, %at : tensor<1024xi32>
  %one = arith.constant 1 : ${T}
  %x = fsm.load %in[%at], %before, %one : !fsm.ptr<${T}>, tensor<1024xi32> -> tensor<1024x${T}>
  %sum = arith.addi %x, %x : tensor<1024x${T}>
  fsm.store %x, %out[%at], %before : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.store %sum, %out[%at], %behind : tensor<1024x${T}>, !fsm.ptr<${T}>, tensor<1024xi32>
  fsm.return
}
