// A product of a tensor that ends within its tile, behind one whose copies warps of their own have made: those have ended, and what is
// behind the tensor's end is cleared by the others alone. They left each second line to threads that were not there.

// DEFINE: %{run} = %fsm_run %s --device=sim --target=sm_90a --roles=always --grid=1 --arg=f32[64x32] --arg=f16[64x128]:full:2 --arg=f16[128x32]:full:3 --arg=f16[32x128]:full:1 --arg=128 --compare=interp
// RUN: %{run} --num-warps=4 --arg=2
// RUN: %{run} --num-warps=8 --arg=19
// RUN: %{run} --num-warps=4 --arg=2 --remarks 2>&1 | FileCheck %s
// CHECK: warps of their own begin the copies of this loop

fsm.kernel @short_behind_long(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f16>, %b: !fsm.ptr<f16>, %c: !fsm.ptr<f16>, %k: i32, %columns: i32) {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %nothing = arith.constant dense<0.0> : tensor<64x32xf32>
  %long = scf.for %i = %none to %k step %step iter_args(%sum = %nothing) -> (tensor<64x32xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [128, 1] bounds [64, %k] : tensor<64x64xi32>
    %x = fsm.load %a[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [32, 1] bounds [%k, 32] : tensor<64x32xi32>
    %y = fsm.load %b[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
    %more = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    scf.yield %more : tensor<64x32xf32>
  } {fsm.num_stages = 4 : i32}
  %both = scf.for %i = %none to %k step %step iter_args(%sum = %long) -> (tensor<64x32xf32>) : i32 {
    %x_at, %x_in = fsm.places origin [0, %i] strides [128, 1] bounds [64, %k] : tensor<64x64xi32>
    %x = fsm.load %a[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %y_at, %y_in = fsm.places origin [%i, 0] strides [1, 128] bounds [%k, %columns] : tensor<64x32xi32>
    %y = fsm.load %c[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
    %more = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    scf.yield %more : tensor<64x32xf32>
  } {fsm.num_stages = 4 : i32}
  %place = fsm.places strides [32, 1] : tensor<64x32xi32>
  fsm.store %both, %out[%place] : tensor<64x32xf32>, !fsm.ptr<f32>, tensor<64x32xi32>
  fsm.return
}
