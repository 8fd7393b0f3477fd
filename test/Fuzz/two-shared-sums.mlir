// Two sums of a loop that CTAs share, of which the first one changes its layout: that stood in front of the second one, and
// its block was not made yet: kernel 20293840 of a run, by hand.
// RUN: %fsm_run %s --device=sim --target=sm_90 --compare=interp --grid=1 --arg=i32[64]:arange --arg=i32[12] --arg=7

fsm.kernel @two_shared_sums(%in: !fsm.ptr<i32> {fsm.noalias}, %out: !fsm.ptr<i32> {fsm.noalias}, %n: i32) attributes {num_warps = 4 : i32} {
  %rows = fsm.range 0, 4 : tensor<4xi32>
  %two = arith.constant dense<2> : tensor<4xi32>
  %begins = arith.muli %rows, %two : tensor<4xi32>
  %down = fsm.expand_dims %begins axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %columns = fsm.range 0, 2 : tensor<2xi32>
  %across = fsm.expand_dims %columns axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %left = fsm.broadcast %down : tensor<4x1xi32> -> tensor<4x2xi32>
  %right = fsm.broadcast %across : tensor<1x2xi32> -> tensor<4x2xi32>
  %places = arith.addi %left, %right : tensor<4x2xi32>
  %none = arith.constant dense<0> : tensor<4x2xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = fsm.load %in[%places] : !fsm.ptr<i32>, tensor<4x2xi32> -> tensor<4x2xi32>
  %sums:2 = scf.for %i = %zero to %n step %one iter_args(%a = %none, %b = %first) -> (tensor<4x2xi32>, tensor<4x2xi32>) : i32 {
    %at = fsm.offset %in, %i : !fsm.ptr<i32>, i32
    %x = fsm.load %at[%places] : !fsm.ptr<i32>, tensor<4x2xi32> -> tensor<4x2xi32>
    %more = arith.addi %a, %x : tensor<4x2xi32>
    %twice = arith.addi %x, %x : tensor<4x2xi32>
    %most = arith.addi %b, %twice : tensor<4x2xi32>
    scf.yield %more, %most : tensor<4x2xi32>, tensor<4x2xi32>
  } {fsm.split = 4 : i32}
  %halves:2 = fsm.split %sums#0 : tensor<4x2xi32> -> tensor<4xi32>
  %both = arith.subi %halves#1, %halves#0 : tensor<4xi32>
  fsm.store %both, %out[%rows] : tensor<4xi32>, !fsm.ptr<i32>, tensor<4xi32>
  %behind = arith.constant 4 : i32
  %rest = fsm.offset %out, %behind : !fsm.ptr<i32>, i32
  fsm.store %sums#1, %rest[%places] : tensor<4x2xi32>, !fsm.ptr<i32>, tensor<4x2xi32>
  fsm.return
}
