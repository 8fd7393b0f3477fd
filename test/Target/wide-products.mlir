// Both halves of a product stand side by side, wherever the kernel has them: ptxas makes one instruction of neighbours only.

// RUN: %fsm_run %s --target=sm_90a --emit=ptx | grep -v '\.loc' | FileCheck %s

// CHECK:      mul.hi.u32 %[[A:r[0-9]+]], %[[X:r[0-9]+]],
// CHECK-NEXT: mul.lo.s32 %{{r[0-9]+}}, %[[X]], -766435501;
// CHECK-NEXT: mul.hi.u32 %{{r[0-9]+}}, %[[Y:r[0-9]+]],
// CHECK-NEXT: mul.lo.s32 %{{r[0-9]+}}, %[[Y]], -766435501;
// CHECK:      mul.lo.s32
// CHECK-NEXT: mul.hi.u32
// CHECK-NEXT: mul.lo.s32
// CHECK-NEXT: mul.hi.u32
// CHECK-NOT:  mul.hi.u32
fsm.kernel @products(%out: !fsm.ptr<i32> {fsm.align = 16 : i32}, %in: !fsm.ptr<i32> {fsm.align = 16 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %factor = arith.constant dense<-766435501> : tensor<64xi32>
  %high = fsm.umulhi %x, %factor : tensor<64xi32>
  %low = arith.muli %x, %factor : tensor<64xi32>
  // What is between them, and the other way round.
  %turned = arith.xori %high, %x : tensor<64xi32>
  %sum = arith.muli %turned, %low : tensor<64xi32>
  %mixed = arith.xori %sum, %x : tensor<64xi32>
  %other = fsm.umulhi %low, %turned : tensor<64xi32>
  %all = arith.addi %mixed, %other : tensor<64xi32>
  fsm.store %all, %out[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
