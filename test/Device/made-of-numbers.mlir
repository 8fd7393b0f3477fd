// A pointer that is made of a number may point into the buffer of any argument, so that what is stored through it is
// seen through the argument; offsets from one that holds 0 are addresses.

// RUN: %fsm_run %s --device=interp --grid=1 --arg='i32[8]:full:3' --arg='i32[8]:full:5' --out=1:%t.interp.npy
// RUN: %python -c "import numpy, sys; sys.exit(any(numpy.load('%t.interp.npy') != 10))"
// RUN: %fsm_run %s --device=cpu --grid=1 --arg='i32[8]:full:3' --arg='i32[8]:full:5' --out=1:%t.cpu.npy
// RUN: %python -c "import numpy, sys; sys.exit(any(numpy.load('%t.cpu.npy') != 10))"
// RUN: %fsm_run %s --device=sim --grid=1 --arg='i32[8]:full:3' --arg='i32[8]:full:5' --out=1:%t.sim.npy
// RUN: %python -c "import numpy, sys; sys.exit(any(numpy.load('%t.sim.npy') != 10))"

fsm.kernel @stored(%p: !fsm.ptr<i32>, %out: !fsm.ptr<i32>) {
  %at = fsm.range 0, 8 : tensor<8xi32>
  %first = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  %seven = arith.constant dense<7> : tensor<8xi32>
  %more = arith.addi %first, %seven : tensor<8xi32>
  %address = fsm.ptr_to_int %p : !fsm.ptr<i32> -> i64
  %two = arith.constant 2 : i64
  %element = arith.shrui %address, %two : i64
  %start = fsm.splat %element : tensor<8xi64>
  %wide = arith.extsi %at : tensor<8xi32> to tensor<8xi64>
  %places = arith.addi %start, %wide : tensor<8xi64>
  %zero = arith.constant 0 : i64
  %null = fsm.int_to_ptr %zero : i64 -> !fsm.ptr<i32>
  fsm.store %more, %null[%places] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi64>
  %second = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  fsm.store %second, %out[%at] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}
