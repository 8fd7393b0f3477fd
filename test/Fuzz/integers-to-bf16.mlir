// Integers round once to bf16, also a little beside a tie that f32 rounds them to: InstCombine makes one conversion of ours by
// f64, which LLVM 22 computes by f32 before compute capability 9.0. Kernel 1060 of the fuzzer, by hand.
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=i16[64] --arg=i16[64]
// RUN: %fsm_run %s --device=sim --target=sm_80 --compare=interp --grid=1 --arg=i16[64] --arg=i16[64]
// RUN: %fsm_run %s --device=sim --target=sm_90a --compare=interp --grid=1 --arg=i16[64] --arg=i16[64]

fsm.kernel @integers_to_bf16(%unsigned: !fsm.ptr<i16>, %signed: !fsm.ptr<i16>) {
  %places = fsm.range 0, 64 : tensor<64xi32>
  %step = arith.constant dense<8388608> : tensor<64xi32>
  // Between numbers of 8 bits, from 2^30 on, and one more or less.
  %tie = arith.constant dense<1077936128> : tensor<64xi32>
  %one = arith.constant dense<1> : tensor<64xi32>
  %three = arith.constant dense<3> : tensor<64xi32>
  %moved = arith.muli %places, %step : tensor<64xi32>
  %middle = arith.addi %tie, %moved : tensor<64xi32>
  %rest = arith.remui %places, %three : tensor<64xi32>
  %beside = arith.subi %rest, %one : tensor<64xi32>
  %x = arith.addi %middle, %beside : tensor<64xi32>
  %u = arith.uitofp %x : tensor<64xi32> to tensor<64xbf16>
  %zero = arith.constant dense<0> : tensor<64xi32>
  %negative = arith.subi %zero, %x : tensor<64xi32>
  %s = arith.sitofp %negative : tensor<64xi32> to tensor<64xbf16>
  %ubits = arith.bitcast %u : tensor<64xbf16> to tensor<64xi16>
  %sbits = arith.bitcast %s : tensor<64xbf16> to tensor<64xi16>
  fsm.store %ubits, %unsigned[%places] : tensor<64xi16>, !fsm.ptr<i16>, tensor<64xi32>
  fsm.store %sbits, %signed[%places] : tensor<64xi16>, !fsm.ptr<i16>, tensor<64xi32>
  fsm.return
}
