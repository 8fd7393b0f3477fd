// Waits for products begin their blocks, for ptxas lets no products of a kernel overlap otherwise. Where sums are stored
// behind the loop, LLVM computes offsets in front of the wait.

// RUN: %fsm_run %s --target=sm_90a --emit=ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --implicit-check-not=serialized %}

// PTXAS:      Used {{[0-9]+}} registers

// CHECK:      wgmma.commit_group.sync.aligned;
// CHECK:      $L__BB0_{{[0-9]+}}:
// CHECK-NEXT: wgmma.wait_group.sync.aligned 0;
// CHECK:      or.b32
fsm.kernel @product(%a: !fsm.ptr<f16> {fsm.align = 16 : i32}, %b: !fsm.ptr<f16> {fsm.align = 16 : i32}, %out: !fsm.ptr<f16> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 16 : i32}, %k: i32 {fsm.divisible = 16 : i32}) attributes {num_warps = 4 : i32} {
  %cst = arith.constant 0.000000e+00 : f16
  %c32_i64 = arith.constant 32 : i64
  %c0_i64 = arith.constant 0 : i64
  %c31_i32 = arith.constant 31 : i32
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
  %c1_i32 = arith.constant 1 : i32
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %c64_i32 = arith.constant 64 : i32
  %c128_i32 = arith.constant 128 : i32
  %0 = fsm.program_id x : i32
  %1 = arith.muli %0, %c128_i32 overflow<nsw> : i32
  %2 = fsm.range 0, 128 : tensor<128xi32>
  %3 = fsm.splat %1 : tensor<128xi32>
  %4 = arith.addi %3, %2 overflow<nsw> : tensor<128xi32>
  %5 = fsm.program_id y : i32
  %6 = arith.muli %5, %c64_i32 overflow<nsw> : i32
  %7 = fsm.range 0, 64 : tensor<64xi32>
  %8 = fsm.splat %6 : tensor<64xi32>
  %9 = arith.addi %8, %7 overflow<nsw> : tensor<64xi32>
  %10 = fsm.range 0, 32 : tensor<32xi32>
  %11 = fsm.expand_dims %4 axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %12 = fsm.splat %k : tensor<128x1xi32>
  %13 = arith.muli %11, %12 overflow<nsw> : tensor<128x1xi32>
  %14 = fsm.expand_dims %10 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %15 = fsm.broadcast %13 : tensor<128x1xi32> -> tensor<128x32xi32>
  %16 = fsm.broadcast %14 : tensor<1x32xi32> -> tensor<128x32xi32>
  %17 = arith.extsi %15 : tensor<128x32xi32> to tensor<128x32xi64>
  %18 = arith.extsi %16 : tensor<128x32xi32> to tensor<128x32xi64>
  %19 = arith.addi %17, %18 overflow<nsw> : tensor<128x32xi64>
  %20 = fsm.expand_dims %10 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %21 = fsm.splat %n : tensor<32x1xi32>
  %22 = arith.muli %20, %21 overflow<nsw> : tensor<32x1xi32>
  %23 = fsm.expand_dims %9 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %24 = fsm.broadcast %22 : tensor<32x1xi32> -> tensor<32x64xi32>
  %25 = fsm.broadcast %23 : tensor<1x64xi32> -> tensor<32x64xi32>
  %26 = arith.extsi %24 : tensor<32x64xi32> to tensor<32x64xi64>
  %27 = arith.extsi %25 : tensor<32x64xi32> to tensor<32x64xi64>
  %28 = arith.addi %26, %27 overflow<nsw> : tensor<32x64xi64>
  %29 = arith.addi %k, %c31_i32 : i32
  %30 = arith.divsi %29, %c32_i32 : i32
  %31:3 = scf.for %arg0 = %c0_i32 to %30 step %c1_i32 iter_args(%arg1 = %c0_i64, %arg2 = %c0_i64, %arg3 = %cst_0) -> (i64, i64, tensor<128x64xf32>)  : i32 {
    %43 = arith.muli %arg0, %c32_i32 : i32
    %44 = arith.subi %k, %43 : i32
    %45 = fsm.splat %44 : tensor<1x32xi32>
    %46 = arith.cmpi slt, %14, %45 : tensor<1x32xi32>
    %47 = fsm.broadcast %46 : tensor<1x32xi1> -> tensor<128x32xi1>
    %48 = fsm.offset %a, %arg1 : !fsm.ptr<f16>, i64
    %49 = fsm.load %48[%19], %47, %cst : !fsm.ptr<f16>, tensor<128x32xi64> -> tensor<128x32xf16>
    %50 = fsm.splat %44 : tensor<32x1xi32>
    %51 = arith.cmpi slt, %20, %50 : tensor<32x1xi32>
    %52 = fsm.broadcast %51 : tensor<32x1xi1> -> tensor<32x64xi1>
    %53 = fsm.offset %b, %arg2 : !fsm.ptr<f16>, i64
    %54 = fsm.load %53[%28], %52, %cst : !fsm.ptr<f16>, tensor<32x64xi64> -> tensor<32x64xf16>
    %55 = fsm.dot %49, %54, %arg3 : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
    %56 = arith.addi %arg1, %c32_i64 : i64
    %57 = arith.muli %n, %c32_i32 overflow<nsw> : i32
    %58 = arith.extsi %57 : i32 to i64
    %59 = arith.addi %arg2, %58 : i64
    scf.yield %56, %59, %55 : i64, i64, tensor<128x64xf32>
  } {fsm.num_stages = 4 : i32}
  %32 = fsm.splat %n : tensor<1x64xi32>
  %33 = arith.cmpi slt, %23, %32 : tensor<1x64xi32>
  %34 = fsm.splat %n : tensor<128x1xi32>
  %35 = arith.muli %11, %34 overflow<nsw> : tensor<128x1xi32>
  %36 = fsm.broadcast %35 : tensor<128x1xi32> -> tensor<128x64xi32>
  %37 = fsm.broadcast %23 : tensor<1x64xi32> -> tensor<128x64xi32>
  %38 = arith.extsi %36 : tensor<128x64xi32> to tensor<128x64xi64>
  %39 = arith.extsi %37 : tensor<128x64xi32> to tensor<128x64xi64>
  %40 = arith.addi %38, %39 overflow<nsw> : tensor<128x64xi64>
  %41 = arith.truncf %31#2 : tensor<128x64xf32> to tensor<128x64xf16>
  %42 = fsm.broadcast %33 : tensor<1x64xi1> -> tensor<128x64xi1>
  fsm.store %41, %out[%40], %42 : tensor<128x64xf16>, !fsm.ptr<f16>, tensor<128x64xi64>
  fsm.return
}
