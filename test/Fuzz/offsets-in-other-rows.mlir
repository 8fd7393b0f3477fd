// A reshape between a range and what a loop carries: its elements are kept, for the loop's end reads them, and the plan for
// the CPU has to keep those of the range as well, which another row of them begins with. Kernels 129 and 3191 of a run, by hand.
// RUN: %fsm_run %s --kernel=offsets_in_other_rows --device=cpu --compare=interp --grid=1 --arg=i8[256]:full:7 --arg=i8[256] --arg=3 --without=canonicalize,cse,fsm-combine,loop-invariant-code-motion
// RUN: %fsm_run %s --kernel=from_outside --device=cpu --compare=interp --grid=1 --arg=i8[256]:full:7 --arg=i8[256] --arg=3 --without=canonicalize,cse,fsm-combine,loop-invariant-code-motion

fsm.kernel @offsets_in_other_rows(%in: !fsm.ptr<i8>, %out: !fsm.ptr<i8>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %nothing = arith.constant dense<0> : tensor<2x128xi8>
  %line = fsm.range 8, 264 : tensor<256xi32>
  %first = fsm.reshape %line : tensor<256xi32> -> tensor<2x128xi32>
  %ns = fsm.splat %n : tensor<2x128xi32>
  %last:2 = scf.for %i = %zero to %n step %one iter_args(%read = %nothing, %number = %first)
      -> (tensor<2x128xi8>, tensor<2x128xi32>) : i32 {
    %mask = arith.cmpi sge, %number, %ns : tensor<2x128xi32>
    %range = fsm.range 0, 256 : tensor<256xi32>
    %places = fsm.reshape %range : tensor<256xi32> -> tensor<2x128xi32>
    %values = fsm.load %in[%places], %mask : !fsm.ptr<i8>, tensor<2x128xi32> -> tensor<2x128xi8>
    %next = arith.addi %number, %ns : tensor<2x128xi32>
    scf.yield %values, %next : tensor<2x128xi8>, tensor<2x128xi32>
  }
  %range = fsm.range 0, 256 : tensor<256xi32>
  %places = fsm.reshape %range : tensor<256xi32> -> tensor<2x128xi32>
  fsm.store %last#0, %out[%places] : tensor<2x128xi8>, !fsm.ptr<i8>, tensor<2x128xi32>
  fsm.return
}

// The range is in another block of IR.
fsm.kernel @from_outside(%in: !fsm.ptr<i8>, %out: !fsm.ptr<i8>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %range = fsm.range 0, 256 : tensor<256xi32>
  %nothing = arith.constant dense<0> : tensor<2x128xi8>
  %line = fsm.range 8, 264 : tensor<256xi32>
  %first = fsm.reshape %line : tensor<256xi32> -> tensor<2x128xi32>
  %ns = fsm.splat %n : tensor<2x128xi32>
  %last:2 = scf.for %i = %zero to %n step %one iter_args(%read = %nothing, %number = %first)
      -> (tensor<2x128xi8>, tensor<2x128xi32>) : i32 {
    %mask = arith.cmpi sge, %number, %ns : tensor<2x128xi32>
    %places = fsm.reshape %range : tensor<256xi32> -> tensor<2x128xi32>
    %values = fsm.load %in[%places], %mask : !fsm.ptr<i8>, tensor<2x128xi32> -> tensor<2x128xi8>
    %next = arith.addi %number, %ns : tensor<2x128xi32>
    scf.yield %values, %next : tensor<2x128xi8>, tensor<2x128xi32>
  }
  %places = fsm.reshape %range : tensor<256xi32> -> tensor<2x128xi32>
  fsm.store %last#0, %out[%places] : tensor<2x128xi8>, !fsm.ptr<i8>, tensor<2x128xi32>
  fsm.return
}
