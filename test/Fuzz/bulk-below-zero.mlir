// Rows under a mask whose range begins below 0, which one thread copies as a whole: it took the beginning for 2^32 - 16, and
// copied nothing. A unit test found it (BlockRun.EveryClaimHolds).
// RUN: %fsm_run %s --device=sim --target=sm_90a --compare=interp --grid=1 --arg=i32[8256]:arange --arg=i32[8192] --arg=4000 --arg=3

fsm.kernel @bulk_below_zero(%in: !fsm.ptr<i32> {fsm.align = 16 : i32, fsm.noalias, fsm.readonly},
                            %out: !fsm.ptr<i32> {fsm.align = 16 : i32, fsm.noalias},
                            %n: i32 {fsm.divisible = 16 : i32}, %trips: i32) attributes {num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sixteen = arith.constant 16 : i32
  %nothing = arith.constant dense<0> : tensor<8192xi32>
  %line = fsm.range -16, 8176 : tensor<8192xi32>
  %ns = fsm.splat %n : tensor<8192xi32>
  %mask = arith.cmpi slt, %line, %ns : tensor<8192xi32>
  %begin = fsm.offset %in, %sixteen : !fsm.ptr<i32>, i32
  %sum = scf.for %i = %zero to %trips step %one iter_args(%before = %nothing) -> (tensor<8192xi32>) : i32 {
    %first = arith.muli %i, %sixteen overflow<nsw> : i32
    %row = fsm.offset %begin, %first : !fsm.ptr<i32>, i32
    %values = fsm.load %row[%line], %mask : !fsm.ptr<i32>, tensor<8192xi32> -> tensor<8192xi32>
    %after = arith.addi %before, %values : tensor<8192xi32>
    scf.yield %after : tensor<8192xi32>
  } {fsm.num_stages = 2 : i32}
  %places = fsm.range 0, 8192 : tensor<8192xi32>
  fsm.store %sum, %out[%places] : tensor<8192xi32>, !fsm.ptr<i32>, tensor<8192xi32>
  fsm.return
}
