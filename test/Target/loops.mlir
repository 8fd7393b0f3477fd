// A loop that carries a block of numbers, a block of flags and a pointer: each
// register of it stays in one register, and nobody unrolls it.

// RUN: %fsm_device_code %s --target=sm_80 > %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %fsm_device_code %s --target=sm_80 --emit=llvmir | FileCheck %s --check-prefix=LLVMIR
// RUN: %if ptxas %{ ptxas -arch sm_80 %t.ptx -o %t.cubin %}

// CHECK: .maxntid 128
// CHECK-NEXT: .maxnreg 96
// CHECK: .pragma "nounroll";
// CHECK: ld.global.v4.b32
// CHECK-NOT: ld.global
// CHECK-COUNT-8: and.pred
// CHECK-COUNT-8: mul.rn.f32
// CHECK-NOT: fma
// CHECK-COUNT-8: add.rn.f32
// CHECK: bra.uni
// CHECK-COUNT-2: st.global.v4.b32

// LLVMIR-COUNT-8: phi float
// LLVMIR: !llvm.loop
// LLVMIR: !"llvm.loop.unroll.disable"

gpu.module @kernels {
  gpu.func @loop(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1>, %n: i32, %k: i64) kernel attributes {fsm.num_warps = 2 : i32, fsm.programs_per_cta = 2 : i32, fsm.max_registers = 96 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %true = arith.constant dense<true> : vector<8xi1>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %acc:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %f = %true, %ptr = %p) -> (vector<8xf32>, vector<8xi1>, !llvm.ptr<1>) : i32 {
      %src = llvm.getelementptr inbounds %ptr[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xbf16>
      %x = llvm.load %src {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
      %w = arith.extf %x : vector<8xbf16> to vector<8xf32>
      %pos = arith.cmpf ogt, %w, %zero : vector<8xf32>
      %g = arith.andi %f, %pos : vector<8xi1>
      %m = arith.mulf %w, %w : vector<8xf32>
      %b = arith.addf %a, %m : vector<8xf32>
      %next = llvm.getelementptr inbounds %ptr[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, bf16
      scf.yield %b, %g, %next : vector<8xf32>, vector<8xi1>, !llvm.ptr<1>
    } {fsm.no_unroll}
    %sel = arith.select %acc#1, %acc#0, %zero : vector<8xi1>, vector<8xf32>
    %lo = vector.extract_strided_slice %sel {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
    %hi = vector.extract_strided_slice %sel {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
    %d0 = llvm.getelementptr inbounds %q[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xf32>
    %d1 = llvm.getelementptr inbounds %d0[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %lo, %d0 {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    llvm.store %hi, %d1 {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }
}
