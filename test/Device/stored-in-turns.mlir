// Large blocks that a loop stores in parts, from two tiles in turns: rows that are stored again by the next iteration, and rows in front
// of the array, which a mask leaves out.
//
// DEFINE: %{run} = %fsm_run %s --device=sim --target=sm_90a --compare=interp --grid=1 --arg=f32[320x256]:full:7 --arg=f16[9216]:uniform:1
// RUN: %{run} --kernel=again --arg=320 --arg=256 --remarks 2>&1 | FileCheck %s
// RUN: env FSM_SIMULATOR=landing=3,seed=5 %{run} --kernel=again --arg=320 --arg=256
// RUN: %{run} --kernel=below --arg=-64 --arg=320 --arg=256
// RUN: %{run} --kernel=below --arg=0 --arg=320 --arg=256
// CHECK: one thread has the block of this store stored from shared memory

fsm.kernel @again(%out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %n: i32, %width: i32) attributes {num_warps = 8 : i32} {
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %step = arith.constant 64 : i32
  %none = arith.constant 0 : i32
  scf.for %row = %none to %n step %step : i32 {
    %x_at = fsm.places origin [%row, 0] strides [16, 1] : tensor<128x16xi32>
    %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<128x16xi32> -> tensor<128x16xf16>
    %d = fsm.dot %x, %y, %zeros : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
    %at, %inside = fsm.places origin [%row, 0] strides [%width, 1] bounds [%n, %width] : tensor<128x256xi32>
    fsm.store %d, %out[%at], %inside : tensor<128x256xf32>, !fsm.ptr<f32>, tensor<128x256xi32>
  }
  fsm.return
}

fsm.kernel @below(%out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}, %first: i32, %n: i32, %width: i32) attributes {num_warps = 8 : i32} {
  %tensor = fsm.descriptor %out sizes [%n, %width] strides [%width, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %y_at = fsm.places strides [256, 1] : tensor<16x256xi32>
  %y = fsm.load %in[%y_at] : !fsm.ptr<f16>, tensor<16x256xi32> -> tensor<16x256xf16>
  %tall = arith.constant 128 : i32
  scf.for %row = %first to %n step %tall : i32 {
    %x_at = fsm.places strides [16, 1] : tensor<128x16xi32>
    %x = fsm.load %in[%x_at] : !fsm.ptr<f16>, tensor<128x16xi32> -> tensor<128x16xf16>
    %d = fsm.dot %x, %y, %zeros : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
    fsm.store_tile %d, %tensor[%row, 0] : tensor<128x256xf32>, !fsm.descriptor<2 x f32>
  }
  fsm.return
}
