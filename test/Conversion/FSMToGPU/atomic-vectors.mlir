// Neighbours that are added to by one instruction, up to where their mask ends.

// RUN: %fsm_opt %s --convert-fsm-to-gpu=target=sm_90a | FileCheck %s

#own = #fsm.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [], cta = []>

// What was there comes as words. One instruction orders by itself.
// CHECK-LABEL: gpu.func @found
// CHECK-NOT:     fence
// CHECK:         %[[OLD:.*]] = llvm.inline_asm {{.*}}"atom.global.gpu.acq_rel.add.noftz.v4.bf16x2 {$0, $1, $2, $3}, [$4], {$5, $6, $7, $8};", "=r,=r,=r,=r,l,r,r,r,r,~{memory}"
// CHECK:         llvm.extractvalue %[[OLD]][0]
// CHECK:         llvm.extractvalue %[[OLD]][3]
// CHECK-NOT:     fence
// CHECK:         gpu.return
fsm.kernel @found(%p: !fsm.ptr<bf16>, %q: !fsm.ptr<bf16>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32, #own>
  %x = arith.constant dense<1.0> : tensor<256xbf16, #own>
  %old = fsm.atomic_rmw <add> %x, %p[%o] {fsm.access_width = 8 : i32, fsm.access_dim = 0 : i32} : tensor<256xbf16, #own>, !fsm.ptr<bf16>, tensor<256xi32, #own>
  fsm.store %old, %q[%o] {fsm.access_width = 8 : i32, fsm.access_dim = 0 : i32} : tensor<256xbf16, #own>, !fsm.ptr<bf16>, tensor<256xi32, #own>
  fsm.return
}

// Two vectors of words, one fence. Nobody asks, so that none is behind them.
// CHECK-LABEL: gpu.func @words
// CHECK:         llvm.inline_asm {{.*}}"fence.acq_rel.sys;"
// CHECK-COUNT-2: llvm.inline_asm {{.*}}"atom.global.sys.relaxed.add.v4.f32 {$0, $1, $2, $3}, [$4], {$5, $6, $7, $8};"
// CHECK-NOT:     fence
// CHECK:         gpu.return
fsm.kernel @words(%p: !fsm.ptr<f32>) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 256 : tensor<256xi32, #own>
  %x = arith.constant dense<1.0> : tensor<256xf32, #own>
  %old = fsm.atomic_rmw <add> %x, %p[%o] scope = sys {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<256xf32, #own>, !fsm.ptr<f32>, tensor<256xi32, #own>
  fsm.return
}

#pairs = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>

// The pair by its last truth; where the truths differ, each by its own.
// CHECK-LABEL: gpu.func @ends
// CHECK:         llvm.inline_asm {{.*}}"@$3 atom.global.gpu.relaxed.add.noftz.f16x2 $0, [$1], $2;", "=r,l,r,b,0,~{memory}"
// CHECK:         %[[CUT:.*]] = arith.xori
// CHECK:         scf.if %[[CUT]]
// CHECK-COUNT-2:   llvm.inline_asm {{.*}}"@$3 atom.global.gpu.relaxed.add.noftz.f16 $0, [$1], $2;"
// CHECK:         gpu.return
fsm.kernel @ends(%p: !fsm.ptr<f16>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #pairs>
  %ns = fsm.splat %n : tensor<64xi32, #pairs>
  %mask = arith.cmpi slt, %o, %ns : tensor<64xi32, #pairs>
  %x = arith.constant dense<1.0> : tensor<64xf16, #pairs>
  %old = fsm.atomic_rmw <add> %x, %p[%o], %mask sem = relaxed {fsm.access_width = 2 : i32, fsm.access_dim = 0 : i32, fsm.mask_ends} : tensor<64xf16, #pairs>, !fsm.ptr<f16>, tensor<64xi32, #pairs>
  fsm.return
}
