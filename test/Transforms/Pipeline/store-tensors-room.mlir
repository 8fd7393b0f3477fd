// Slots of 192 KiB leave no room for 64 KiB that the hardware would store while the next tile's loop fills them: threads store the
// block, from memory over the slots. The outer loop has a load to run ahead, so that threads copy what the inner one loads. The right factor is transposed, and read where its copies leave it.

// RUN: %fsm_run %s --device=sim --target=sm_90a --remarks --grid=1 --arg='f16[256x256]' --arg='f16[256x192]:uniform:1' --arg='f16[256x192]:uniform:2' --arg=f32[2]:full:0.5 --arg=256 --arg=256 --arg=192 --compare=interp 2>&1 | FileCheck %s
// RUN: %fsm_run %s --device=sim --target=sm_90a --emit=contract --arg='f16[256x256]' --arg='f16[256x192]' --arg='f16[256x192]' --arg=f32[2] --arg=256 --arg=256 --arg=192 | FileCheck %s --check-prefix=SHARED

// CHECK-DAG: remark: this load runs 3 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them
// CHECK-DAG: remark: this load runs 3 iterations ahead, into shared memory: each thread copies 16 bytes at a time, to where a product reads them
// CHECK-DAG: remark: threads store what this store has from shared memory: shared memory has no room for its block beside the loop's slots
// SHARED: 196608
fsm.kernel @tiles(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %scales: !fsm.ptr<f32> {fsm.noalias}, %m: i32 {fsm.divisible = 8 : i32}, %n: i32 {fsm.divisible = 8 : i32}, %k: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 8 : i32} {
  %none = arith.constant 0 : i32
  %rows = arith.constant 128 : i32
  %step = arith.constant 64 : i32
  %tiles = arith.ceildivsi %m, %rows : i32
  %first = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %a = fsm.descriptor %p sizes [%m, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %b = fsm.descriptor %q sizes [%n, %k] strides [%k, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %c = fsm.descriptor %out sizes [%m, %n] strides [%n, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  scf.for %tile = %first to %tiles step %programs : i32 {
    %scale_at = fsm.offset %scales, %tile : !fsm.ptr<f32>, i32
    %scale = fsm.load %scale_at : !fsm.ptr<f32> -> f32
    %row = arith.muli %tile, %rows overflow<nsw> : i32
    %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<128x256xf32>) : i32 {
      %x = fsm.load_tile %a[%row, %i] : !fsm.descriptor<2 x f16> -> tensor<128x64xf16>
      %y = fsm.load_tile %b[%none, %i] : !fsm.descriptor<2 x f16> -> tensor<256x64xf16>
      %t = fsm.transpose %y order [1, 0] : tensor<256x64xf16> -> tensor<64x256xf16>
      %next = fsm.dot %x, %t, %sum : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
      scf.yield %next : tensor<128x256xf32>
    } {fsm.num_stages = 4 : i32, fsm.forced_stages}
    %all = fsm.splat %scale : tensor<128x256xf32>
    %e = arith.mulf %d, %all : tensor<128x256xf32>
    %z = arith.truncf %e : tensor<128x256xf32> to tensor<128x256xf16>
    fsm.store_tile %z, %c[%row, %none] : tensor<128x256xf16>, !fsm.descriptor<2 x f16>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}
