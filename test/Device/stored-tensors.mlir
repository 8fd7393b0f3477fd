// Products whose blocks the hardware stores: what a mask leaves out stays as it was, one tile comes behind the other, and
// what else the kernel does with that memory is in order. Against the interpreter, on the whole array, which is larger than the tensor.

// param T = f16
// param NARROW = arith.truncf
// Rows from one tile of @begins to the next.
// param APART = 64

// Inside, and cut on the right and below; a tile of which nothing is inside, too.
// RUN: %fsm_run %s --kernel=tiles --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=2 --arg='f16[300x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=290 --arg=304 --arg=320 2>&1 | FileCheck %s
// RUN: %fsm_run %s --kernel=tiles --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=2 --arg='f16[300x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=211 --arg=272 --arg=320 2>&1 | FileCheck %s
// RUN: %fsm_run %s --kernel=tiles --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=3 --arg='f16[300x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=70 --arg=48 --arg=320 2>&1 | FileCheck %s
// RUN: %fsm_run %s --kernel=tiles -D T=bf16 --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=1 --arg='bf16[300x320]:uniform:3' --arg='bf16[64x16]:uniform:1' --arg='bf16[16x256]:uniform:2' --arg=211 --arg=208 --arg=320 2>&1 | FileCheck %s
// CHECK: remark: one thread has the block of this store stored from shared memory
// CHECK: argument 0 {{.*}} 96000 elements agree

// A launch without facts makes no maps, and the other code stores by threads.
// RUN: %fsm_run %s --kernel=tiles --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=2 --arg='f16[300x321]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=290 --arg=304 --arg=321 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: remark: threads store what this store has from shared memory: its address or its stride may be no multiple of 16 bytes
// THREADS: argument 0 {{.*}} 96300 elements agree

// Nor does the hardware leave out less than 16 bytes at the end of a row.
// RUN: %fsm_run %s --kernel=tiles --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=2 --arg='f16[300x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=290 --arg=303 --arg=320 2>&1 | FileCheck %s --check-prefix=ENDS
// ENDS: remark: threads store what this store has from shared memory: its rows may begin or end inside of 16 bytes
// ENDS: argument 0 {{.*}} 96000 elements agree

// It takes no coordinates below 0, where a mask leaves out what is on the left and above: threads store these tiles, all of them or
// some, which may overlap.
// RUN: %fsm_run %s --kernel=begins --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=2 --arg='f16[300x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=150 --arg=112 --arg=320 --arg=-37 --arg=-48 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: %fsm_run %s --kernel=begins --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=2 --arg='f16[300x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=211 --arg=208 --arg=320 --arg=39 --arg=16 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: %fsm_run %s --kernel=begins --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=1 --arg='f16[300x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=150 --arg=112 --arg=320 --arg=-37 --arg=16 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: %fsm_run %s --kernel=begins -D APART=32 --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=1 --arg='f16[300x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=150 --arg=112 --arg=320 --arg=-40 --arg=16 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: %fsm_run %s --kernel=begins -D APART=-32 --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=1 --arg='f16[300x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=150 --arg=112 --arg=320 --arg=40 --arg=16 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: remark: one thread has the block of this store stored from shared memory
// BELOW: argument 0 {{.*}} 96000 elements agree

// Each tile is added to what the one before has stored.
// RUN: %fsm_run %s --kernel=adds --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=1 --arg='f16[64x256]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=256 2>&1 | FileCheck %s --check-prefix=ADDS
// ADDS: remark: threads store what this store has from shared memory: the kernel may access its memory otherwise
// ADDS: argument 0 {{.*}} 16384 elements agree

// A tile that begins in front of its row, without a mask for that: its first elements are the end of the row before. One inside.
// RUN: %fsm_run %s --kernel=back --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=1 --arg='f16[128x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=128 --arg=320 --arg=-16 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: %fsm_run %s --kernel=back --device=sim --target=sm_90a --num-warps=4 --remarks --compare=interp --grid=1 --arg='f16[128x320]:uniform:3' --arg='f16[64x16]:uniform:1' --arg='f16[16x256]:uniform:2' --arg=128 --arg=320 --arg=48 2>&1 | FileCheck %s --check-prefix=BACK
// BACK: remark: one thread has the block of this store stored from shared memory
// BACK: argument 0 {{.*}} 40960 elements agree

!sums = tensor<64x256xf32>
!block = tensor<64x256x${T}>
!at = tensor<64x256xi32>

func.func private @product(%p: !fsm.ptr<${T}>, %q: !fsm.ptr<${T}>, %number: i32) -> !sums {
  %zeros = arith.constant dense<0.0> : !sums
  %x_at = fsm.places strides [16, 1] : tensor<64x16xi32>
  %x = fsm.load %p[%x_at] : !fsm.ptr<${T}>, tensor<64x16xi32> -> tensor<64x16x${T}>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %q[%y_at] : !fsm.ptr<${T}>, tensor<16x256xi32> -> tensor<16x256x${T}>
  %d = fsm.dot %x, %y, %zeros : tensor<64x16x${T}>, tensor<16x256x${T}> -> !sums
  %one = arith.constant 1 : i32
  %next = arith.addi %number, %one : i32
  %scale = arith.sitofp %next : i32 to f32
  %scales = fsm.splat %scale : !sums
  %e = arith.mulf %d, %scales : !sums
  func.return %e : !sums
}

// Four tiles of 64 rows, each program's from another column on.
fsm.kernel @tiles(%out: !fsm.ptr<${T}>, %p: !fsm.ptr<${T}>, %q: !fsm.ptr<${T}>, %n: i32, %m: i32, %stride: i32) {
  %tensor = fsm.descriptor %out sizes [%n, %m] strides [%stride, 1] : !fsm.ptr<${T}> -> !fsm.descriptor<2 x ${T}>
  %tall = arith.constant 64 : i32
  %tiles = arith.constant 4 : i32
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  %apart = arith.constant 16 : i32
  %column = arith.muli %first, %apart overflow<nsw> : i32
  scf.for %tile = %first to %tiles step %step : i32 {
    %e = func.call @product(%p, %q, %tile) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, i32) -> !sums
    %z = ${NARROW} %e : !sums to !block
    %down = arith.muli %tile, %tall overflow<nsw> : i32
    fsm.store_tile %z, %tensor[%down, %column] : !block, !fsm.descriptor<2 x ${T}>
  }
  fsm.return
}

// Four tiles from a row and a column on.
fsm.kernel @begins(%out: !fsm.ptr<${T}>, %p: !fsm.ptr<${T}>, %q: !fsm.ptr<${T}>, %n: i32, %m: i32, %stride: i32, %row: i32, %column: i32) {
  %tensor = fsm.descriptor %out sizes [%n, %m] strides [%stride, 1] : !fsm.ptr<${T}> -> !fsm.descriptor<2 x ${T}>
  %apart = arith.constant ${APART} : i32
  %tiles = arith.constant 4 : i32
  %first = fsm.program_id x : i32
  %step = fsm.num_programs x : i32
  scf.for %tile = %first to %tiles step %step : i32 {
    %e = func.call @product(%p, %q, %tile) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, i32) -> !sums
    %z = ${NARROW} %e : !sums to !block
    %down = arith.muli %tile, %apart overflow<nsw> : i32
    %from = arith.addi %row, %down overflow<nsw> : i32
    fsm.store_tile %z, %tensor[%from, %column] : !block, !fsm.descriptor<2 x ${T}>
  }
  fsm.return
}

fsm.kernel @adds(%out: !fsm.ptr<${T}>, %p: !fsm.ptr<${T}>, %q: !fsm.ptr<${T}>, %stride: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %tiles = arith.constant 3 : i32
  scf.for %tile = %none to %tiles step %one : i32 {
    %e = func.call @product(%p, %q, %tile) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, i32) -> !sums
    %at = fsm.places strides [%stride, 1] : !at
    %old = fsm.load %out[%at] : !fsm.ptr<${T}>, !at -> !block
    %wide = arith.extf %old : !block to !sums
    %f = arith.addf %e, %wide : !sums
    %z = ${NARROW} %f : !sums to !block
    fsm.store %z, %out[%at] : !block, !fsm.ptr<${T}>, !at
  }
  fsm.return
}

fsm.kernel @back(%out: !fsm.ptr<${T}>, %p: !fsm.ptr<${T}>, %q: !fsm.ptr<${T}>, %n: i32, %stride: i32, %begin: i32) {
  %none = arith.constant 0 : i32
  %e = func.call @product(%p, %q, %none) : (!fsm.ptr<${T}>, !fsm.ptr<${T}>, i32) -> !sums
  %z = ${NARROW} %e : !sums to !block
  %four = arith.constant 4 : i32
  %above = arith.muli %four, %stride overflow<nsw> : i32
  %line = fsm.offset %out, %above : !fsm.ptr<${T}>, i32
  %first = fsm.offset %line, %begin : !fsm.ptr<${T}>, i32
  %at = fsm.places strides [%stride, 1] : !at
  fsm.store %z, %first[%at] : !block, !fsm.ptr<${T}>, !at
  fsm.return
}
