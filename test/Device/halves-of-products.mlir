// The words of all products of three numbers, the upper ones in one order and the lower ones in the other: what multiplies once
// (docs/decisions/0175-both-halves-of-a-product.md) keeps them apart.
//
// RUN: %fsm_run %s --device=sim --grid=1 --arg=i32[384] --arg=i32[192]:uniform:1 --compare=interp
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=i32[384] --arg=i32[192]:uniform:1 --compare=interp

fsm.kernel @products(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %second = fsm.offset %in, %c64 : !fsm.ptr<i32>, i32
  %third = fsm.offset %in, %c128 : !fsm.ptr<i32>, i32
  %x = fsm.load %in[%i] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %y = fsm.load %second[%i] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %z = fsm.load %third[%i] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %0 = fsm.umulhi %x, %y : tensor<64xi32>
  %1 = fsm.umulhi %x, %z : tensor<64xi32>
  %2 = fsm.umulhi %y, %z : tensor<64xi32>
  %3 = arith.muli %y, %z : tensor<64xi32>
  %4 = arith.muli %x, %z : tensor<64xi32>
  %5 = arith.muli %x, %y : tensor<64xi32>
  %row0 = arith.constant 0 : i32
  %to0 = fsm.offset %out, %row0 : !fsm.ptr<i32>, i32
  fsm.store %0, %to0[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %row1 = arith.constant 64 : i32
  %to1 = fsm.offset %out, %row1 : !fsm.ptr<i32>, i32
  fsm.store %1, %to1[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %row2 = arith.constant 128 : i32
  %to2 = fsm.offset %out, %row2 : !fsm.ptr<i32>, i32
  fsm.store %2, %to2[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %row3 = arith.constant 192 : i32
  %to3 = fsm.offset %out, %row3 : !fsm.ptr<i32>, i32
  fsm.store %3, %to3[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %row4 = arith.constant 256 : i32
  %to4 = fsm.offset %out, %row4 : !fsm.ptr<i32>, i32
  fsm.store %4, %to4[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %row5 = arith.constant 320 : i32
  %to5 = fsm.offset %out, %row5 : !fsm.ptr<i32>, i32
  fsm.store %5, %to5[%i] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
