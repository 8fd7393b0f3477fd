// How far numbers of i8 are from those three further on, which may have wrapped, as offsets. LLVM 22 takes constants out of
// the extended numbers as if none had: kernel 60 of a run, by hand.
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i16[512]:arange --arg=i16[1024] --arg=7 --num-warps=1

fsm.kernel @distances_of_wrapped(%in: !fsm.ptr<i16>, %out: !fsm.ptr<i16>, %n: i32) {
  %sixteen = arith.constant dense<16> : tensor<64xi32>
  %lines = fsm.range 0, 64 : tensor<64xi32>
  %firsts = arith.muli %lines, %sixteen : tensor<64xi32>
  %column = fsm.expand_dims %firsts axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %rows = fsm.broadcast %column : tensor<64x1xi32> -> tensor<64x16xi32>
  %range = fsm.range 16, 32 : tensor<16xi32>
  %two = arith.constant dense<2> : tensor<16xi32>
  %halves = arith.divsi %range, %two : tensor<16xi32>
  %row = fsm.expand_dims %halves axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %columns = fsm.broadcast %row : tensor<1x16xi32> -> tensor<64x16xi32>
  %sums = arith.addi %rows, %columns : tensor<64x16xi32>
  %three = arith.constant 3 : i32
  %low = arith.andi %n, %three : i32
  %seven = arith.constant 7 : i32
  %some = arith.addi %low, %seven overflow<nsw> : i32
  %somes = fsm.splat %some : tensor<64x16xi32>
  %numbers = arith.addi %sums, %somes overflow<nsw> : tensor<64x16xi32>
  %narrow = arith.trunci %numbers : tensor<64x16xi32> to tensor<64x16xi8>
  %step = arith.constant dense<3> : tensor<64x16xi8>
  %next = arith.addi %narrow, %step : tensor<64x16xi8>
  %wide = arith.extsi %narrow : tensor<64x16xi8> to tensor<64x16xi64>
  %other = arith.extsi %next : tensor<64x16xi8> to tensor<64x16xi64>
  %offsets = arith.subi %wide, %other : tensor<64x16xi64>
  %begin = fsm.offset %in, %seven : !fsm.ptr<i16>, i32
  %values = fsm.load %begin[%offsets] : !fsm.ptr<i16>, tensor<64x16xi64> -> tensor<64x16xi16>
  %line = fsm.range 0, 1024 : tensor<1024xi32>
  %places = fsm.reshape %line : tensor<1024xi32> -> tensor<64x16xi32>
  fsm.store %values, %out[%places] : tensor<64x16xi16>, !fsm.ptr<i16>, tensor<64x16xi32>
  fsm.return
}
