// Loops with products that store as well: what a product takes is loaded behind what was stored to the same array before, and a
// product that is in flight is in the way of no store, wherever that goes.
//
// DEFINE: %{run} = %fsm_run %s --compare=interp --grid=1 --no-specialize
// DEFINE: %{recurrence} = %{run} --kernel=recurrence --arg='f16[320x64]:uniform:1' --arg='f16[64x320]:uniform:2' --arg=320
// RUN: %{recurrence} --device=cpu
// RUN: %{recurrence} --device=sim --target=sm_90a
// RUN: %{recurrence} --device=sim --target=sm_80
// DEFINE: %{counts} = %{run} --kernel=counts --arg='f32[64x64]' --arg='i32[10x64]' --arg='f16[64x320]:uniform:1' --arg='f16[320x64]:uniform:2' --arg=320
// RUN: %{counts} --device=cpu
// RUN: %{counts} --device=sim --target=sm_90a
// RUN: %{counts} --device=sim --target=sm_80

fsm.kernel @recurrence(%rows: !fsm.ptr<f16> {fsm.align = 16 : i32}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}) attributes {fsm.unordered_arguments, num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %ones = arith.constant dense<1.0> : tensor<64x64xf32>
  %last = scf.for %i = %none to %n step %step iter_args(%state = %ones) -> (tensor<64x64xf32>) : i32 {
    %at = fsm.places origin [%i, 0] strides [64, 1] : tensor<64x64xi32>
    %cut = arith.truncf %state : tensor<64x64xf32> to tensor<64x64xf16>
    fsm.store %cut, %rows[%at] : tensor<64x64xf16>, !fsm.ptr<f16>, tensor<64x64xi32>
    %y = fsm.load %rows[%at] : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %x_at = fsm.places origin [0, %i] strides [%n, 1] : tensor<64x64xi32>
    %x = fsm.load %q[%x_at] : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %next = fsm.dot %x, %y, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %kept = arith.subf %ones, %next : tensor<64x64xf32>
    %small = arith.maximumf %kept, %zeros : tensor<64x64xf32>
    scf.yield %small : tensor<64x64xf32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

fsm.kernel @counts(%sums: !fsm.ptr<f32> {fsm.align = 16 : i32}, %out: !fsm.ptr<i32> {fsm.align = 16 : i32}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %two = arith.constant 2 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = fsm.range 0, 64 : tensor<64xi32>
  %total = scf.for %i = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %x_at = fsm.places origin [0, %i] strides [%n, 1] : tensor<64x32xi32>
    %x = fsm.load %p[%x_at] : !fsm.ptr<f16>, tensor<64x32xi32> -> tensor<64x32xf16>
    %y_at = fsm.places origin [%i, 0] strides [64, 1] : tensor<32x64xi32>
    %y = fsm.load %q[%y_at] : !fsm.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
    %next = fsm.dot %x, %y, %sum : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    %row = arith.muli %i, %two overflow<nsw> : i32
    %to = fsm.offset %out, %row : !fsm.ptr<i32>, i32
    %count = fsm.splat %i : tensor<64xi32>
    fsm.store %count, %to[%r] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
    scf.yield %next : tensor<64x64xf32>
  } {fsm.num_stages = 3 : i32}
  %at = fsm.places strides [64, 1] : tensor<64x64xi32>
  fsm.store %total, %sums[%at] : tensor<64x64xf32>, !fsm.ptr<f32>, tensor<64x64xi32>
  fsm.return
}
