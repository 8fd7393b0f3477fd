// Offsets that are the lower 8 bits of sums. LLVM 22 takes `zext (trunc (x + 128))` for `zext (trunc x)` and 128 where both
// are indices of one pointer, so a thread that holds element i and element i + 128 read the second behind the first 256:
// kernel 740944 of a run, by hand.
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[512]:arange --arg=i32[512] --arg=3

fsm.kernel @parts_of_sums(%in: !fsm.ptr<i32>, %out: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 2 : i32} {
  %places = fsm.range 0, 512 : tensor<512xi32>
  %three = arith.constant 3 : i32
  %few = arith.andi %n, %three : i32
  %group = arith.constant 32 : i32
  %begin = arith.muli %few, %group overflow<nsw> : i32
  %begins = fsm.splat %begin : tensor<512xi32>
  %sums = arith.addi %places, %begins overflow<nsw> : tensor<512xi32>
  %narrow = arith.trunci %sums : tensor<512xi32> to tensor<512xi8>
  %one = arith.constant dense<1> : tensor<512xi8>
  %odd = arith.ori %narrow, %one : tensor<512xi8>
  %offsets = arith.extui %odd : tensor<512xi8> to tensor<512xi32>
  %values = fsm.load %in[%offsets] : !fsm.ptr<i32>, tensor<512xi32> -> tensor<512xi32>
  // Two of these are equal, so accesses have two elements, and the next ones of a thread are 128 behind.
  %most = arith.constant dense<99> : tensor<512xi8>
  %mask = arith.cmpi uge, %most, %odd : tensor<512xi8>
  %own = fsm.load %in[%places], %mask : !fsm.ptr<i32>, tensor<512xi32> -> tensor<512xi32>
  %both = arith.addi %values, %own : tensor<512xi32>
  fsm.store %both, %out[%places] : tensor<512xi32>, !fsm.ptr<i32>, tensor<512xi32>
  fsm.return
}
