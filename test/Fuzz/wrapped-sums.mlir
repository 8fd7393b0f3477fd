// Sums of i16 that wrap, widened without a sign to an index. Where a load's address has `cvt.u64.u16` of a sum in it, ptxas
// 13.0 leaves the wrapping out, so such sums are widened to 32 bits first; those that cannot wrap are not. (Kernels 35583 and
// 38949 of a run on an H200 found it.)
//
// RUN: %python -c "import numpy; numpy.save('%t.x.npy', (numpy.arange(64) * 1024 + 1000).astype('u2').view('i2')); numpy.save('%t.bytes.npy', numpy.random.default_rng(1).integers(-128, 128, 65536).astype('i1'))"
// RUN: %fsm_run %s --emit=ptx --target=sm_90a --arg=i16[64] --arg=i8[65536] --arg=i8[64] --arg=i8[64] --arg=i8[64] -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=@%t.x.npy --arg=@%t.bytes.npy --arg=i8[64] --arg=i8[64] --arg=i8[64] --out=2:%t.0.npy --out=3:%t.1.npy --out=4:%t.2.npy
// RUN: %python -c "import numpy; x = numpy.arange(64) * 1024 + 1000; t = numpy.load('%t.bytes.npy'); at = lambda n: t[n %% 65536]; r = [at(x + 128), at(x %% 4096 + 128), sum(at(x + 300 * i) for i in range(4)).astype('i1')]; print([int((numpy.load(f'%t.{i}.npy') == r[i]).sum()) for i in range(3)])" | FileCheck %s --check-prefix=OUT
//
// CHECK-NOT: cvt.u64.u16
// CHECK: add.s16 [[SUM:%rs[0-9]+]], {{%rs[0-9]+}}, 128;
// CHECK: cvt.u32.u16 [[WORD:%r[0-9]+]], [[SUM]];
// CHECK: cvt.u64.u32 [[INDEX:%rd[0-9]+]], [[WORD]];
// CHECK: add.s64 {{.*}}, [[INDEX]];
// CHECK: cvt.u64.u16
// CHECK: ld.global{{.*}}+128];
// CHECK-NOT: cvt.u64.u16
// OUT: [64, 64, 64]

fsm.kernel @wrapped_sums(%in: !fsm.ptr<i16>, %bytes: !fsm.ptr<i8>, %out: !fsm.ptr<i8>, %out1: !fsm.ptr<i8>,
                         %out2: !fsm.ptr<i8>) attributes {num_warps = 2 : i32} {
  %range = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%range] : !fsm.ptr<i16>, tensor<64xi32> -> tensor<64xi16>
  %c128 = arith.constant dense<128> : tensor<64xi16>
  %sum = arith.addi %x, %c128 : tensor<64xi16>
  %index = arith.extui %sum : tensor<64xi16> to tensor<64xi32>
  %byte = fsm.load %bytes[%index] : !fsm.ptr<i8>, tensor<64xi32> -> tensor<64xi8>
  fsm.store %byte, %out[%range] : tensor<64xi8>, !fsm.ptr<i8>, tensor<64xi32>

  %c4095 = arith.constant dense<4095> : tensor<64xi16>
  %low = arith.andi %x, %c4095 : tensor<64xi16>
  %sum1 = arith.addi %low, %c128 : tensor<64xi16>
  %index1 = arith.extui %sum1 : tensor<64xi16> to tensor<64xi64>
  %byte1 = fsm.load %bytes[%index1] : !fsm.ptr<i8>, tensor<64xi64> -> tensor<64xi8>
  fsm.store %byte1, %out1[%range] : tensor<64xi8>, !fsm.ptr<i8>, tensor<64xi32>

  // ptxas unrolls this loop: a sum is what the last iteration leaves.
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %none = arith.constant dense<0> : tensor<64xi8>
  %c300 = arith.constant dense<300> : tensor<64xi16>
  %last, %total = scf.for %i = %zero to %four step %one iter_args(%n = %x, %before = %none) -> (tensor<64xi16>, tensor<64xi8>) : i32 {
    %index2 = arith.extui %n : tensor<64xi16> to tensor<64xi32>
    %byte2 = fsm.load %bytes[%index2] : !fsm.ptr<i8>, tensor<64xi32> -> tensor<64xi8>
    %after = arith.addi %before, %byte2 : tensor<64xi8>
    %next = arith.addi %n, %c300 : tensor<64xi16>
    scf.yield %next, %after : tensor<64xi16>, tensor<64xi8>
  }
  fsm.store %total, %out2[%range] : tensor<64xi8>, !fsm.ptr<i8>, tensor<64xi32>
  fsm.return
}
