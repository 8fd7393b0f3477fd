// Numbers of 16 bits with the other sign, magnitudes and products with a negative power of two, of -32768 and where the product
// is that. ptxas 13.0 computes `neg.s16` in 32 bits and forgets to (docs/decisions/0049-negated-in-32-bits.md).
//
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i16[64]:arange --arg=i32[256]
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=i16[64]:full:-32768 --arg=i32[256]
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=i16[64]:arange --arg=i32[256]
// RUN: %fsm_run %s --device=cpu --compare=interp --grid=1 --arg=i16[64]:full:-32768 --arg=i32[256]

fsm.kernel @signs(%in: !fsm.ptr<i16>, %out: !fsm.ptr<i32>) attributes {num_warps = 1 : i32} {
  %places = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<i16>, tensor<64xi32> -> tensor<64xi16>
  %zero = arith.constant dense<0> : tensor<64xi16>
  %minus_one = arith.constant dense<-1> : tensor<64xi16>
  %least = arith.constant dense<-32768> : tensor<64xi16>
  %power = arith.constant dense<-8192> : tensor<64xi16>
  %negated = arith.subi %zero, %x : tensor<64xi16>
  %is_positive = arith.cmpi sgt, %negated, %minus_one : tensor<64xi16>
  %is_least = arith.cmpi eq, %negated, %least : tensor<64xi16>
  %magnitude = math.absi %x : tensor<64xi16>
  %is_below = arith.cmpi slt, %magnitude, %zero : tensor<64xi16>
  %product = arith.muli %x, %power : tensor<64xi16>
  %wide = arith.extsi %product : tensor<64xi16> to tensor<64xi32>
  %a = arith.extui %is_positive : tensor<64xi1> to tensor<64xi32>
  %b = arith.extui %is_least : tensor<64xi1> to tensor<64xi32>
  %c = arith.extui %is_below : tensor<64xi1> to tensor<64xi32>
  %n = arith.constant dense<64> : tensor<64xi32>
  %p1 = arith.addi %places, %n : tensor<64xi32>
  %p2 = arith.addi %p1, %n : tensor<64xi32>
  %p3 = arith.addi %p2, %n : tensor<64xi32>
  fsm.store %a, %out[%places] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.store %b, %out[%p1] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.store %c, %out[%p2] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.store %wide, %out[%p3] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
