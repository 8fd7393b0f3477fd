// Truths times -1.21, rounded: -0 or -1. ptxas 13.0 takes a choice between those two f32 for a conversion from an integer,
// which makes +0 of the first, so the choice is one of bits. (Kernel 2044 of a run on an H200 found it.)
//
// RUN: %fsm_run %s --emit=ptx --target=sm_90a --arg=i1[64] --arg=f32[64] -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i1[64]:uniform:1 --arg=f32[64] | FileCheck %s --check-prefix=SIM
//
// CHECK-NOT: selp.f32 {{.*}}0f80000000
// CHECK: selp.b32 {{.*}}-2147483648
// SIM: against interp: 64 elements agree

fsm.kernel @zero_or_minus_one(%in: !fsm.ptr<i1>, %out: !fsm.ptr<f32>) {
  %range = fsm.range 0, 64 : tensor<64xi32>
  %truths = fsm.load %in[%range] : !fsm.ptr<i1>, tensor<64xi32> -> tensor<64xi1>
  %ones = arith.uitofp %truths : tensor<64xi1> to tensor<64xf32>
  %factor = arith.constant dense<-1.21> : tensor<64xf32>
  %products = arith.mulf %ones, %factor : tensor<64xf32>
  %rounded = math.round %products : tensor<64xf32>
  fsm.store %rounded, %out[%range] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
