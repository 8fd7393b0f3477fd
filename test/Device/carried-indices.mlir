// Indices that a loop carries and moves: by one number, by the loop's, downwards, by each other; none, one and several iterations.
//
// DEFINE: %{n} =
// DEFINE: %{device} =
// DEFINE: %{run} = %fsm_run %s --device=%{device} --compare=interp --grid=1 --arg=i32[1024] --arg=i32[64] --arg=%{n}
// REDEFINE: %{n} = 0
// REDEFINE: %{device} = cpu
// RUN: %{run}
// REDEFINE: %{device} = sim
// RUN: %{run}
// REDEFINE: %{n} = 1
// RUN: %{run}
// REDEFINE: %{n} = 7
// RUN: %{run}
// REDEFINE: %{device} = cpu
// RUN: %{run}

fsm.kernel @moved(%out: !fsm.ptr<i32>, %last: !fsm.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %at = fsm.range 0, 64 : tensor<64xi32>
  %high = arith.constant dense<960> : tensor<64xi32>
  %end = arith.addi %at, %high : tensor<64xi32>
  %wide = arith.extsi %at : tensor<64xi32> to tensor<64xi64>
  %step = arith.constant dense<64> : tensor<64xi32>
  %back = arith.constant dense<-64> : tensor<64xi32>
  %jump = arith.constant dense<4294967296> : tensor<64xi64>
  %limit = arith.constant dense<12884901890> : tensor<64xi64>
  %a, %b, %c, %d, %e = scf.for %i = %zero to %n step %one iter_args(%a = %at, %b = %at, %c = %end, %d = %at, %e = %wide)
      -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi64>) : i32 {
    %near = arith.cmpi slt, %e, %limit : tensor<64xi64>
    fsm.store %b, %out[%a], %near : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
    fsm.store %d, %out[%c] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
    %is = fsm.splat %i : tensor<64xi32>
    %a2 = arith.addi %a, %step : tensor<64xi32>
    %b2 = arith.addi %is, %b : tensor<64xi32>
    %c2 = arith.addi %c, %back : tensor<64xi32>
    %d2 = arith.addi %d, %at : tensor<64xi32>
    %e2 = arith.addi %e, %jump : tensor<64xi64>
    scf.yield %a2, %b2, %c2, %d2, %e2 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi64>
  }
  %ab = arith.addi %a, %b : tensor<64xi32>
  %cd = arith.addi %c, %d : tensor<64xi32>
  %low = arith.trunci %e : tensor<64xi64> to tensor<64xi32>
  %abcd = arith.addi %ab, %cd : tensor<64xi32>
  %sum = arith.addi %abcd, %low : tensor<64xi32>
  fsm.store %sum, %last[%at] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
