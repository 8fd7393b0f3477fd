// Loops from 0 to a number of 32 bits by a step that is known: no iteration, some, and as many as there can be, where the number
// behind the last one has no room in 32 bits.
//
// DEFINE: %{n} = 0
// DEFINE: %{device} = sim
// DEFINE: %{run} = %fsm_run %s --device=%{device} --kernel=steps --grid=1 --arg=i32[64]:arange --arg=%{n} 2>&1
// RUN: %{run} | FileCheck %s --check-prefix=NONE
// REDEFINE: %{n} = -2147483648
// RUN: %{run} | FileCheck %s --check-prefix=NONE
// REDEFINE: %{n} = -5
// RUN: %{run} | FileCheck %s --check-prefix=NONE
// REDEFINE: %{n} = 1
// RUN: %{run} | FileCheck %s --check-prefix=ONE
// REDEFINE: %{n} = 16777216
// RUN: %{run} | FileCheck %s --check-prefix=ONE
// REDEFINE: %{n} = 16777217
// RUN: %{run} | FileCheck %s --check-prefix=TWO
// REDEFINE: %{n} = 2147483647
// RUN: %{run} | FileCheck %s --check-prefix=MOST
// REDEFINE: %{device} = interp
// RUN: %{run} | FileCheck %s --check-prefix=MOST
//
// NONE: ran = 0{{$}}
// ONE:  ran = 1{{$}}
// TWO:  ran = 2{{$}}
// MOST: ran = 128{{$}}
// NONE: last = -1{{$}}
// ONE:  last = 0{{$}}
// TWO:  last = 16777216{{$}}
// MOST: last = 2130706432{{$}}
// NONE: sum = 0{{$}}
// ONE:  sum = 2016{{$}}
// TWO:  sum = 2016{{$}}
// MOST: sum = 2016{{$}}
// NONE: later = 0{{$}}
// ONE:  later = 0{{$}}
// TWO:  later = 1{{$}}
// MOST: later = 127{{$}}
fsm.kernel @steps(%in: !fsm.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  %step = arith.constant 16777216 : i32
  %range = fsm.range 0, 64 : tensor<64xi32>
  %few = arith.constant dense<64> : tensor<64xi32>
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %times, %last, %sums = scf.for %i = %zero to %n step %step iter_args(%count = %zero, %before = %none, %sum = %zeros) -> (i32, i32, tensor<64xi32>) : i32 {
    %starts = fsm.splat %i : tensor<64xi32>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<64xi32>
    // There is memory for the first block alone.
    %mask = arith.cmpi slt, %offs, %few : tensor<64xi32>
    %x = fsm.load %in[%offs], %mask : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %sum_more = arith.addi %sum, %x : tensor<64xi32>
    %more = arith.addi %count, %one : i32
    scf.yield %more, %i, %sum_more : i32, i32, tensor<64xi32>
  }
  %all = fsm.reduce <sum> %sums axis 0 : tensor<64xi32> -> i32
  // One that begins elsewhere runs once less.
  %later, %later_sum = scf.for %i = %step to %n step %step iter_args(%count = %zero, %sum = %zeros) -> (i32, tensor<64xi32>) : i32 {
    %starts = fsm.splat %i : tensor<64xi32>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<64xi32>
    %mask = arith.cmpi slt, %offs, %few : tensor<64xi32>
    %x = fsm.load %in[%offs], %mask : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
    %sum_more = arith.addi %sum, %x : tensor<64xi32>
    %more = arith.addi %count, %one : i32
    scf.yield %more, %sum_more : i32, tensor<64xi32>
  }
  %nothing = fsm.reduce <sum> %later_sum axis 0 : tensor<64xi32> -> i32
  fsm.print "ran" %times : i32
  fsm.print "last" %last : i32
  fsm.print "sum" %all : i32
  fsm.print "later" %later : i32
  fsm.print "none" %nothing : i32
  fsm.return
}

// Blocks of three arrays, whose addresses each iteration makes anew: whole blocks, each second one, with an offset of its own. As
// a step is more than a block, no first iteration stands in front.
// RUN: %python -c "import numpy; x = numpy.arange(1000, dtype=numpy.int32); o = x * 0; r = numpy.r_[3:259, 515:771]; o[r] = x[r] * x[r] + x[r] * 3; numpy.save(r'%t.npy', o)"
// RUN: %fsm_run %s --kernel=three --device=interp --grid=1 --arg=i32[1000] --arg=i32[1000]:arange --arg=i32[1000]:arange --arg=900 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=three --device=cpu --grid=1 --arg=i32[1000] --arg=i32[1000]:arange --arg=i32[1000]:arange --arg=900 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=three --device=sim --num-warps=1 --grid=1 --arg=i32[1000] --arg=i32[1000]:arange --arg=i32[1000]:arange --arg=900 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=three --device=sim --num-warps=2 --grid=1 --arg=i32[1000] --arg=i32[1000]:arange --arg=i32[1000]:arange --arg=900 --check=0:%t.npy
// RUN: %fsm_run %s --kernel=three --device=sim --num-warps=4 --grid=1 --arg=i32[1000] --arg=i32[1000]:arange --arg=i32[1000]:arange --arg=900 --check=0:%t.npy
fsm.kernel @three(%out: !fsm.ptr<i32>, %x: !fsm.ptr<i32>, %y: !fsm.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 512 : i32
  %range = fsm.range 0, 256 : tensor<256xi32>
  %three = arith.constant dense<3> : tensor<256xi32>
  %ns = fsm.splat %n : tensor<256xi32>
  scf.for %i = %zero to %n step %step : i32 {
    %starts = fsm.splat %i : tensor<256xi32>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<256xi32>
    %mask = arith.cmpi slt, %offs, %ns : tensor<256xi32>
    %at = arith.addi %offs, %three overflow<nsw> : tensor<256xi32>
    %a = fsm.load %x[%at], %mask : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
    %b = fsm.load %y[%at], %mask : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
    %square = arith.muli %a, %b : tensor<256xi32>
    %more = arith.muli %a, %three : tensor<256xi32>
    %sum = arith.addi %square, %more : tensor<256xi32>
    fsm.store %sum, %out[%at], %mask : tensor<256xi32>, !fsm.ptr<i32>, tensor<256xi32>
  }
  fsm.return
}
