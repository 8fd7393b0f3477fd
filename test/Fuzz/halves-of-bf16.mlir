// The bf16 of two warps in one word that all threads load, and a choice between the two: its bits may be in uniform registers,
// and ptxas 13.0 takes the upper half out of a register that nobody wrote (docs/decisions/0050-halves-of-uniform-words.md).
// By hand, after kernel 2103185 of a run on an H200.
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=bf16[64]:randn:3 --arg=i32[1024]:arange --arg=bf16[1] --arg=i32[64]
// RUN: %fsm_run %s --emit=ptx --target=sm_90a | FileCheck %s
// CHECK-NOT: ld.shared.v2.b16
// CHECK: shr.u32 [[UPPER:%r[0-9]+]], {{%r[0-9]+}}, 16;
// CHECK: cvt.u16.u32 {{.*}}, [[UPPER]];

fsm.kernel @largest(%in: !fsm.ptr<bf16>, %data: !fsm.ptr<i32>, %most: !fsm.ptr<bf16>, %out: !fsm.ptr<i32>) attributes {num_warps = 4 : i32} {
  %places = fsm.range 0, 64 : tensor<64xi32>
  %numbers = fsm.load %in[%places] : !fsm.ptr<bf16>, tensor<64xi32> -> tensor<64xbf16>
  %best:2 = fsm.reduce_with %numbers, %places axis 0 : tensor<64xbf16>, tensor<64xi32> -> bf16, i32 {
  ^bb0(%a: bf16, %i: i32, %b: bf16, %j: i32):
    %more = arith.cmpf ogt, %a, %b : bf16
    %same = arith.cmpf oeq, %a, %b : bf16
    %first = arith.cmpi slt, %i, %j : i32
    %tie = arith.andi %same, %first : i1
    %left = arith.ori %more, %tie : i1
    %value = arith.select %left, %a, %b : bf16
    %place = arith.select %left, %i, %j : i32
    fsm.yield %value, %place : bf16, i32
  }
  fsm.store %best#0, %most : bf16, !fsm.ptr<bf16>
  %begin = fsm.offset %data, %best#1 : !fsm.ptr<i32>, i32
  %row = fsm.load %begin[%places] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  fsm.store %row, %out[%places] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
