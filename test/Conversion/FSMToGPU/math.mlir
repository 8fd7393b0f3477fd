// Element-wise ops on a thread: what they cost. Their values are test/Device/elementwise.py's.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#two = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#four = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// A product and an instruction per element.
// CHECK-LABEL: gpu.func @exponential(
// CHECK:         arith.constant dense<1.442695
// CHECK:         arith.mulf {{.*}} : vector<4xf32>
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
// CHECK-NOT:     llvm.call_intrinsic
// CHECK-NOT:     arith.{{.*}} : vector<4xf32>
// CHECK:         gpu.return
fsm.kernel @exponential(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %y = math.exp %x : tensor<128xf32, #four>
  fsm.store %y, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// One reciprocal for all elements, then two products: decision 6.
// CHECK-LABEL: gpu.func @divide_by_one_number(
// CHECK:         "llvm.nvvm.rcp.approx.ftz.f"
// CHECK-NOT:     llvm.call_intrinsic
// CHECK:         arith.mulf {{.*}} : vector<4xf32>
// CHECK-NEXT:    arith.mulf {{.*}} : vector<4xf32>
// CHECK-NOT:     llvm.call_intrinsic
// CHECK:         gpu.return
fsm.kernel @divide_by_one_number(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %s: f32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %d = fsm.splat %s : tensor<128xf32, #four>
  %y = arith.divf %x, %d : tensor<128xf32, #four>
  fsm.store %y, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Divisors that differ are divided by.
// CHECK-LABEL: gpu.func @divide(
// CHECK-COUNT-4: "llvm.nvvm.div.full"
// CHECK-NOT:     llvm.call_intrinsic
// CHECK:         gpu.return
fsm.kernel @divide(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %y = arith.divf %x, %x : tensor<128xf32, #four>
  fsm.store %y, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Division of f64 is correctly rounded.
// CHECK-LABEL: gpu.func @divide_f64(
// CHECK-NOT:     llvm.call_intrinsic
// CHECK:         arith.divf {{.*}} : vector<4xf64>
// CHECK:         gpu.return
fsm.kernel @divide_f64(%out: !fsm.ptr<f64>, %in: !fsm.ptr<f64>, %s: f64) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f64>, tensor<128xi32, #four> -> tensor<128xf64, #four>
  %d = fsm.splat %s : tensor<128xf64, #four>
  %y = arith.divf %x, %d : tensor<128xf64, #four>
  fsm.store %y, %out[%o] : tensor<128xf64, #four>, !fsm.ptr<f64>, tensor<128xi32, #four>
  fsm.return
}

// `afn` asks for the hardware's instructions.
// CHECK-LABEL: gpu.func @fast(
// CHECK-COUNT-4: "llvm.nvvm.lg2.approx.ftz.f"
// CHECK-NOT:     arith.
// CHECK:         math.sin {{.*}} fastmath<afn> : vector<4xf32>
// CHECK-NEXT:    math.tanh {{.*}} fastmath<afn> : vector<4xf32>
// CHECK:         gpu.return
fsm.kernel @fast(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %a = math.log2 %x fastmath<afn> : tensor<128xf32, #four>
  %b = math.sin %a fastmath<afn> : tensor<128xf32, #four>
  %y = math.tanh %b fastmath<afn> : tensor<128xf32, #four>
  fsm.store %y, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Maxima and minima are instructions, with NaN or without.
// CHECK-LABEL: gpu.func @extremes(
// CHECK:         arith.maximumf {{.*}} : vector<4xf32>
// CHECK-NEXT:    arith.minnumf {{.*}} : vector<4xf32>
// CHECK-NEXT:    arith.minimumf {{.*}} : vector<4xf32>
// CHECK-NEXT:    arith.maxnumf {{.*}} : vector<4xf32>
// CHECK-NOT:     arith.select
// CHECK:         gpu.return
fsm.kernel @extremes(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %e = arith.negf %x : tensor<128xf32, #four>
  %a = arith.maximumf %x, %e : tensor<128xf32, #four>
  %b = arith.minnumf %a, %x : tensor<128xf32, #four>
  %c = arith.minimumf %b, %e : tensor<128xf32, #four>
  %y = arith.maxnumf %c, %x : tensor<128xf32, #four>
  fsm.store %y, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// The reduction of huge angles is there once, for four elements.
// CHECK-LABEL: gpu.func @sine(
// CHECK-NOT:     mului_extended
// CHECK:         scf.while
// CHECK:         scf.condition
// CHECK:         arith.extf {{.*}} : f32 to f64
// CHECK-COUNT-2: arith.mului_extended
// CHECK-NOT:     mului_extended
// CHECK:         scf.yield
// CHECK-NOT:     f64
// CHECK:         gpu.return
fsm.kernel @sine(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %y = math.sin %x : tensor<128xf32, #four>
  fsm.store %y, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// A polynomial: no library is linked.
// CHECK-LABEL: gpu.func @exponential_f64(
// CHECK-NOT:      call
// CHECK:          arith.constant dense<0x4338000000000000>
// CHECK-COUNT-15: math.fma {{.*}} : vector<4xf64>
// CHECK-NOT:      math.fma
// CHECK-NOT:      {{call|math.exp}}
// CHECK:          gpu.return
fsm.kernel @exponential_f64(%out: !fsm.ptr<f64>, %in: !fsm.ptr<f64>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f64>, tensor<128xi32, #four> -> tensor<128xf64, #four>
  %y = math.exp %x : tensor<128xf64, #four>
  fsm.store %y, %out[%o] : tensor<128xf64, #four>, !fsm.ptr<f64>, tensor<128xi32, #four>
  fsm.return
}

// The upper half of a product is an instruction, not a shift of one in twice the bits, which LLVM would make of all behind it; of fewer
// bits there is none.
// CHECK-LABEL: gpu.func @upper_halves
// CHECK:         llvm.call_intrinsic "llvm.nvvm.mulhi.ui"({{.*}}) : (i32, i32) -> i32
// CHECK:         llvm.call_intrinsic "llvm.nvvm.mulhi.ull"({{.*}}) : (i64, i64) -> i64
// CHECK:         arith.mului_extended {{.*}} : i16
fsm.kernel @upper_halves(%out: !fsm.ptr<i32>, %a: i32, %b: i64, %c: i16) attributes {num_warps = 1 : i32} {
  %x = fsm.umulhi %a, %a : i32
  %y = fsm.umulhi %b, %b : i64
  %z = fsm.umulhi %c, %c : i16
  %low = arith.trunci %y : i64 to i32
  %wide = arith.extui %z : i16 to i32
  %sum = arith.addi %x, %low : i32
  %all = arith.addi %sum, %wide : i32
  fsm.store %all, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// What was f16 or bf16 is divided by one number with one reciprocal, three products a lane, and rounded as by the instruction: that is
// behind one branch for as many lanes as `fsm.divided_together` says. Of f16 an infinity is left to a minimum; exponents of bf16 are tested. test/Device/narrow_quotients.py
// compares the values.
// The simulator's reciprocals are too good for the largest significand to go wrong.
// CHECK-LABEL: gpu.func @narrow_quotients(
// CHECK:         arith.constant 8388607 : i32
// CHECK:         arith.cmpi ne, %{{.*}} : i32
// CHECK:         "llvm.nvvm.rcp.approx.ftz.f"
// CHECK-COUNT-2: arith.minnumf
// CHECK:         llvm.inline_asm "{ @$4 bra DIVIDED; div.rn.f32 $0, $6, $5; div.rn.f32 $1, $7, $5; DIVIDED: }", "=&f,=&f,0,1,b,f,f,f"
// CHECK-COUNT-2: arith.minnumf
// CHECK:         llvm.inline_asm "{ @$4 bra DIVIDED;
// CHECK:         "llvm.nvvm.rcp.approx.ftz.f"
// CHECK-NOT:     arith.minnumf
// CHECK-COUNT-4: arith.cmpi uge
// CHECK:         llvm.inline_asm "{ @$8 bra DIVIDED; div.rn.f32 $0, $10, $9; div.rn.f32 $1, $11, $9; div.rn.f32 $2, $12, $9; div.rn.f32 $3, $13, $9; DIVIDED: }", "=&f,=&f,=&f,=&f,0,1,2,3,b,f,f,f,f,f"
// CHECK-NOT:     "llvm.nvvm.rcp.approx.ftz.f"
// CHECK:         gpu.return
fsm.kernel @narrow_quotients(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f16>, %more: !fsm.ptr<bf16>, %d: f32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %ds = fsm.splat %d : tensor<128xf32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f16>, tensor<128xi32, #four> -> tensor<128xf16, #four>
  %wide = arith.extf %x : tensor<128xf16, #four> to tensor<128xf32, #four>
  %q = fsm.div_rn %wide, %ds {fsm.divided_together = 2 : i32} : tensor<128xf32, #four>
  fsm.store %q, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  %y = fsm.load %more[%o] : !fsm.ptr<bf16>, tensor<128xi32, #four> -> tensor<128xbf16, #four>
  %wider = arith.extf %y : tensor<128xbf16, #four> to tensor<128xf32, #four>
  %r = fsm.div_rn %wider, %ds {fsm.divided_together = 8 : i32} : tensor<128xf32, #four>
  fsm.store %r, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  // Divisors that vary, and what was f32.
  %s = fsm.div_rn %wide, %wider : tensor<128xf32, #four>
  fsm.store %s, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  %t = fsm.div_rn %s, %ds : tensor<128xf32, #four>
  fsm.store %t, %out[%o] : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// What is only rounded to f16 again, chosen or not, is made in two steps: a product, and one that is added to it.
// CHECK-LABEL: gpu.func @rounded_again(
// CHECK:         "llvm.nvvm.rcp.approx.ftz.f"
// CHECK:         arith.subi
// CHECK-NOT:     arith.minnumf
// CHECK:         llvm.inline_asm "{ @$4 bra DIVIDED; div.rn.f32 $0, $6, $5; div.rn.f32 $1, $7, $5; DIVIDED: }"
// CHECK:         gpu.return
fsm.kernel @rounded_again(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>, %d: f32, %some: i1) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %ds = fsm.splat %d : tensor<128xf32, #four>
  %x = fsm.load %in[%o] : !fsm.ptr<f16>, tensor<128xi32, #four> -> tensor<128xf16, #four>
  %wide = arith.extf %x : tensor<128xf16, #four> to tensor<128xf32, #four>
  %q = fsm.div_rn %wide, %ds {fsm.divided_together = 2 : i32} : tensor<128xf32, #four>
  %zero = arith.constant dense<0.0> : tensor<128xf32, #four>
  %keep = fsm.splat %some : tensor<128xi1, #four>
  %chosen = arith.select %keep, %q, %zero : tensor<128xi1, #four>, tensor<128xf32, #four>
  %y = arith.truncf %chosen : tensor<128xf32, #four> to tensor<128xf16, #four>
  fsm.store %y, %out[%o] : tensor<128xf16, #four>, !fsm.ptr<f16>, tensor<128xi32, #four>
  fsm.return
}

// What is kept as f32 as well, and what is rounded to another type.
// CHECK-LABEL: gpu.func @rounded_otherwise(
// CHECK-COUNT-4: arith.minnumf
// CHECK:         gpu.return
fsm.kernel @rounded_otherwise(%out: !fsm.ptr<f16>, %brain: !fsm.ptr<bf16>, %wider: !fsm.ptr<f32>, %in: !fsm.ptr<f16>, %d: f32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #two>
  %ds = fsm.splat %d : tensor<64xf32, #two>
  %x = fsm.load %in[%o] : !fsm.ptr<f16>, tensor<64xi32, #two> -> tensor<64xf16, #two>
  %wide = arith.extf %x : tensor<64xf16, #two> to tensor<64xf32, #two>
  %q = fsm.div_rn %wide, %ds {fsm.divided_together = 2 : i32} : tensor<64xf32, #two>
  %y = arith.truncf %q : tensor<64xf32, #two> to tensor<64xf16, #two>
  fsm.store %y, %out[%o] : tensor<64xf16, #two>, !fsm.ptr<f16>, tensor<64xi32, #two>
  fsm.store %q, %wider[%o] : tensor<64xf32, #two>, !fsm.ptr<f32>, tensor<64xi32, #two>
  %r = fsm.div_rn %wide, %ds {fsm.divided_together = 2 : i32} : tensor<64xf32, #two>
  %z = arith.truncf %r : tensor<64xf32, #two> to tensor<64xbf16, #two>
  fsm.store %z, %brain[%o] : tensor<64xbf16, #two>, !fsm.ptr<bf16>, tensor<64xi32, #two>
  fsm.return
}
