// The last store to an address is the last that the program has made, also where it is another lane's of the same
// warp: kernel 2341 of the first fuzzer, by hand.
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i32[64] --target=sm_80

fsm.kernel @own_stores(%p: !fsm.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %mask = arith.constant 1023 : i32
  %places = fsm.range 0, 33 : tensor<33xi32>
  scf.for %outer = %c0 to %c3 step %c1 : i32 {
    scf.for %i = %c0 to %c3 step %c1 : i32 {
      %first = arith.andi %i, %mask : i32
      %to = fsm.offset %p, %first : !fsm.ptr<i32>, i32
      fsm.store %places, %to[%places] : tensor<33xi32>, !fsm.ptr<i32>, tensor<33xi32>
    }
  }
  fsm.return
}
