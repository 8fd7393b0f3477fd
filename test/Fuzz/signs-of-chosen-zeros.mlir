// A number or zero, by which of them is less, of each number of 16 bits and its bits. LLVM takes x < 0 ? x : 0 for the smaller one, which
// is -0 where x is -0; but neither zero is less, and so the second one is chosen (seed 32000017).
//
// RUN: %fsm_run %s --kernel=words --device=sim --compare=interp --grid=64 --arg=i32[65536x8]
// RUN: %fsm_run %s --kernel=words --device=cpu --compare=interp --grid=64 --arg=i32[65536x8]
// RUN: %fsm_run %s --kernel=halves -D HALF=f16 --device=sim --compare=interp --grid=64 --arg=i16[65536x8]
// RUN: %fsm_run %s --kernel=halves -D HALF=bf16 --device=sim --compare=interp --grid=64 --arg=i16[65536x8]
// RUN: %fsm_run %s --kernel=halves -D HALF=bf16 --device=sim --target=sm_75 --compare=interp --grid=64 --arg=i16[65536x8]
//
// param HALF = f16

fsm.kernel @words(%out: !fsm.ptr<i32>) {
  %program = fsm.program_id x : i32
  %block = arith.constant 1024 : i32
  %first = arith.muli %program, %block : i32
  %firsts = fsm.splat %first : tensor<1024xi32>
  %lane = fsm.range 0, 1024 : tensor<1024xi32>
  %number = arith.addi %firsts, %lane : tensor<1024xi32>
  %eight = arith.constant dense<8> : tensor<1024xi32>
  %at = arith.muli %number, %eight : tensor<1024xi32>
  %factor = arith.constant dense<65536> : tensor<1024xi32>
  %bits = arith.muli %number, %factor : tensor<1024xi32>
  %x = arith.bitcast %bits : tensor<1024xi32> to tensor<1024xf32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %minus = arith.constant dense<-0.0> : tensor<1024xf32>
  %zero_olt = arith.cmpf olt, %x, %zero : tensor<1024xf32>
  %chosen0 = arith.select %zero_olt, %x, %zero : tensor<1024xi1>, tensor<1024xf32>
  %bits0 = arith.bitcast %chosen0 : tensor<1024xf32> to tensor<1024xi32>
  %n0 = arith.constant 0 : i32
  %to0 = fsm.offset %out, %n0 : !fsm.ptr<i32>, i32
  fsm.store %bits0, %to0[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  %chosen1 = arith.select %zero_olt, %zero, %x : tensor<1024xi1>, tensor<1024xf32>
  %bits1 = arith.bitcast %chosen1 : tensor<1024xf32> to tensor<1024xi32>
  %n1 = arith.constant 1 : i32
  %to1 = fsm.offset %out, %n1 : !fsm.ptr<i32>, i32
  fsm.store %bits1, %to1[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  %zero_ogt = arith.cmpf ogt, %x, %zero : tensor<1024xf32>
  %chosen2 = arith.select %zero_ogt, %x, %zero : tensor<1024xi1>, tensor<1024xf32>
  %bits2 = arith.bitcast %chosen2 : tensor<1024xf32> to tensor<1024xi32>
  %n2 = arith.constant 2 : i32
  %to2 = fsm.offset %out, %n2 : !fsm.ptr<i32>, i32
  fsm.store %bits2, %to2[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  %chosen3 = arith.select %zero_ogt, %zero, %x : tensor<1024xi1>, tensor<1024xf32>
  %bits3 = arith.bitcast %chosen3 : tensor<1024xf32> to tensor<1024xi32>
  %n3 = arith.constant 3 : i32
  %to3 = fsm.offset %out, %n3 : !fsm.ptr<i32>, i32
  fsm.store %bits3, %to3[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  %minus_olt = arith.cmpf olt, %x, %minus : tensor<1024xf32>
  %chosen4 = arith.select %minus_olt, %x, %minus : tensor<1024xi1>, tensor<1024xf32>
  %bits4 = arith.bitcast %chosen4 : tensor<1024xf32> to tensor<1024xi32>
  %n4 = arith.constant 4 : i32
  %to4 = fsm.offset %out, %n4 : !fsm.ptr<i32>, i32
  fsm.store %bits4, %to4[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  %chosen5 = arith.select %minus_olt, %minus, %x : tensor<1024xi1>, tensor<1024xf32>
  %bits5 = arith.bitcast %chosen5 : tensor<1024xf32> to tensor<1024xi32>
  %n5 = arith.constant 5 : i32
  %to5 = fsm.offset %out, %n5 : !fsm.ptr<i32>, i32
  fsm.store %bits5, %to5[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  %minus_ogt = arith.cmpf ogt, %x, %minus : tensor<1024xf32>
  %chosen6 = arith.select %minus_ogt, %x, %minus : tensor<1024xi1>, tensor<1024xf32>
  %bits6 = arith.bitcast %chosen6 : tensor<1024xf32> to tensor<1024xi32>
  %n6 = arith.constant 6 : i32
  %to6 = fsm.offset %out, %n6 : !fsm.ptr<i32>, i32
  fsm.store %bits6, %to6[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  %chosen7 = arith.select %minus_ogt, %minus, %x : tensor<1024xi1>, tensor<1024xf32>
  %bits7 = arith.bitcast %chosen7 : tensor<1024xf32> to tensor<1024xi32>
  %n7 = arith.constant 7 : i32
  %to7 = fsm.offset %out, %n7 : !fsm.ptr<i32>, i32
  fsm.store %bits7, %to7[%at] : tensor<1024xi32>, !fsm.ptr<i32>, tensor<1024xi32>
  fsm.return
}

fsm.kernel @halves(%out: !fsm.ptr<i16>) {
  %program = fsm.program_id x : i32
  %block = arith.constant 1024 : i32
  %first = arith.muli %program, %block : i32
  %firsts = fsm.splat %first : tensor<1024xi32>
  %lane = fsm.range 0, 1024 : tensor<1024xi32>
  %number = arith.addi %firsts, %lane : tensor<1024xi32>
  %eight = arith.constant dense<8> : tensor<1024xi32>
  %at = arith.muli %number, %eight : tensor<1024xi32>
  %bits = arith.trunci %number : tensor<1024xi32> to tensor<1024xi16>
  %x = arith.bitcast %bits : tensor<1024xi16> to tensor<1024x${HALF}>
  %zero = arith.constant dense<0.0> : tensor<1024x${HALF}>
  %minus = arith.constant dense<-0.0> : tensor<1024x${HALF}>
  %zero_olt = arith.cmpf olt, %x, %zero : tensor<1024x${HALF}>
  %chosen0 = arith.select %zero_olt, %x, %zero : tensor<1024xi1>, tensor<1024x${HALF}>
  %bits0 = arith.bitcast %chosen0 : tensor<1024x${HALF}> to tensor<1024xi16>
  %n0 = arith.constant 0 : i32
  %to0 = fsm.offset %out, %n0 : !fsm.ptr<i16>, i32
  fsm.store %bits0, %to0[%at] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi32>
  %chosen1 = arith.select %zero_olt, %zero, %x : tensor<1024xi1>, tensor<1024x${HALF}>
  %bits1 = arith.bitcast %chosen1 : tensor<1024x${HALF}> to tensor<1024xi16>
  %n1 = arith.constant 1 : i32
  %to1 = fsm.offset %out, %n1 : !fsm.ptr<i16>, i32
  fsm.store %bits1, %to1[%at] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi32>
  %zero_ogt = arith.cmpf ogt, %x, %zero : tensor<1024x${HALF}>
  %chosen2 = arith.select %zero_ogt, %x, %zero : tensor<1024xi1>, tensor<1024x${HALF}>
  %bits2 = arith.bitcast %chosen2 : tensor<1024x${HALF}> to tensor<1024xi16>
  %n2 = arith.constant 2 : i32
  %to2 = fsm.offset %out, %n2 : !fsm.ptr<i16>, i32
  fsm.store %bits2, %to2[%at] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi32>
  %chosen3 = arith.select %zero_ogt, %zero, %x : tensor<1024xi1>, tensor<1024x${HALF}>
  %bits3 = arith.bitcast %chosen3 : tensor<1024x${HALF}> to tensor<1024xi16>
  %n3 = arith.constant 3 : i32
  %to3 = fsm.offset %out, %n3 : !fsm.ptr<i16>, i32
  fsm.store %bits3, %to3[%at] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi32>
  %minus_olt = arith.cmpf olt, %x, %minus : tensor<1024x${HALF}>
  %chosen4 = arith.select %minus_olt, %x, %minus : tensor<1024xi1>, tensor<1024x${HALF}>
  %bits4 = arith.bitcast %chosen4 : tensor<1024x${HALF}> to tensor<1024xi16>
  %n4 = arith.constant 4 : i32
  %to4 = fsm.offset %out, %n4 : !fsm.ptr<i16>, i32
  fsm.store %bits4, %to4[%at] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi32>
  %chosen5 = arith.select %minus_olt, %minus, %x : tensor<1024xi1>, tensor<1024x${HALF}>
  %bits5 = arith.bitcast %chosen5 : tensor<1024x${HALF}> to tensor<1024xi16>
  %n5 = arith.constant 5 : i32
  %to5 = fsm.offset %out, %n5 : !fsm.ptr<i16>, i32
  fsm.store %bits5, %to5[%at] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi32>
  %minus_ogt = arith.cmpf ogt, %x, %minus : tensor<1024x${HALF}>
  %chosen6 = arith.select %minus_ogt, %x, %minus : tensor<1024xi1>, tensor<1024x${HALF}>
  %bits6 = arith.bitcast %chosen6 : tensor<1024x${HALF}> to tensor<1024xi16>
  %n6 = arith.constant 6 : i32
  %to6 = fsm.offset %out, %n6 : !fsm.ptr<i16>, i32
  fsm.store %bits6, %to6[%at] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi32>
  %chosen7 = arith.select %minus_ogt, %minus, %x : tensor<1024xi1>, tensor<1024x${HALF}>
  %bits7 = arith.bitcast %chosen7 : tensor<1024x${HALF}> to tensor<1024xi16>
  %n7 = arith.constant 7 : i32
  %to7 = fsm.offset %out, %n7 : !fsm.ptr<i16>, i32
  fsm.store %bits7, %to7[%at] : tensor<1024xi16>, !fsm.ptr<i16>, tensor<1024xi32>
  fsm.return
}
