// Where a loop in stages begins with its loads, a choice of what a mask leaves out may be the first op behind them, in
// front of which the blocks of other loads are taken: it goes away when its own block is (kernel 355 of the first that had
// several loads in stages).
//
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[64] --arg=i32[2048]:arange --arg=3 --target=sm_80 --num-warps=1 --num-stages=2
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[64] --arg=i32[2048]:arange --arg=3 --target=sm_90a --num-warps=1 --num-stages=3

fsm.kernel @choice(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32> {fsm.noalias}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant dense<7> : tensor<64xi32>
  %places = fsm.range 0, 64 : tensor<64xi32>
  %half = arith.constant dense<32> : tensor<64xi32>
  %mask = arith.cmpi slt, %places, %half : tensor<64xi32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%before = %seven) -> (tensor<64xi32>) : i32 {
    %row = fsm.offset %in, %i : !fsm.ptr<i32>, i32
    %x = fsm.load %row[%places], %mask, %places : !fsm.ptr<i32>, tensor<64xi32>, other tensor<64xi32> -> tensor<64xi32>
    %next = fsm.offset %row, %one : !fsm.ptr<i32>, i32
    %y = fsm.load %next[%places] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %product = arith.muli %x, %before : tensor<64xi32>
    %after = arith.addi %product, %y : tensor<64xi32>
    scf.yield %after : tensor<64xi32>
  } {fsm.num_stages = 3 : i32}
  fsm.store %sum, %out[%places] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
