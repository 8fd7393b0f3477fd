// All that the load of this loop needs is computed in front of it, so that the load begins the body: what is chosen where
// its mask is false comes behind it all the same. (Kernel 50233 of tools/dev/fuzz, shortened by hand.)
//
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=f32[64]:randn:1 --arg=f32[64] --arg=2 | FileCheck %s
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=f32[64]:randn:1 --arg=f32[64] --arg=0 | FileCheck %s
// CHECK: '%out: !fsm.ptr<f32>' against interp: 64 elements agree

fsm.kernel @begins(%in: !fsm.ptr<f32>, %out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 2 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %nine = arith.constant dense<9> : tensor<64xi32>
  %other = arith.constant 3.0 : f32
  %none = arith.constant dense<0.5> : tensor<64xf32>
  %range = fsm.range 0, 64 : tensor<64xi32>
  %mask = arith.cmpi slt, %range, %nine : tensor<64xi32>
  %last = scf.for %i = %zero to %n step %one iter_args(%x = %none) -> (tensor<64xf32>) : i32 {
    %loaded = fsm.load %in[%range], %mask, %other : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %sum = arith.addf %loaded, %x : tensor<64xf32>
    scf.yield %sum : tensor<64xf32>
  } {fsm.num_stages = 3 : i32}
  fsm.store %last, %out[%range] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}
