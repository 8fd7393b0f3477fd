// What an atomic over a block returns, where more threads want it than have made it: rows of a larger block, the whole of a sum,
// and numbers that choose. Elements of 32 lanes lie in each warp.
//
// RUN: %fsm_run %s --kernel=down --device=cpu --compare=interp --grid=1 --arg=i32[2048] --arg=i32[32] --arg=i32[32]:arange
// RUN: %fsm_run %s --kernel=down --device=sim --num-warps=1 --compare=interp --grid=1 --arg=i32[2048] --arg=i32[32] --arg=i32[32]:arange
// RUN: %fsm_run %s --kernel=down --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i32[2048] --arg=i32[32] --arg=i32[32]:arange
// RUN: %fsm_run %s --kernel=down --device=sim --num-warps=8 --compare=interp --grid=1 --arg=i32[2048] --arg=i32[32] --arg=i32[32]:arange
// RUN: %fsm_run %s --kernel=across --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i32[2048] --arg=i32[32] --arg=i32[32]:arange
// RUN: %fsm_run %s --kernel=again --device=sim --num-warps=4 --compare=interp --grid=1 --arg=i32[2048] --arg=i32[32] --arg=i32[32]:arange
// RUN: %fsm_run %s --kernel=again --device=sim --num-warps=2 --compare=interp --grid=1 --arg=i32[2048] --arg=i32[32] --arg=i32[32]:arange

// Each row of the larger block is one element's.
fsm.kernel @down(%out: !fsm.ptr<i32>, %sums: !fsm.ptr<i32>, %counts: !fsm.ptr<i32>) {
  %at = fsm.range 0, 32 : tensor<32xi32>
  %old = fsm.atomic_rmw <add> %at, %counts[%at] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  %column = fsm.expand_dims %old axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rows = fsm.broadcast %column : tensor<32x1xi32> -> tensor<32x64xi32>
  %flat = fsm.reshape %rows : tensor<32x64xi32> -> tensor<2048xi32>
  %all = fsm.range 0, 2048 : tensor<2048xi32>
  fsm.store %flat, %out[%all] : tensor<2048xi32>, !fsm.ptr<i32>, tensor<2048xi32>
  fsm.return
}

// Each column is.
fsm.kernel @across(%out: !fsm.ptr<i32>, %sums: !fsm.ptr<i32>, %counts: !fsm.ptr<i32>) {
  %at = fsm.range 0, 32 : tensor<32xi32>
  %old = fsm.atomic_rmw <add> %at, %counts[%at] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  %row = fsm.expand_dims %old axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows = fsm.broadcast %row : tensor<1x32xi32> -> tensor<64x32xi32>
  %first = fsm.range 0, 64 : tensor<64xi32>
  %pitch = arith.constant dense<32> : tensor<64xi32>
  %begin = arith.muli %first, %pitch : tensor<64xi32>
  %begins = fsm.expand_dims %begin axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %down = fsm.broadcast %begins : tensor<64x1xi32> -> tensor<64x32xi32>
  %ats = fsm.expand_dims %at axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %right = fsm.broadcast %ats : tensor<1x32xi32> -> tensor<64x32xi32>
  %places = arith.addi %down, %right : tensor<64x32xi32>
  fsm.store %rows, %out[%places] : tensor<64x32xi32>, !fsm.ptr<i32>, tensor<64x32xi32>
  fsm.return
}

// What one atomic returns says where the next one goes, and a loop carries it.
fsm.kernel @again(%out: !fsm.ptr<i32>, %sums: !fsm.ptr<i32>, %counts: !fsm.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %at = fsm.range 0, 32 : tensor<32xi32>
  %ones = arith.constant dense<1> : tensor<32xi32>
  %last = scf.for %i = %zero to %three step %one iter_args(%x = %ones) -> (tensor<32xi32>) : i32 {
    %old = fsm.atomic_rmw <add> %x, %counts[%at] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
    %y = arith.addi %old, %x : tensor<32xi32>
    scf.yield %y : tensor<32xi32>
  }
  %sum = fsm.reduce <sum> %last axis 0 : tensor<32xi32> -> i32
  %all = fsm.range 0, 2048 : tensor<2048xi32>
  %same = fsm.splat %sum : tensor<2048xi32>
  fsm.store %same, %out[%all] : tensor<2048xi32>, !fsm.ptr<i32>, tensor<2048xi32>
  fsm.store %last, %sums[%at] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  fsm.return
}
