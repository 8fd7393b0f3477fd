// Offsets of i8 that wrap before they are extended. LLVM 22 takes `sext (x - 128)` for `sext x` and -128 where both are
// indices of one pointer, so a thread that holds both left the array: kernel 43 of a run, by hand.
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i8[256]:full:7 --arg=i8[256] --arg=3 --no-specialize

fsm.kernel @wrapped_offsets(%in: !fsm.ptr<i8>, %out: !fsm.ptr<i8>, %n: i32) attributes {num_warps = 1 : i32} {
  %half = arith.constant 128 : i32
  %middle = fsm.offset %in, %half : !fsm.ptr<i8>, i32
  %places = fsm.range 0, 256 : tensor<256xi32>
  %narrow = arith.trunci %places : tensor<256xi32> to tensor<256xi8>
  %some = arith.constant dense<-24> : tensor<256xi32>
  %before = arith.addi %places, %some : tensor<256xi32>
  %others = arith.trunci %before : tensor<256xi32> to tensor<256xi8>
  %one = arith.constant dense<1> : tensor<256xi8>
  // Of x and x - 128 the same.
  %twice = arith.shli %others, %one : tensor<256xi8>
  %number = arith.trunci %n : i32 to i8
  %numbers = fsm.splat %number : tensor<256xi8>
  %quotients = arith.divui %twice, %numbers : tensor<256xi8>
  %sums = arith.addi %narrow, %quotients : tensor<256xi8>
  %offsets = arith.extsi %sums : tensor<256xi8> to tensor<256xi32>
  %values = fsm.load %middle[%offsets] : !fsm.ptr<i8>, tensor<256xi32> -> tensor<256xi8>
  fsm.store %values, %out[%places] : tensor<256xi8>, !fsm.ptr<i8>, tensor<256xi32>
  fsm.return
}
