// Sums of narrow integers that wrap in the midst of a block, as offsets: from 2147483611 on, the 37th element is at -2147483648,
// and the pointers are moved such that one half of the places is in the array and the other, masked off, far away. Sums of i8
// wrap there with both halves in the array. Loads and stores, of the number of a launch and of a loop's counter.
//
// RUN: %fsm_run %s --kernel=above --device=cpu --guard=begin --compare=interp --grid=1 --arg=i8[128] --arg=i8[37]:arange --arg=2147483611
// RUN: %fsm_run %s --kernel=above --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i8[128] --arg=i8[37]:arange --arg=2147483611 --no-specialize
// RUN: %fsm_run %s --kernel=above --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i8[128] --arg=i8[37]:arange --arg=2147483611
// RUN: %fsm_run %s --kernel=below --device=cpu --guard=begin --compare=interp --grid=1 --arg=i8[128] --arg=i8[91]:arange --arg=2147483611
// RUN: %fsm_run %s --kernel=below --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i8[128] --arg=i8[91]:arange --arg=2147483611 --no-specialize
// RUN: %fsm_run %s --kernel=below --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i8[128] --arg=i8[91]:arange --arg=2147483611
// RUN: %fsm_run %s --kernel=counted --device=cpu --guard=end --compare=interp --grid=1 --arg=i8[128]:arange --arg=i8[59] --arg=2147483579
// RUN: %fsm_run %s --kernel=counted --device=sim --num-warps=2 --compare=interp --grid=1 --arg=i8[128]:arange --arg=i8[59] --arg=2147483579
// RUN: %fsm_run %s --kernel=narrow --device=cpu --guard=end --compare=interp --grid=1 --arg=i16[256] --arg=i16[256] --arg=i16[256]:arange --arg=100
// RUN: %fsm_run %s --kernel=narrow --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i16[256] --arg=i16[256] --arg=i16[256]:arange --arg=100 --no-specialize
// RUN: %fsm_run %s --kernel=narrow --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i16[256] --arg=i16[256] --arg=i16[256]:arange --arg=3
// RUN: %python -c "import numpy; x = numpy.arange(128, dtype=numpy.int8) * numpy.int8(3); x[:126] *= 3; numpy.save(r'%t.npy', x)"
// RUN: %fsm_run %s --kernel=around --device=cpu --guard=end --grid=1 --arg=i8[128]:arange --arg=-2147483648 --arg=2147483647 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=around --device=sim --num-warps=1 --grid=1 --arg=i8[128]:arange --arg=-2147483648 --arg=2147483647 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=around --device=sim --num-warps=4 --grid=1 --arg=i8[128]:arange --arg=-2147483648 --arg=2147483647 --check=0:%t.npy
//
// Rows that a reshape cuts out of sums, some from the middle of 64 elements, of which the wrap is behind the first 64.
// RUN: %fsm_run %s --kernel=cut --device=cpu --guard=begin --compare=interp --grid=1 --arg=i8[240] --arg=i8[176]:arange --arg=2147483584
// RUN: %fsm_run %s --kernel=cut --device=sim --compare=interp --grid=1 --arg=i8[240] --arg=i8[176]:arange --arg=2147483584
//
// A row of a loop in stages, too large for anything but one copy of all, whose sums of i16 wrap in the midst.
// RUN: %fsm_run %s --kernel=staged --device=cpu --compare=interp --grid=1 --arg=i32[8192] --arg=i32[65792]:arange --arg=28672 --arg=3
// RUN: %fsm_run %s --kernel=staged --device=sim --target=sm_90a --compare=interp --grid=1 --arg=i32[8192] --arg=i32[65792]:arange --arg=28672 --arg=3
//
// Numbers of 64 bits of which the upper half says nothing: the lower one, of a launch and of a loop's counter, is the offset.
// RUN: %fsm_run %s --kernel=halves --device=cpu --guard=end --compare=interp --grid=1 --arg=i32[320] --arg=i32[320]:arange --arg=4294967360 --arg=-12884901888
// RUN: %fsm_run %s --kernel=halves --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i32[320] --arg=i32[320]:arange --arg=4294967360 --arg=-12884901888 --no-specialize
// RUN: %fsm_run %s --kernel=halves --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i32[320] --arg=i32[320]:arange --arg=8589934720 --arg=21474836480

// The part of the places in front of the wrap: 2147483611 + x is element x.
fsm.kernel @above(%out: !fsm.ptr<i8>, %in: !fsm.ptr<i8>, %n: i32) {
  %back = arith.constant -2147483611 : i64
  %p = fsm.offset %in, %back : !fsm.ptr<i8>, i64
  %at = fsm.range 0, 128 : tensor<128xi32>
  %ns = fsm.splat %n : tensor<128xi32>
  %places = arith.addi %at, %ns : tensor<128xi32>
  %zero = arith.constant dense<0> : tensor<128xi32>
  %mask = arith.cmpi sge, %places, %zero : tensor<128xi32>
  %x = fsm.load %p[%places], %mask : !fsm.ptr<i8>, tensor<128xi32> -> tensor<128xi8>
  fsm.store %x, %out[%at] : tensor<128xi8>, !fsm.ptr<i8>, tensor<128xi32>
  fsm.return
}

// The part behind it: -2147483648 is element 0.
fsm.kernel @below(%out: !fsm.ptr<i8>, %in: !fsm.ptr<i8>, %n: i32) {
  %far = arith.constant 2147483648 : i64
  %p = fsm.offset %in, %far : !fsm.ptr<i8>, i64
  %at = fsm.range 0, 128 : tensor<128xi32>
  %ns = fsm.splat %n : tensor<128xi32>
  %places = arith.addi %ns, %at : tensor<128xi32>
  %zero = arith.constant dense<0> : tensor<128xi32>
  %mask = arith.cmpi slt, %places, %zero : tensor<128xi32>
  %x = fsm.load %p[%places], %mask : !fsm.ptr<i8>, tensor<128xi32> -> tensor<128xi8>
  fsm.store %x, %out[%at] : tensor<128xi8>, !fsm.ptr<i8>, tensor<128xi32>
  fsm.return
}

// The same for stores, at 2147483579 + 0, 64 and 128 and on.
fsm.kernel @counted(%in: !fsm.ptr<i8>, %out: !fsm.ptr<i8>, %n: i32) {
  %far = arith.constant 2147483648 : i64
  %p = fsm.offset %out, %far : !fsm.ptr<i8>, i64
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %end = arith.constant 128 : i32
  %at = fsm.range 0, 64 : tensor<64xi32>
  %ns = fsm.splat %n : tensor<64xi32>
  %begins = arith.addi %ns, %at : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  scf.for %i = %none to %end step %step : i32 {
    %is = fsm.splat %i : tensor<64xi32>
    %places = arith.addi %begins, %is : tensor<64xi32>
    %mask = arith.cmpi slt, %places, %zero : tensor<64xi32>
    %from = fsm.offset %in, %i : !fsm.ptr<i8>, i32
    %x = fsm.load %from[%at] : !fsm.ptr<i8>, tensor<64xi32> -> tensor<64xi8>
    fsm.store %x, %p[%places], %mask : tensor<64xi8>, !fsm.ptr<i8>, tensor<64xi32>
  }
  fsm.return
}

// Places of i8, from -128 to 127 around the middle, turned by n.
fsm.kernel @narrow(%out: !fsm.ptr<i16>, %there: !fsm.ptr<i16>, %in: !fsm.ptr<i16>, %n: i32) {
  %half = arith.constant 128 : i32
  %p = fsm.offset %in, %half : !fsm.ptr<i16>, i32
  %q = fsm.offset %there, %half : !fsm.ptr<i16>, i32
  %at = fsm.range 0, 256 : tensor<256xi32>
  %narrow = arith.trunci %at : tensor<256xi32> to tensor<256xi8>
  %number = arith.trunci %n : i32 to i8
  %ns = fsm.splat %number : tensor<256xi8>
  %turned = arith.addi %narrow, %ns : tensor<256xi8>
  %places = arith.extsi %turned : tensor<256xi8> to tensor<256xi32>
  %x = fsm.load %p[%places] : !fsm.ptr<i16>, tensor<256xi32> -> tensor<256xi16>
  fsm.store %x, %out[%at] : tensor<256xi16>, !fsm.ptr<i16>, tensor<256xi32>
  fsm.store %x, %q[%places] : tensor<256xi16>, !fsm.ptr<i16>, tensor<256xi32>
  fsm.return
}

// A loop around all of i32, of which the first iteration's places come again in the third, two threads on.
fsm.kernel @around(%out: !fsm.ptr<i8>, %begin: i32, %end: i32) {
  %far = arith.constant 2147483648 : i64
  %p = fsm.offset %out, %far : !fsm.ptr<i8>, i64
  %step = arith.constant 2147483647 : i32
  %at = fsm.range 0, 128 : tensor<128xi32>
  %least = arith.constant dense<-1073741824> : tensor<128xi32>
  %three = arith.constant dense<3> : tensor<128xi8>
  scf.for %i = %begin to %end step %step : i32 {
    %is = fsm.splat %i : tensor<128xi32>
    %places = arith.addi %is, %at : tensor<128xi32>
    %mask = arith.cmpi slt, %places, %least : tensor<128xi32>
    %x = fsm.load %p[%places], %mask : !fsm.ptr<i8>, tensor<128xi32> -> tensor<128xi8>
    %y = arith.muli %x, %three : tensor<128xi8>
    fsm.store %y, %p[%places], %mask : tensor<128xi8>, !fsm.ptr<i8>, tensor<128xi32>
  }
  fsm.return
}

// -2147483648 is element 0, in twelve rows of 20.
fsm.kernel @cut(%out: !fsm.ptr<i8>, %in: !fsm.ptr<i8>, %n: i32 {fsm.divisible = 64 : i32}) {
  %far = arith.constant 2147483648 : i64
  %p = fsm.offset %in, %far : !fsm.ptr<i8>, i64
  %at = fsm.range 0, 240 : tensor<240xi32>
  %ns = fsm.splat %n : tensor<240xi32>
  %turned = arith.addi %at, %ns : tensor<240xi32>
  %places = fsm.reshape %turned : tensor<240xi32> -> tensor<12x20xi32>
  %zero = arith.constant dense<0> : tensor<12x20xi32>
  %mask = arith.cmpi slt, %places, %zero : tensor<12x20xi32>
  %x = fsm.load %p[%places], %mask : !fsm.ptr<i8>, tensor<12x20xi32> -> tensor<12x20xi8>
  %to = fsm.places strides [20, 1] : tensor<12x20xi32>
  fsm.store %x, %out[%to] : tensor<12x20xi8>, !fsm.ptr<i8>, tensor<12x20xi32>
  fsm.return
}

// Places from 28672 to 32767 and from -32768 on, around the middle.
fsm.kernel @staged(%out: !fsm.ptr<i32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<i32> {fsm.align = 16 : i32, fsm.noalias}, %n: i32 {fsm.divisible = 64 : i32}, %trips: i32) attributes {num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %length = arith.constant 64 : i32
  %half = arith.constant 32768 : i32
  %nothing = arith.constant dense<0> : tensor<8192xi32>
  %line = fsm.range 0, 8192 : tensor<8192xi32>
  %narrow = arith.trunci %line : tensor<8192xi32> to tensor<8192xi16>
  %number = arith.trunci %n : i32 to i16
  %ns = fsm.splat %number : tensor<8192xi16>
  %turned = arith.addi %narrow, %ns : tensor<8192xi16>
  %places = arith.extsi %turned : tensor<8192xi16> to tensor<8192xi32>
  %begin = fsm.offset %in, %half : !fsm.ptr<i32>, i32
  %sum = scf.for %i = %zero to %trips step %one iter_args(%before = %nothing) -> (tensor<8192xi32>) : i32 {
    %first = arith.muli %i, %length overflow<nsw> : i32
    %row = fsm.offset %begin, %first : !fsm.ptr<i32>, i32
    %values = fsm.load %row[%places] : !fsm.ptr<i32>, tensor<8192xi32> -> tensor<8192xi32>
    %after = arith.addi %before, %values : tensor<8192xi32>
    scf.yield %after : tensor<8192xi32>
  } {fsm.num_stages = 2 : i32}
  fsm.store %sum, %out[%line] : tensor<8192xi32>, !fsm.ptr<i32>, tensor<8192xi32>
  fsm.return
}

// Row `n` of 64 and those behind it: of `far`, and of a counter that begins a multiple of 2^32 away.
fsm.kernel @halves(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %far: i64, %begin: i64) {
  %at = fsm.range 0, 64 : tensor<64xi32>
  %lower = arith.trunci %far : i64 to i32
  %lowers = fsm.splat %lower : tensor<64xi32>
  %places = arith.addi %at, %lowers overflow<nsw> : tensor<64xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %step = arith.constant 64 : i64
  %length = arith.constant 320 : i64
  %end = arith.addi %begin, %length : i64
  scf.for %i = %begin to %end step %step : i64 {
    %n = arith.trunci %i : i64 to i32
    %ns = fsm.splat %n : tensor<64xi32>
    %there = arith.addi %at, %ns overflow<nsw> : tensor<64xi32>
    %y = fsm.load %in[%there] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %sum = arith.addi %x, %y : tensor<64xi32>
    fsm.store %sum, %out[%there] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  }
  fsm.return
}
