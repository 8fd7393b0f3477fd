// What is planned reaches the code generator, and no kernel of straight code is told anything.

// RUN: %fsm_run %s --kernel=carried --target=sm_90a --emit=ptx | FileCheck %s --check-prefix=CARRIED
// RUN: %fsm_run %s --kernel=straight --target=sm_90a --emit=ptx | FileCheck %s --check-prefix=STRAIGHT
// CARRIED: .maxntid 256
// CARRIED: .minnctapersm 2
// STRAIGHT: .maxntid 256
// STRAIGHT-NOT: .minnctapersm

fsm.kernel @carried(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = fsm.range 0, 8192 : tensor<8192xi32>
  %x = fsm.load %p[%r] : !fsm.ptr<f32>, tensor<8192xi32> -> tensor<8192xf32>
  %sums:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x) -> (tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>) : i32 {
    %a1 = arith.addf %a, %b : tensor<8192xf32>
    %b1 = arith.mulf %b, %c : tensor<8192xf32>
    %c2 = arith.subf %c, %a : tensor<8192xf32>
    scf.yield %a1, %b1, %c2 : tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>
  }
  %ab = arith.addf %sums#0, %sums#1 : tensor<8192xf32>
  %abc = arith.addf %ab, %sums#2 : tensor<8192xf32>
  fsm.store %abc, %p[%r] : tensor<8192xf32>, !fsm.ptr<f32>, tensor<8192xi32>
  fsm.return
}

fsm.kernel @straight(%p: !fsm.ptr<f32>) attributes {num_warps = 8 : i32} {
  %r = fsm.range 0, 8192 : tensor<8192xi32>
  %x = fsm.load %p[%r] : !fsm.ptr<f32>, tensor<8192xi32> -> tensor<8192xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<8192xf32> -> f32
  %s = fsm.splat %sum : tensor<8192xf32>
  %y = arith.subf %x, %s : tensor<8192xf32>
  fsm.store %y, %p[%r] : tensor<8192xf32>, !fsm.ptr<f32>, tensor<8192xi32>
  fsm.return
}
