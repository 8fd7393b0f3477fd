// What threads exchange in front of a loop lies where one thread copies a row to as a whole, and no fence of the stores stood between.
// Random kernel 3041716 found it.
// RUN: %fsm_run %s --device=sim --target=sm_90a --compare=interp --grid=1 --arg=i32[8256]:arange --arg=i32[8192] --arg=i32[1] --arg=3

fsm.kernel @bulk_over_exchange(%in: !fsm.ptr<i32> {fsm.align = 16 : i32, fsm.noalias, fsm.readonly},
                               %out: !fsm.ptr<i32> {fsm.align = 16 : i32, fsm.noalias}, %total: !fsm.ptr<i32> {fsm.noalias},
                               %trips: i32) attributes {num_warps = 8 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sixteen = arith.constant 16 : i32
  %line = fsm.range 0, 8192 : tensor<8192xi32>
  %places = fsm.reshape %line : tensor<8192xi32> -> tensor<64x128xi32>
  %rows = fsm.load %in[%places] : !fsm.ptr<i32>, tensor<64x128xi32> -> tensor<64x128xi32>
  %columns = fsm.transpose %rows order [1, 0] : tensor<64x128xi32> -> tensor<128x64xi32>
  %targets = fsm.reshape %line : tensor<8192xi32> -> tensor<128x64xi32>
  fsm.store %columns, %out[%targets] : tensor<128x64xi32>, !fsm.ptr<i32>, tensor<128x64xi32>
  %sum = scf.for %i = %zero to %trips step %one iter_args(%before = %zero) -> (i32) : i32 {
    %first = arith.muli %i, %sixteen overflow<nsw> : i32
    %row = fsm.offset %in, %first : !fsm.ptr<i32>, i32
    %values = fsm.load %row[%line] : !fsm.ptr<i32>, tensor<8192xi32> -> tensor<8192xi32>
    %most = fsm.reduce <sum> %values axis 0 : tensor<8192xi32> -> i32
    %after = arith.addi %before, %most : i32
    scf.yield %after : i32
  } {fsm.num_stages = 2 : i32}
  fsm.store %sum, %total : i32, !fsm.ptr<i32>
  fsm.return
}
