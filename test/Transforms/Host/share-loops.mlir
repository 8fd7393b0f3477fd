// Equal loops, and equal arithmetic between them, become calls of one function.

// RUN: %fsm_opt %s --fsm-share-loops=most-ops=0 | FileCheck %s
// RUN: %fsm_opt %s --fsm-share-loops | FileCheck %s --check-prefix=SHORT

// A function of few ops stays as it is.
// SHORT-NOT: llvm.call

// Two of the loops differ in nothing but their pointers; the third has another number.
// CHECK-LABEL: llvm.func @loops(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr, %[[Q:.*]]: !llvm.ptr)
// CHECK:         llvm.call @[[LOOP:loops.shared.*]](%[[P]], %[[Q]])
// CHECK:         llvm.call @[[LOOP]](%[[Q]], %[[P]])
// CHECK:         scf.for
// CHECK-NOT:     llvm.call
// CHECK:         llvm.return
llvm.func @loops(%p: !llvm.ptr, %q: !llvm.ptr) {
  %begin = arith.constant 0 : i64
  %end = arith.constant 64 : i64
  %step = arith.constant 16 : i64
  %two = arith.constant dense<2.0> : vector<16xf32>
  %three = arith.constant dense<3.0> : vector<16xf32>
  scf.for %i = %begin to %end step %step : i64 {
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %y = arith.mulf %x, %two : vector<16xf32>
    %z = arith.addf %y, %x : vector<16xf32>
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %z, %to {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  }
  scf.for %i = %begin to %end step %step : i64 {
    %from = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %y = arith.mulf %x, %two : vector<16xf32>
    %z = arith.addf %y, %x : vector<16xf32>
    %to = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %z, %to {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  }
  scf.for %i = %begin to %end step %step : i64 {
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %y = arith.mulf %x, %three : vector<16xf32>
    %z = arith.addf %y, %x : vector<16xf32>
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %z, %to {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  }
  llvm.return
}

// Arithmetic gives two results; which operand is which matters, also where it is the same value.
// CHECK-LABEL: llvm.func @arithmetic(
// CHECK:         %[[FIRST:.*]] = llvm.call @[[SUM:arithmetic.shared.*]](%[[A:.*]], %[[B:.*]]) : (vector<4xf32>, vector<4xf32>) -> !llvm.struct<(vector<4xf32>, vector<4xf32>)>
// CHECK:         %[[LOW:.*]] = llvm.extractvalue %[[FIRST]][0]
// CHECK:         %[[HIGH:.*]] = llvm.extractvalue %[[FIRST]][1]
// CHECK:         llvm.store %[[LOW]]
// CHECK:         llvm.store %[[HIGH]]
// CHECK:         arith.subf
// CHECK:         llvm.call @[[SUM]](%[[B]], %[[A]])
llvm.func @arithmetic(%p: !llvm.ptr) {
  %a = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  %at = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, f32
  %b = llvm.load %at {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  %0 = arith.subf %a, %b : vector<4xf32>
  %1 = arith.mulf %0, %a : vector<4xf32>
  %2 = arith.subf %1, %b : vector<4xf32>
  %3 = arith.mulf %2, %a : vector<4xf32>
  %4 = arith.subf %3, %b : vector<4xf32>
  %5 = arith.mulf %4, %a : vector<4xf32>
  %6 = arith.subf %5, %b : vector<4xf32>
  %7 = arith.mulf %6, %5 : vector<4xf32>
  llvm.store %6, %p {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
  llvm.store %7, %at {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
  // In the third difference, the operands are the other way around.
  %8 = arith.subf %a, %b : vector<4xf32>
  %9 = arith.mulf %8, %a : vector<4xf32>
  %10 = arith.subf %b, %9 : vector<4xf32>
  %11 = arith.mulf %10, %a : vector<4xf32>
  %12 = arith.subf %11, %b : vector<4xf32>
  %13 = arith.mulf %12, %a : vector<4xf32>
  %14 = arith.subf %13, %b : vector<4xf32>
  %15 = arith.mulf %14, %13 : vector<4xf32>
  llvm.store %14, %p {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
  llvm.store %15, %at {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
  %16 = arith.subf %b, %a : vector<4xf32>
  %17 = arith.mulf %16, %b : vector<4xf32>
  %18 = arith.subf %17, %a : vector<4xf32>
  %19 = arith.mulf %18, %b : vector<4xf32>
  %20 = arith.subf %19, %a : vector<4xf32>
  %21 = arith.mulf %20, %b : vector<4xf32>
  %22 = arith.subf %21, %a : vector<4xf32>
  %23 = arith.mulf %22, %21 : vector<4xf32>
  llvm.store %22, %p {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
  llvm.store %23, %at {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
  llvm.return
}

// What computes on bf16 holds it in integers later, which calls would not know of.
// CHECK-LABEL: llvm.func @halves(
// CHECK-NOT:     llvm.call
// CHECK:         llvm.return
llvm.func @halves(%p: !llvm.ptr, %first: vector<4xbf16>, %second: vector<4xbf16>) {
  %begin = arith.constant 0 : i64
  %end = arith.constant 64 : i64
  %step = arith.constant 4 : i64
  scf.for %i = %begin to %end step %step : i64 {
    %to = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
    llvm.store %first, %to {alignment = 2 : i64} : vector<4xbf16>, !llvm.ptr
    %next = arith.addi %i, %step : i64
    %behind = llvm.getelementptr %p[%next] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
    llvm.store %first, %behind {alignment = 2 : i64} : vector<4xbf16>, !llvm.ptr
    llvm.store %first, %p {alignment = 2 : i64} : vector<4xbf16>, !llvm.ptr
  }
  scf.for %i = %begin to %end step %step : i64 {
    %to = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
    llvm.store %second, %to {alignment = 2 : i64} : vector<4xbf16>, !llvm.ptr
    %next = arith.addi %i, %step : i64
    %behind = llvm.getelementptr %p[%next] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
    llvm.store %second, %behind {alignment = 2 : i64} : vector<4xbf16>, !llvm.ptr
    llvm.store %second, %p {alignment = 2 : i64} : vector<4xbf16>, !llvm.ptr
  }
  llvm.return
}
