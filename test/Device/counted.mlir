// Histograms where threads count in shared memory: of rows, in a loop whose rounds take the same memory, in a branch, of numbers that
// several threads hold, of bytes with as many bins as they have values, and on ctas that each hold a part, which compare instead.
//
// RUN: %fsm_run %s --kernel=rounds --device=cpu --compare=interp --grid=2 --arg=i32[2x40] --arg='i32[2x5x700]:arange' --arg=5
// RUN: %fsm_run %s --kernel=rounds --device=sim --num-warps=1 --compare=interp --grid=2 --arg=i32[2x40] --arg='i32[2x5x700]:arange' --arg=5
// RUN: %fsm_run %s --kernel=rounds --device=sim --num-warps=8 --compare=interp --grid=2 --arg=i32[2x40] --arg='i32[2x5x700]:arange' --arg=5
// RUN: %fsm_run %s --kernel=rounds --device=sim --num-warps=4 --num-ctas=2 --target=sm_90a --compare=interp --grid=2 --arg=i32[2x40] --arg='i32[2x5x700]:arange' --arg=5
// RUN: %fsm_run %s --kernel=held_twice --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i32[256] --arg='i8[9x3]:arange' --arg=1
// RUN: %fsm_run %s --kernel=held_twice --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i32[256] --arg='i8[9x3]:arange' --arg=0

fsm.kernel @rounds(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32) {
  %p = fsm.program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 700 : i32
  %bins = arith.constant 40 : i32
  %factor = arith.constant dense<40503> : tensor<700xi32>
  %digits = arith.constant dense<7> : tensor<700xi32>
  %mask = arith.constant dense<63> : tensor<700xi32>
  %none = arith.constant dense<0> : tensor<40xi32>
  %along = fsm.range 0, 700 : tensor<700xi32>
  %first = arith.muli %p, %n : i32
  %sum = scf.for %i = %zero to %n step %one iter_args(%before = %none) -> tensor<40xi32> : i32 {
    %row = arith.addi %first, %i : i32
    %begin = arith.muli %row, %size : i32
    %begins = fsm.splat %begin : tensor<700xi32>
    %at = arith.addi %begins, %along : tensor<700xi32>
    %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<700xi32> -> tensor<700xi32>
    %mixed = arith.muli %x, %factor : tensor<700xi32>
    %high = arith.shrui %mixed, %digits : tensor<700xi32>
    %number = arith.andi %high, %mask : tensor<700xi32>
    %counts = fsm.histogram %number : tensor<700xi32> -> tensor<40xi32>
    %after = arith.addi %before, %counts : tensor<40xi32>
    scf.yield %after : tensor<40xi32>
  }
  %place = arith.muli %p, %bins : i32
  %places = fsm.splat %place : tensor<40xi32>
  %which = fsm.range 0, 40 : tensor<40xi32>
  %to = arith.addi %places, %which : tensor<40xi32>
  fsm.store %sum, %out[%to] : tensor<40xi32>, !fsm.ptr<i32>, tensor<40xi32>
  fsm.return
}

fsm.kernel @held_twice(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i8>, %n: i32) {
  %zero8 = arith.constant 0 : i8
  %at, %inside = fsm.places strides [3, 1] bounds [8, 3] : tensor<9x3xi32>
  %x = fsm.load %in[%at], %inside, %zero8 : !fsm.ptr<i8>, tensor<9x3xi32> -> tensor<9x3xi8>
  %low = arith.constant dense<-121> : tensor<9x3xi8>
  %which = fsm.range 0, 256 : tensor<256xi32>
  %none = arith.constant dense<0> : tensor<256xi32>
  %zero = arith.constant 0 : i32
  %isAny = arith.cmpi ne, %n, %zero : i32
  %counts = scf.if %isAny -> tensor<256xi32> {
    %number = arith.andi %x, %low : tensor<9x3xi8>
    %found = fsm.histogram %number : tensor<9x3xi8> -> tensor<256xi32>
    scf.yield %found : tensor<256xi32>
  } else {
    scf.yield %none : tensor<256xi32>
  }
  fsm.store %counts, %out[%which] : tensor<256xi32>, !fsm.ptr<i32>, tensor<256xi32>
  fsm.return
}
