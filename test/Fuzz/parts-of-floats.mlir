// The lower bits of floats, stored. ptxas 13.0 converts the number where a store takes fewer bits than an instruction for
// floats wrote, so the bits are moved first. (Kernel 14528 of a run on an H200 found it.)
//
// RUN: %fsm_run %s --emit=ptx --target=sm_90a --arg=f32[64] --arg=f64[64] --arg=f16[64] --arg=i16[64] --arg=i32[64] --arg=i8[64] -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %fsm_run %s --device=sim --compare=interp --grid=1 --arg=f32[64]:randn:1 --arg=f64[64]:randn:2 --arg=f16[64]:randn:3 --arg=i16[64] --arg=i32[64] --arg=i8[64] | FileCheck %s --check-prefix=SIM
//
// CHECK: add.rn.f32 [[SUM32:%r[0-9]+]],
// CHECK: mov.b32 [[BITS32:%r[0-9]+]], [[SUM32]];
// CHECK: st.global.b16 {{.*}}, [[BITS32]];
// CHECK: add.rn.f64 [[SUM64:%rd[0-9]+]],
// CHECK: mov.b64 [[BITS64:%rd[0-9]+]], [[SUM64]];
// CHECK: st.global.b32 {{.*}}, [[BITS64]];
// CHECK: add.rn.f16 [[SUM16:%rs[0-9]+]],
// CHECK: mov.b16 [[BITS16:%rs[0-9]+]], [[SUM16]];
// CHECK: st.global.b8 {{.*}}, [[BITS16]];
// SIM: '%out: {{.*}} against interp: 64 elements agree exactly
// SIM: '%out1: {{.*}} against interp: 64 elements agree exactly
// SIM: '%out2: {{.*}} against interp: 64 elements agree exactly

fsm.kernel @parts_of_floats(%in: !fsm.ptr<f32>, %in1: !fsm.ptr<f64>, %in2: !fsm.ptr<f16>, %out: !fsm.ptr<i16>,
                            %out1: !fsm.ptr<i32>, %out2: !fsm.ptr<i8>) attributes {num_warps = 2 : i32} {
  %range = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %sum = arith.addf %x, %x : tensor<64xf32>
  %bits = arith.bitcast %sum : tensor<64xf32> to tensor<64xi32>
  %part = arith.trunci %bits : tensor<64xi32> to tensor<64xi16>
  fsm.store %part, %out[%range] : tensor<64xi16>, !fsm.ptr<i16>, tensor<64xi32>
  %x1 = fsm.load %in1[%range] : !fsm.ptr<f64>, tensor<64xi32> -> tensor<64xf64>
  %sum1 = arith.addf %x1, %x1 : tensor<64xf64>
  %bits1 = arith.bitcast %sum1 : tensor<64xf64> to tensor<64xi64>
  %part1 = arith.trunci %bits1 : tensor<64xi64> to tensor<64xi32>
  fsm.store %part1, %out1[%range] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %x2 = fsm.load %in2[%range] : !fsm.ptr<f16>, tensor<64xi32> -> tensor<64xf16>
  %sum2 = arith.addf %x2, %x2 : tensor<64xf16>
  %bits2 = arith.bitcast %sum2 : tensor<64xf16> to tensor<64xi16>
  %part2 = arith.trunci %bits2 : tensor<64xi16> to tensor<64xi8>
  fsm.store %part2, %out2[%range] : tensor<64xi8>, !fsm.ptr<i8>, tensor<64xi32>
  fsm.return
}
