// A list that is read at a number that the loop carries: which number the next iteration has, only this one knows, and so the entry is
// read where it stands (fsm-carry-lists).

// RUN: %fsm_run %s --device=cpu --grid=1 --arg=f32[5x16x16] --arg=i32[4]:arange --arg=5 --compare=interp
// RUN: %fsm_run %s --device=sim --target=sm_90a --grid=1 --arg=f32[5x16x16] --arg=i32[4]:arange --arg=5 --compare=interp

fsm.kernel @lists(%out: !fsm.ptr<f32> {fsm.noalias}, %list: !fsm.ptr<i32> {fsm.noalias}, %count: i32) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %size = arith.constant 256 : i32
  %n = fsm.range 0, 256 : tensor<256xi32>
  %o = fsm.reshape %n : tensor<256xi32> -> tensor<16x16xi32>
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  // At 0, 1, 3, 2, 2.
  %last = scf.for %i = %none to %count step %one iter_args(%at = %none) -> (i32) : i32 {
    %entry = fsm.offset %list, %at : !fsm.ptr<i32>, i32
    %number = fsm.load %entry : !fsm.ptr<i32> -> i32
    %whole = arith.sitofp %number : i32 to f32
    %x = fsm.splat %whole : tensor<16x16xf32>
    %sums = scf.for %k = %none to %two step %one iter_args(%sum = %zeros) -> (tensor<16x16xf32>) : i32 {
      %next = fsm.dot %x, %x, %sum precision = ieee : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %next : tensor<16x16xf32>
    }
    %behind = arith.muli %i, %size : i32
    %to = fsm.offset %out, %behind : !fsm.ptr<f32>, i32
    fsm.store %sums, %to[%o] : tensor<16x16xf32>, !fsm.ptr<f32>, tensor<16x16xi32>
    %more = arith.addi %at, %i : i32
    %step = arith.addi %more, %one : i32
    %later = arith.andi %step, %three : i32
    scf.yield %later : i32
  }
  fsm.return
}
