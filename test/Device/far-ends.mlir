// Masks that end far in front of a block, in it, and far behind it, of several loads: how many indices a thread has left does not wrap,
// whatever the bound is, and of 64 bits is not counted in 32.
//
// DEFINE: %{run} = %fsm_run %s --compare=interp --grid=1 --num-warps=1 --arg=i32[1024]:full:7 --arg=i32[1024]:arange --arg=i32[1024]:arange
// RUN: %{run} --device=sim --kernel=narrow --arg=-2147483648
// RUN: %{run} --device=sim --kernel=narrow --arg=-2147483000
// RUN: %{run} --device=sim --kernel=narrow --arg=-1
// RUN: %{run} --device=sim --kernel=narrow --arg=517
// RUN: %{run} --device=sim --kernel=narrow --arg=2147483647
// RUN: %{run} --device=cpu --kernel=narrow --arg=-2147483648
// RUN: %{run} --device=sim --kernel=wide --arg=-9223372036854775808
// RUN: %{run} --device=sim --kernel=wide --arg=-4294967296
// RUN: %{run} --device=sim --kernel=wide --arg=517
// RUN: %{run} --device=sim --kernel=wide --arg=4294967296
// RUN: %{run} --device=sim --kernel=wide --arg=9223372036854775807
// RUN: %{run} --device=cpu --kernel=wide --arg=-9223372036854775808

fsm.kernel @narrow(%out: !fsm.ptr<i32>, %x: !fsm.ptr<i32>, %y: !fsm.ptr<i32>, %n: i32) {
  %at = fsm.range 0, 1024 : tensor<1024xi32>
  %ends = fsm.splat %n : tensor<1024xi32>
  %before = arith.cmpi slt, %at, %ends : tensor<1024xi32>
  %a = fsm.load %x[%at], %before : !fsm.ptr<i32>, tensor<1024xi32> -> tensor<1024xi32>
  %b = fsm.load %y[%at], %before : !fsm.ptr<i32>, tensor<1024xi32> -> tensor<1024xi32>
  %sum = arith.addi %a, %b : tensor<1024xi32>
  fsm.store %sum, %out[%at], %before : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  fsm.return
}

fsm.kernel @wide(%out: !fsm.ptr<i32>, %x: !fsm.ptr<i32>, %y: !fsm.ptr<i32>, %n: i64) {
  %range = fsm.range 0, 1024 : tensor<1024xi32>
  %at = arith.extsi %range : tensor<1024xi32> to tensor<1024xi64>
  %ends = fsm.splat %n : tensor<1024xi64>
  %before = arith.cmpi slt, %at, %ends : tensor<1024xi64>
  %a = fsm.load %x[%at], %before : !fsm.ptr<i32>, tensor<1024xi64> -> tensor<1024xi32>
  %b = fsm.load %y[%at], %before : !fsm.ptr<i32>, tensor<1024xi64> -> tensor<1024xi32>
  %sum = arith.addi %a, %b : tensor<1024xi32>
  fsm.store %sum, %out[%at], %before : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi64>
  fsm.return
}
