// Extremes of i16 and i8 that are compared with what they may be. ptxas 13.0 takes one operand for the other there, so
// extremes are of 32 bits. (Kernel 12973 of a run on an H200 found it.)
//
// RUN: %fsm_run %s --emit=ptx --target=sm_90a --arg=i16[64] --arg=i8[64] --arg=i16[192] -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %python -c "import numpy; n = numpy.arange(64) - 32; numpy.save('%t.16.npy', (n * 64).astype('i2')); numpy.save('%t.8.npy', n.astype('i1'))"
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=@%t.16.npy --arg=@%t.8.npy --arg=i16[192] --out=2:%t.out.npy | FileCheck %s --check-prefix=SIM
// RUN: %python -c "import numpy; print((numpy.load('%t.out.npy').reshape(3, 64) == [[994], [2017], [5]]).sum(1))" | FileCheck %s --check-prefix=OUT
//
// CHECK-NOT: {{(min|max)\.[su]16}}
// CHECK: min.s32
// CHECK-NOT: {{(min|max)\.[su]16}}
// CHECK: max.u32
// CHECK-NOT: {{(min|max)\.[su]16}}
// CHECK: max.s32
// CHECK-NOT: {{(min|max)\.[su]16}}
// SIM: against interp: 192 elements agree
// Of 32 n, 32 are at least 993; of 64 (n - 32), 32 are neither below 0 nor above 2016; 37 of n - 32 are at most 4, and 5 stays 5.
// OUT: [32 32 38]

fsm.kernel @narrow_extremes(%in: !fsm.ptr<i16>, %bytes: !fsm.ptr<i8>, %out: !fsm.ptr<i16>) {
  %range = fsm.range 0, 64 : tensor<64xi32>
  %row = arith.constant 64 : i32
  %n = arith.trunci %range : tensor<64xi32> to tensor<64xi16>
  %c5_i16 = arith.constant dense<5> : tensor<64xi16>
  %x32 = arith.shli %n, %c5_i16 overflow<nsw> : tensor<64xi16>
  %x = fsm.load %in[%range] : !fsm.ptr<i16>, tensor<64xi32> -> tensor<64xi16>
  %c993 = arith.constant dense<993> : tensor<64xi16>
  %c992 = arith.constant dense<992> : tensor<64xi16>
  %least = arith.minsi %x32, %c993 : tensor<64xi16>
  %is_993 = arith.cmpi slt, %c992, %least : tensor<64xi16>
  %first = arith.extui %is_993 : tensor<64xi1> to tensor<64xi16>
  %sum = arith.addi %least, %first : tensor<64xi16>
  fsm.store %sum, %out[%range] : tensor<64xi16>, !fsm.ptr<i16>, tensor<64xi32>
  %out1 = fsm.offset %out, %row : !fsm.ptr<i16>, i32
  %c2016 = arith.constant dense<2016> : tensor<64xi16>
  %c2017 = arith.constant dense<2017> : tensor<64xi16>
  %most = arith.maxui %x, %c2016 : tensor<64xi16>
  %is_2016 = arith.cmpi ult, %most, %c2017 : tensor<64xi16>
  %second = arith.extui %is_2016 : tensor<64xi1> to tensor<64xi16>
  %sum1 = arith.addi %most, %second : tensor<64xi16>
  fsm.store %sum1, %out1[%range] : tensor<64xi16>, !fsm.ptr<i16>, tensor<64xi32>
  %out2 = fsm.offset %out1, %row : !fsm.ptr<i16>, i32
  %y = fsm.load %bytes[%range] : !fsm.ptr<i8>, tensor<64xi32> -> tensor<64xi8>
  %c4 = arith.constant dense<4> : tensor<64xi8>
  %c5 = arith.constant dense<5> : tensor<64xi8>
  %is_more = arith.cmpi sgt, %y, %c4 : tensor<64xi8>
  %larger = arith.select %is_more, %y, %c4 : tensor<64xi1>, tensor<64xi8>
  %is_4 = arith.cmpi slt, %larger, %c5 : tensor<64xi8>
  %wide = arith.extsi %larger : tensor<64xi8> to tensor<64xi16>
  %third = arith.extui %is_4 : tensor<64xi1> to tensor<64xi16>
  %sum2 = arith.addi %wide, %third : tensor<64xi16>
  fsm.store %sum2, %out2[%range] : tensor<64xi16>, !fsm.ptr<i16>, tensor<64xi32>
  fsm.return
}
