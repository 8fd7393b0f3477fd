// Rows of 64 bytes are halves of lines of the L2 cache: of memory that the cache has no room for copies let the other half come
// as well. Whole lines come by themselves, and what the cache may keep is asked for as it is needed.

// RUN: %fsm_opt %s --fsm-plan-threads --convert-fsm-to-gpu | FileCheck %s
// RUN: %fsm_opt %s --fsm-plan-threads --mlir-print-local-scope | FileCheck %s --check-prefix=PLAN

// PLAN: fsm.kernel @halves
// PLAN: fsm.copy_async {{.*}}fsm.whole_lines
// PLAN-NOT: fsm.whole_lines
// CHECK-LABEL: gpu.func @halves
// CHECK-COUNT-4: cp.async.cg.shared.global.L2::128B [$0], [$1], 16;
// CHECK-NOT:   nvvm.cp.async.shared.global
// CHECK-LABEL: gpu.func @kept
// CHECK-NOT:   L2::128B
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK-LABEL: gpu.func @lines
// CHECK-NOT:   L2::128B
// CHECK-COUNT-4: nvvm.cp.async.shared.global
#halves = #fsm.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [], cta = []>
#lines = #fsm.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [], cta = []>
#own_halves = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#own_lines = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]>
fsm.kernel @halves(%p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.large}, %slot: i32, %n: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 4096 : i32} {
  %o = fsm.splat %n : tensor<32x32xi32, #halves>
  %from = fsm.offset %p, %n : !fsm.ptr<f16>, i32
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<32x32xf16 slots 2, #own_halves>
  fsm.copy_async %from[%o] into %slots[%slot] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<32x32xi32, #halves>, !fsm.shared<32x32xf16 slots 2, #own_halves>
  fsm.return
}
fsm.kernel @kept(%p: !fsm.ptr<f16> {fsm.align = 16 : i32}, %slot: i32, %n: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 4096 : i32} {
  %o = fsm.splat %n : tensor<32x32xi32, #halves>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<32x32xf16 slots 2, #own_halves>
  fsm.copy_async %p[%o] into %slots[%slot] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<32x32xi32, #halves>, !fsm.shared<32x32xf16 slots 2, #own_halves>
  fsm.return
}
fsm.kernel @lines(%p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.large}, %slot: i32, %n: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 4096 : i32} {
  %o = fsm.splat %n : tensor<16x64xi32, #lines>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<16x64xf16 slots 2, #own_lines>
  fsm.copy_async %p[%o] into %slots[%slot] {fsm.access_width = 8 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<16x64xi32, #lines>, !fsm.shared<16x64xf16 slots 2, #own_lines>
  fsm.return
}
