// The types a GPU computes in, on the oldest target and on one with more
// instructions. Nothing fuses or flushes that was not asked to.

// RUN: %fsm_device_code %s --target=sm_75 > %t.75.ptx
// RUN: %fsm_device_code %s --target=sm_90 > %t.90.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,OLD < %t.75.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,NEW < %t.90.ptx
// RUN: FileCheck %s --check-prefix=NONE < %t.75.ptx
// RUN: FileCheck %s --check-prefix=NONE < %t.90.ptx
// RUN: %if ptxas %{ ptxas -arch sm_75 %t.75.ptx -o %t.cubin %}
// RUN: %if ptxas %{ ptxas -arch sm_90 %t.90.ptx -o %t.cubin %}

// NONE-NOT: .ftz
// NONE-NOT: .extern
// NONE-NOT: call

gpu.module @kernels {
  // CHECK-LABEL: .entry fusing(
  // CHECK: mul.rn.f32
  // CHECK: add.rn.f32
  // CHECK: fma.rn.f32
  gpu.func @fusing(%p: !llvm.ptr<1>, %a: f32, %b: f32) kernel attributes {fsm.num_warps = 1 : i32} {
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %m, %b : f32
    llvm.store volatile %s, %p {alignment = 4 : i64} : f32, !llvm.ptr<1>
    %n = arith.mulf %s, %b fastmath<contract> : f32
    %t = arith.addf %n, %a fastmath<contract> : f32
    llvm.store volatile %t, %p {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: .entry halves(
  // CHECK: ld.global.v4.b32
  // CHECK-COUNT-4: mul.rn.f16x2
  // CHECK: cvt.f32.f16
  // CHECK: cvt.rn.f16{{(x2)?}}.f32
  // CHECK: st.global.v4.b32
  gpu.func @halves(%p: !llvm.ptr<1>) kernel attributes {fsm.num_warps = 1 : i32} {
    %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
    %y = arith.mulf %x, %x : vector<8xf16>
    %w = arith.extf %y : vector<8xf16> to vector<8xf32>
    %r = math.sqrt %w : vector<8xf32>
    %h = arith.truncf %r : vector<8xf32> to vector<8xf16>
    llvm.store %h, %p {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: .entry brains(
  // OLD: mul.rn.f32
  // NEW: mul.rn.bf16x2
  // NEW: cvt.rn.bf16{{(x2)?}}.f32
  // CHECK: st.global
  gpu.func @brains(%p: !llvm.ptr<1>) kernel attributes {fsm.num_warps = 1 : i32} {
    %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xbf16>
    %y = arith.mulf %x, %x : vector<2xbf16>
    %w = arith.extf %y : vector<2xbf16> to vector<2xf32>
    %r = math.sqrt %w : vector<2xf32>
    %h = arith.truncf %r : vector<2xf32> to vector<2xbf16>
    llvm.store %h, %p {alignment = 4 : i64} : vector<2xbf16>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: .entry integers(
  // CHECK: div.s16
  // CHECK: mul.hi.s64
  // CHECK: popc.b64
  // CHECK: rem.u64
  gpu.func @integers(%p: !llvm.ptr<1>, %n: i64, %b: i8) kernel attributes {fsm.num_warps = 1 : i32} {
    %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
    %v = vector.broadcast %b : i8 to vector<4xi8>
    %q = arith.divsi %x, %v : vector<4xi8>
    llvm.store volatile %q, %p {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr<1>
    %y = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xi64>
    %m = vector.broadcast %n : i64 to vector<2xi64>
    %low, %high = arith.mulsi_extended %y, %m : vector<2xi64>
    %c = math.ctpop %high : vector<2xi64>
    %s = arith.addi %c, %y : vector<2xi64>
    %r = arith.remui %s, %m : vector<2xi64>
    llvm.store %r, %p {alignment = 16 : i64} : vector<2xi64>, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: .entry doubles(
  // CHECK: ld.global.v2.b64
  // CHECK: fma.rn.f64
  // CHECK: setp.gt.f64
  // CHECK: selp.b64
  // CHECK: cvt.rni.f64.f64
  // CHECK: st.global.v2.b64
  gpu.func @doubles(%p: !llvm.ptr<1>) kernel attributes {fsm.num_warps = 1 : i32} {
    %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xf64>
    %y = math.fma %x, %x, %x : vector<2xf64>
    %z = arith.maxnumf %x, %y : vector<2xf64>
    %r = math.roundeven %z : vector<2xf64>
    llvm.store %r, %p {alignment = 16 : i64} : vector<2xf64>, !llvm.ptr<1>
    gpu.return
  }

  // A maximum that keeps NaN is one instruction since sm_80.
  // CHECK-LABEL: .entry nan(
  // OLD: setp.nan.f32
  // NEW: max.NaN.f32
  gpu.func @nan(%p: !llvm.ptr<1>, %a: f32, %b: f32) kernel attributes {fsm.num_warps = 1 : i32} {
    %m = arith.maximumf %a, %b : f32
    llvm.store %m, %p {alignment = 4 : i64} : f32, !llvm.ptr<1>
    gpu.return
  }
}
