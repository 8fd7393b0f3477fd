// On the CPU a value that another op reads in other rows is kept in memory, also if only what a loop does with that needs
// it (kernel 108 of the first 1,500 that ran on the CPU), or only the second result of a split does (kernel 641).
//
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=i64[64]:arange --kernel=through_a_loop
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i64[64]:arange --kernel=through_a_loop
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=3 --arg=i32[96] --kernel=second_half
// RUN: %fsm_run %s --device=sim --compare=interp --grid=3 --arg=i32[96] --kernel=second_half

fsm.kernel @through_a_loop(%p: !fsm.ptr<i64>) {
  %pid = fsm.program_id x : i32
  %pairs = fsm.range 0, 2 : tensor<2xi32>
  %column = fsm.expand_dims %pairs axis 1 : tensor<2xi32> -> tensor<2x1xi32>
  %firsts = fsm.splat %pid : tensor<2x1xi32>
  %sum = arith.addi %column, %firsts overflow<nsw> : tensor<2x1xi32>
  %row = fsm.reshape %sum : tensor<2x1xi32> -> tensor<1x2xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  scf.for %i = %zero to %three step %one : i32 {
    %wide = arith.extsi %row : tensor<1x2xi32> to tensor<1x2xi64>
    %places = fsm.expand_dims %pairs axis 0 : tensor<2xi32> -> tensor<1x2xi32>
    fsm.store %wide, %p[%places] : tensor<1x2xi64>, !fsm.ptr<i64>, tensor<1x2xi32>
  }
  fsm.return
}

fsm.kernel @second_half(%p: !fsm.ptr<i32>) {
  %pid = fsm.program_id x : i32
  %size = arith.constant 32 : i32
  %start = arith.muli %pid, %size overflow<nsw> : i32
  %mine = fsm.offset %p, %start : !fsm.ptr<i32>, i32
  %all = fsm.splat %pid : tensor<32x2xi32>
  %left, %right = fsm.split %all : tensor<32x2xi32> -> tensor<32xi32>
  %places = fsm.range 0, 32 : tensor<32xi32>
  fsm.store %right, %mine[%places] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  fsm.return
}
