// What is known of the arguments is written into the kernel that is named, and only there.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=facts arguments=16+noalias,8,one,,4 num-warps=4 num-stages=3 spread=4})' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=promised arguments=8,4})' | FileCheck %s --check-prefix=WEAKER
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=promised arguments=32,16})' | FileCheck %s --check-prefix=STRONGER
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=promised arguments=12,6})' | FileCheck %s --check-prefix=ODD
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=promised arguments=one,one})' | FileCheck %s --check-prefix=BOTH
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=bounded arguments=300..700,1..99,..5,3..})' | FileCheck %s --check-prefix=BOUNDED
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=truths arguments=16,one,})' | FileCheck %s --check-prefix=TRUTHS

// CHECK-LABEL: fsm.kernel @facts(
// CHECK-SAME:    %out: !fsm.ptr<f32> {fsm.align = 16 : i32, fsm.noalias}, %n: i32 {fsm.divisible = 8 : i32},
// CHECK-SAME:    %stride: i32 {fsm.equal_to = 1 : i32}, %m: i64, %x: f32)
// CHECK-SAME:    attributes {fsm.spread = 4 : i32, num_warps = 4 : i32}
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         arith.muli %n, %[[ONE]]
// CHECK:         } {fsm.forced_stages, fsm.num_stages = 3 : i32}
// CHECK:         scf.for
// CHECK-NEXT:    }
// CHECK-NOT:     fsm.num_stages
fsm.kernel @facts(%out: !fsm.ptr<f32>, %n: i32, %stride: i32, %m: i64, %x: f32) {
  %a = arith.muli %n, %stride : i32
  scf.for %i = %n to %a step %n : i32 {
  } {fsm.num_stages = 2 : i32}
  scf.for %i = %n to %a step %n : i32 {
  }
  fsm.return
}

// CHECK:          fsm.kernel @promised(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 8 : i32}) {
// WEAKER:         fsm.kernel @facts(%out: !fsm.ptr<f32>, %n: i32,
// WEAKER:         fsm.kernel @promised(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 8 : i32}) {
// STRONGER:       fsm.kernel @promised(%p: !fsm.ptr<f32> {fsm.align = 32 : i32}, %n: i32 {fsm.divisible = 16 : i32}) {
// ODD:            fsm.kernel @promised(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 8 : i32}) {
// An unused argument that is one needs no constant; a pointer is never one.
// BOTH:            fsm.kernel @promised(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 8 : i32, fsm.equal_to = 1 : i32}) {
// BOTH-NEXT:         fsm.return
fsm.kernel @promised(%p: !fsm.ptr<f32> {fsm.align = 16 : i32}, %n: i32 {fsm.divisible = 8 : i32}) {
  fsm.return
}

// A truth that a number divides is false, and one that is one is true.
// TRUTHS:       fsm.kernel @truths(%a: i1, %b: i1, %c: i1) {
// TRUTHS-DAG:     %[[TRUE:.*]] = arith.constant true
// TRUTHS-DAG:     %[[FALSE:.*]] = arith.constant false
// TRUTHS:         arith.andi %[[FALSE]], %[[TRUE]]
// TRUTHS-NEXT:    arith.andi %{{.*}}, %c
fsm.kernel @truths(%a: i1, %b: i1, %c: i1) {
  %both = arith.andi %a, %b : i1
  %all = arith.andi %both, %c : i1
  fsm.return
}

// Of bounds the narrower ones hold. An end that no attribute holds is not said.
// BOUNDED:      fsm.kernel @bounded(%a: i32 {fsm.at_least = 300 : i32, fsm.at_most = 512 : i32}, %b: i32 {fsm.at_least = 7 : i32, fsm.at_most = 99 : i32}, %c: i64 {fsm.at_most = 5 : i32}, %d: i64 {fsm.at_least = 3 : i32}) {
fsm.kernel @bounded(%a: i32 {fsm.at_most = 512 : i32}, %b: i32 {fsm.at_least = 7 : i32}, %c: i64, %d: i64) {
  fsm.return
}
