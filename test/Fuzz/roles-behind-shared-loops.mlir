// A product behind a loop that ctas share, or groups of warps: those that have given their sums away end there, and no warps of theirs
// may go on to copy factors that nobody waits for. Of groups, which are of one cta, such code was refused.

// DEFINE: %{run} = %fsm_run %s --device=sim --target=sm_90a --roles=always --num-warps=4 --grid=1 --arg=i32[64x16] --arg=i32[9x64]:uniform:1 --arg=f16[64x128]:full:2 --arg=f16[128x16]:full:3 --arg=9 --arg=128 --compare=interp
// RUN: %{run} -D SHARE=fsm.split=2
// RUN: %{run} -D SHARE=fsm.split=8
// RUN: %{run} -D SHARE=fsm.warp_groups=2
// RUN: %{run} -D SHARE=fsm.num_stages=2 --remarks 2>&1 | FileCheck %s
// CHECK: warps of their own begin the copies of this loop

// param SHARE = fsm.split=2

fsm.kernel @product_behind_sums(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %a: !fsm.ptr<f16>, %b: !fsm.ptr<f16>, %rows: i32, %k: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %width = arith.constant 64 : i32
  %r = fsm.range 0, 64 : tensor<64xi32>
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %sums = scf.for %i = %none to %rows step %one iter_args(%sum = %zeros) -> (tensor<64xi32>) : i32 {
    %at = arith.muli %i, %width overflow<nsw> : i32
    %row = fsm.offset %in, %at : !fsm.ptr<i32>, i32
    %x = fsm.load %row[%r] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %more = arith.addi %sum, %x : tensor<64xi32>
    scf.yield %more : tensor<64xi32>
  } {${SHARE} : i32}
  %nothing = arith.constant dense<0.0> : tensor<64x16xf32>
  %d = scf.for %i = %none to %k step %step iter_args(%sum = %nothing) -> (tensor<64x16xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [128, 1] bounds [64, %k] : tensor<64x32xi32>
    %x = fsm.load %a[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [16, 1] bounds [%k, 16] : tensor<32x16xi32>
    %y = fsm.load %b[%y_at], %y_in : !fsm.ptr<f16>, tensor<32x16xi32> -> tensor<32x16xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x32xf16>, tensor<32x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  } {fsm.num_stages = 2 : i32}
  %whole = arith.fptosi %d : tensor<64x16xf32> to tensor<64x16xi32>
  %column = fsm.expand_dims %sums axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %columns = fsm.broadcast %column : tensor<64x1xi32> -> tensor<64x16xi32>
  %all = arith.addi %whole, %columns : tensor<64x16xi32>
  %place = fsm.places strides [16, 1] : tensor<64x16xi32>
  fsm.store %all, %out[%place] : tensor<64x16xi32>, !fsm.ptr<i32>, tensor<64x16xi32>
  fsm.return
}
