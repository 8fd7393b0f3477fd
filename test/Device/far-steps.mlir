// Rows that are counted down from behind those that the mask has: 4 times what is masked off, or times the stride, wraps in 32 bits,
// and what is not masked off does not. No address is made of one that wraps.

// RUN: %fsm_run %s --kernel=constant --device=cpu --guard=end --compare=interp --grid=1 --arg=i8[1024] --arg=i8[1024]:arange --arg=536870920 --arg=536870912 --arg=-2147482624
// RUN: %fsm_run %s --kernel=constant --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i8[1024] --arg=i8[1024]:arange --arg=536870920 --arg=536870912 --arg=-2147482624
// RUN: %fsm_run %s --kernel=strided --device=cpu --guard=end --compare=interp --grid=1 --arg=f32[128] --arg=f32[128x64]:arange --arg=33554436 --arg=33554432 --arg=64 --arg=64 --arg=-2147475456
// RUN: %fsm_run %s --kernel=strided --device=sim --num-warps=1 --compare=interp --grid=1 --arg=f32[128] --arg=f32[128x64]:arange --arg=33554436 --arg=33554432 --arg=64 --arg=64 --arg=-2147475456

// Rows counted up from below the first one that the mask has: a vector of the host has both.
// RUN: %fsm_run %s --kernel=below --device=cpu --guard=begin --compare=interp --grid=1 --arg=i32[256] --arg=i32[256]:arange --arg=-536870914 --arg=-536870913 --arg=2147483648
// RUN: %fsm_run %s --kernel=below --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i32[256] --arg=i32[256]:arange --arg=-536870914 --arg=-536870913 --arg=2147483648

fsm.kernel @constant(%out: !fsm.ptr<i8>, %in: !fsm.ptr<i8>, %last: i32, %n: i32, %shift: i64) {
  %from = fsm.offset %in, %shift : !fsm.ptr<i8>, i64
  %to = fsm.offset %out, %shift : !fsm.ptr<i8>, i64
  %at = fsm.splat %last : tensor<256xi32>
  %r = fsm.range 0, 256 : tensor<256xi32>
  %count = arith.subi %at, %r overflow<nsw> : tensor<256xi32>
  %four = arith.constant dense<4> : tensor<256xi32>
  %firsts = arith.muli %count, %four overflow<nsw> : tensor<256xi32>
  %column = fsm.expand_dims %firsts axis 1 : tensor<256xi32> -> tensor<256x1xi32>
  %all = fsm.broadcast %column : tensor<256x1xi32> -> tensor<256x4xi32>
  %place = fsm.range 0, 4 : tensor<4xi32>
  %line = fsm.expand_dims %place axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %places = fsm.broadcast %line : tensor<1x4xi32> -> tensor<256x4xi32>
  %o = arith.addi %all, %places overflow<nsw> : tensor<256x4xi32>
  %ns = fsm.splat %n : tensor<256xi32>
  %m = arith.cmpi slt, %count, %ns : tensor<256xi32>
  %mc = fsm.expand_dims %m axis 1 : tensor<256xi1> -> tensor<256x1xi1>
  %mask = fsm.broadcast %mc : tensor<256x1xi1> -> tensor<256x4xi1>
  %x = fsm.load %from[%o], %mask : !fsm.ptr<i8>, tensor<256x4xi32> -> tensor<256x4xi8>
  fsm.store %x, %to[%o], %mask : tensor<256x4xi8>, !fsm.ptr<i8>, tensor<256x4xi32>
  fsm.return
}

fsm.kernel @strided(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %last: i32, %n: i32, %stride: i32, %k: i32, %shift: i64) {
  %from = fsm.offset %in, %shift : !fsm.ptr<f32>, i64
  %at = fsm.splat %last : tensor<128xi32>
  %r = fsm.range 0, 128 : tensor<128xi32>
  %count = arith.subi %at, %r overflow<nsw> : tensor<128xi32>
  %column = fsm.expand_dims %count axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %counts = fsm.broadcast %column : tensor<128x1xi32> -> tensor<128x16xi32>
  %s = fsm.splat %stride : tensor<128x16xi32>
  %all = arith.muli %counts, %s overflow<nsw> : tensor<128x16xi32>
  %place = fsm.range 0, 16 : tensor<16xi32>
  %line = fsm.expand_dims %place axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %places = fsm.broadcast %line : tensor<1x16xi32> -> tensor<128x16xi32>
  %o = arith.addi %all, %places overflow<nsw> : tensor<128x16xi32>
  %ns = fsm.splat %n : tensor<128xi32>
  %m = arith.cmpi slt, %count, %ns : tensor<128xi32>
  %mc = fsm.expand_dims %m axis 1 : tensor<128xi1> -> tensor<128x1xi1>
  %mask = fsm.broadcast %mc : tensor<128x1xi1> -> tensor<128x16xi1>
  %zero = arith.constant dense<0.0> : tensor<128x16xf32>
  %nothing = arith.constant 0.0 : f32
  %begin = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  %sum = scf.for %i = %begin to %k step %step iter_args(%acc = %zero) -> (tensor<128x16xf32>) : i32 {
    %is = fsm.splat %i : tensor<128x16xi32>
    %oi = arith.addi %o, %is overflow<nsw> : tensor<128x16xi32>
    %x = fsm.load %from[%oi], %mask, %nothing : !fsm.ptr<f32>, tensor<128x16xi32> -> tensor<128x16xf32>
    %next = arith.addf %acc, %x : tensor<128x16xf32>
    scf.yield %next : tensor<128x16xf32>
  } {fsm.num_stages = 3 : i32}
  %rows = fsm.reduce <sum> %sum axis 1 : tensor<128x16xf32> -> tensor<128xf32>
  fsm.store %rows, %out[%r] : tensor<128xf32>, !fsm.ptr<f32>, tensor<128xi32>
  fsm.return
}

fsm.kernel @below(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %first: i32, %n: i32, %shift: i64) {
  %from = fsm.offset %in, %shift : !fsm.ptr<i32>, i64
  %at = fsm.splat %first : tensor<64xi32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  %count = arith.addi %at, %r overflow<nsw> : tensor<64xi32>
  %four = arith.constant dense<4> : tensor<64xi32>
  %firsts = arith.muli %count, %four overflow<nsw> : tensor<64xi32>
  %column = fsm.expand_dims %firsts axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %all = fsm.broadcast %column : tensor<64x1xi32> -> tensor<64x4xi32>
  %place = fsm.range 0, 4 : tensor<4xi32>
  %line = fsm.expand_dims %place axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %places = fsm.broadcast %line : tensor<1x4xi32> -> tensor<64x4xi32>
  %o = arith.addi %all, %places overflow<nsw> : tensor<64x4xi32>
  %ns = fsm.splat %n : tensor<64xi32>
  %m = arith.cmpi sgt, %count, %ns : tensor<64xi32>
  %mc = fsm.expand_dims %m axis 1 : tensor<64xi1> -> tensor<64x1xi1>
  %mask = fsm.broadcast %mc : tensor<64x1xi1> -> tensor<64x4xi1>
  %z = arith.constant 7 : i32
  %x = fsm.load %from[%o], %mask, %z : !fsm.ptr<i32>, tensor<64x4xi32> -> tensor<64x4xi32>
  %k = arith.constant dense<4> : tensor<64xi32>
  %rk = arith.muli %r, %k overflow<nsw> : tensor<64xi32>
  %re = fsm.expand_dims %rk axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rb = fsm.broadcast %re : tensor<64x1xi32> -> tensor<64x4xi32>
  %p = arith.addi %rb, %places overflow<nsw> : tensor<64x4xi32>
  fsm.store %x, %out[%p] : tensor<64x4xi32>, !fsm.ptr<i32>, tensor<64x4xi32>
  fsm.return
}
