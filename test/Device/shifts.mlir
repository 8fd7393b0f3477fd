// Arrays that begin 8, 4 and 1 elements behind what a thread's widest access is aligned to, so that it may be half as wide, or
// less: of each size of element.
//
// RUN: %fsm_run %s --kernel=shifts -D T=i8 --device=sim --compare=interp --grid=1 --arg=i8[2048] --arg=i8[2048]:arange --arg=2040 --shift=0:8 --shift=1:8
// RUN: %fsm_run %s --kernel=shifts -D T=i8 --device=sim --compare=interp --grid=1 --arg=i8[2048] --arg=i8[2048]:arange --arg=2040 --shift=0:4
// RUN: %fsm_run %s --kernel=shifts -D T=i16 --device=sim --compare=interp --grid=1 --arg=i16[2048] --arg=i16[2048]:arange --arg=2024 --shift=0:4 --shift=1:4
// RUN: %fsm_run %s --kernel=shifts -D T=i16 --device=sim --compare=interp --grid=1 --arg=i16[2048] --arg=i16[2048]:arange --arg=2044 --shift=1:2
// RUN: %fsm_run %s --kernel=shifts -D T=i32 --device=sim --compare=interp --grid=1 --arg=i32[2048] --arg=i32[2048]:arange --arg=2040 --shift=0:2 --shift=1:2
// RUN: %fsm_run %s --kernel=shifts -D T=i32 --device=sim --compare=interp --grid=1 --arg=i32[2048] --arg=i32[2048]:arange --arg=2046 --shift=0:1
// RUN: %fsm_run %s --kernel=shifts -D T=i64 --device=sim --compare=interp --grid=1 --arg=i64[2048] --arg=i64[2048]:arange --arg=2047 --shift=0:1 --shift=1:1
// RUN: %fsm_run %s --kernel=shifts -D T=i32 --device=cpu --compare=interp --grid=1 --arg=i32[2048] --arg=i32[2048]:arange --arg=2046 --shift=0:1
// RUN: %fsm_run %s --kernel=shifts -D T=i8 --device=cpu --compare=interp --grid=1 --arg=i8[2048] --arg=i8[2048]:arange --arg=2040 --shift=1:8
//
// On the CPU, arrays that end where nothing can be read.
// RUN: %fsm_run %s --kernel=shifts -D T=i32 --device=cpu --compare=interp --guard=end --grid=1 --arg=i32[5] --arg=i32[5]:arange --arg=5
// RUN: %fsm_run %s --kernel=shifts -D T=i32 --device=cpu --compare=interp --guard=end --grid=1 --arg=i32[1026] --arg=i32[1026]:arange --arg=1026
// RUN: %fsm_run %s --kernel=shifts -D T=i32 --device=cpu --compare=interp --guard=end --grid=1 --arg=i32[1020] --arg=i32[1020]:arange --arg=1020
// RUN: %fsm_run %s --kernel=shifts -D T=i8 --device=cpu --compare=interp --guard=end --grid=1 --arg=i8[1000] --arg=i8[1000]:arange --arg=1000
// RUN: %fsm_run %s --kernel=shifts -D T=i64 --device=cpu --compare=interp --guard=end --grid=1 --arg=i64[1001] --arg=i64[1001]:arange --arg=1001
// RUN: %fsm_run %s --kernel=far --device=cpu --compare=interp --grid=1024 --arg=i32[4194304] --arg=i32[4194304]:arange --shift=0:8
// RUN: %fsm_run %s --kernel=far --device=cpu --compare=interp --grid=1024 --arg=i32[4194304] --arg=i32[4194304]:arange --shift=0:4
//
// Rows that begin at 0, 4097, 8194 and 12291.
// RUN: %python -c "import numpy; x = numpy.arange(16388, dtype=numpy.int32); y = (x + x % 4097) * (x % 4097 < 4096); numpy.save(r'%t.npy', y)"
// RUN: %fsm_run %s --kernel=counted --device=cpu --grid=1 --arg=i32[16388] --arg=i32[16388]:arange --check=0:%t.npy
// RUN: %fsm_run %s --kernel=counted --device=sim --grid=1 --arg=i32[16388] --arg=i32[16388]:arange --check=0:%t.npy

// param T = i32

fsm.kernel @shifts(%out: !fsm.ptr<${T}>, %in: !fsm.ptr<${T}>, %n: i32) {
  %r = fsm.range 0, 2048 : tensor<2048xi32>
  %ns = fsm.splat %n : tensor<2048xi32>
  %inside = arith.cmpi slt, %r, %ns : tensor<2048xi32>
  %x = fsm.load %in[%r], %inside : !fsm.ptr<${T}>, tensor<2048xi32> -> tensor<2048x${T}>
  %y = arith.addi %x, %x : tensor<2048x${T}>
  fsm.store %y, %out[%r], %inside : tensor<2048x${T}>, !fsm.ptr<${T}>, tensor<2048xi32>
  fsm.return
}

// Rows of an array that no cache holds, which the CPU may write past its caches.
fsm.kernel @far(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {
  %program = fsm.program_id x : i32
  %width = arith.constant 4096 : i32
  %begin = arith.muli %program, %width : i32
  %from = fsm.offset %in, %begin : !fsm.ptr<i32>, i32
  %to = fsm.offset %out, %begin : !fsm.ptr<i32>, i32
  %r = fsm.range 0, 4096 : tensor<4096xi32>
  %x = fsm.load %from[%r] : !fsm.ptr<i32>, tensor<4096xi32> -> tensor<4096xi32>
  %y = arith.addi %x, %x : tensor<4096xi32>
  fsm.store %y, %to[%r] : tensor<4096xi32>, !fsm.ptr<i32>, tensor<4096xi32>
  fsm.return
}

// Rows of an array that no cache holds, where a loop's number says: the first is a multiple of anything, the step is odd.
fsm.kernel @counted(%out: !fsm.ptr<i32> {fsm.align = 64 : i32, fsm.large}, %in: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %end = arith.constant 16388 : i32
  %step = arith.constant 4097 : i32
  %r = fsm.range 0, 4096 : tensor<4096xi32>
  scf.for %i = %zero to %end step %step : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<i32>, i32
    %to = fsm.offset %out, %i : !fsm.ptr<i32>, i32
    %x = fsm.load %from[%r] : !fsm.ptr<i32>, tensor<4096xi32> -> tensor<4096xi32>
    %y = arith.addi %x, %r : tensor<4096xi32>
    fsm.store %y, %to[%r] : tensor<4096xi32>, !fsm.ptr<i32>, tensor<4096xi32>
  }
  fsm.return
}
