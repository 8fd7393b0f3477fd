// True is -1 as a signed number, also where it is rounded to bf16 behind other ops on i1: kernel 367 of the fuzzer, by hand.
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=i1[64]:full:1 --arg=i16[64]
// RUN: %fsm_run %s --device=sim --target=sm_80 --compare=interp --grid=1 --arg=i1[64]:full:1 --arg=i16[64]
// RUN: %fsm_run %s --device=sim --target=sm_90a --compare=interp --grid=1 --arg=i1[64]:full:1 --arg=i16[64]

fsm.kernel @signed_truths(%p: !fsm.ptr<i1>, %o: !fsm.ptr<i16>) {
  %a = fsm.range 0, 64 : tensor<64xi32>
  %s = fsm.load %p : !fsm.ptr<i1> -> i1
  %m = fsm.splat %s : tensor<64xi1>
  %x = fsm.load %p[%a], %m, %s : !fsm.ptr<i1>, tensor<64xi32> -> tensor<64xi1>
  %y = arith.muli %x, %m : tensor<64xi1>
  %f = arith.sitofp %y : tensor<64xi1> to tensor<64xbf16>
  %b = arith.bitcast %f : tensor<64xbf16> to tensor<64xi16>
  fsm.store %b, %o[%a] : tensor<64xi16>, !fsm.ptr<i16>, tensor<64xi32>
  fsm.return
}
