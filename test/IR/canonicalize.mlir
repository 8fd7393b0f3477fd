// Folds and canonicalisations of the dialect, and what looks like one and is not.

// RUN: %fsm_opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @offset_by_zero
// CHECK-NEXT:    return %arg0
func.func @offset_by_zero(%p: !fsm.ptr<f32>) -> !fsm.ptr<f32> {
  %zero = arith.constant 0 : i64
  %a = fsm.offset %p, %zero : !fsm.ptr<f32>, i64
  return %a : !fsm.ptr<f32>
}

// CHECK-LABEL: func @load_of_all
// CHECK-NEXT:    fsm.load %arg0[%arg1] : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
func.func @load_of_all(%p: !fsm.ptr<f32>, %o: tensor<8xi32>, %x: f32) -> tensor<8xf32> {
  %m = arith.constant dense<true> : tensor<8xi1>
  %a = fsm.load %p[%o], %m, %x : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func @load_of_all_keeps_hints
// CHECK-NEXT:    fsm.load %arg0 cache = cs volatile : !fsm.ptr<f32> -> f32
func.func @load_of_all_keeps_hints(%p: !fsm.ptr<f32>) -> f32 {
  %c = arith.constant true
  %a = fsm.load %p, %c cache = cs volatile : !fsm.ptr<f32> -> f32
  return %a : f32
}

// CHECK-LABEL: func @load_of_none_gives_other
// CHECK-NEXT:    %[[S:.*]] = fsm.splat %arg2
// CHECK-NEXT:    return %[[S]]
func.func @load_of_none_gives_other(%p: !fsm.ptr<f32>, %o: tensor<8xi32>, %x: f32) -> tensor<8xf32> {
  %m = arith.constant dense<false> : tensor<8xi1>
  %a = fsm.load %p[%o], %m, %x : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func @load_of_none_gives_block
// CHECK-NEXT:    return %arg2
func.func @load_of_none_gives_block(%p: !fsm.ptr<f32>, %o: tensor<8xi32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant false
  %a = fsm.load %p[%o], %c, %b : !fsm.ptr<f32>, tensor<8xi32>, mask i1, other tensor<8xf32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func @load_of_none_gives_zero
// CHECK-NEXT:    arith.constant dense<0.000000e+00> : tensor<8xf16>
// CHECK-NEXT:    return
func.func @load_of_none_gives_zero(%p: !fsm.ptr<f16>, %o: tensor<8xi32>) -> tensor<8xf16> {
  %m = arith.constant dense<false> : tensor<8xi1>
  %a = fsm.load %p[%o], %m : !fsm.ptr<f16>, tensor<8xi32> -> tensor<8xf16>
  return %a : tensor<8xf16>
}

// There is no constant pointer.
// CHECK-LABEL: func @load_of_no_pointer
// CHECK:         fsm.load
func.func @load_of_no_pointer(%p: !fsm.ptr<!fsm.ptr<f32>>) -> !fsm.ptr<f32> {
  %c = arith.constant false
  %a = fsm.load %p, %c : !fsm.ptr<!fsm.ptr<f32>> -> !fsm.ptr<f32>
  return %a : !fsm.ptr<f32>
}

// CHECK-LABEL: func @partial_mask
// CHECK:         fsm.load %arg0[%arg1], %cst
func.func @partial_mask(%p: !fsm.ptr<f32>, %o: tensor<4xi32>) -> tensor<4xf32> {
  %m = arith.constant dense<[true, true, true, false]> : tensor<4xi1>
  %a = fsm.load %p[%o], %m : !fsm.ptr<f32>, tensor<4xi32> -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// CHECK-LABEL: func @other_of_splat
// CHECK-NEXT:    fsm.load %arg0[%arg1], %arg2, %arg3 : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
func.func @other_of_splat(%p: !fsm.ptr<f32>, %o: tensor<8xi32>, %m: tensor<8xi1>, %x: f32) -> tensor<8xf32> {
  %s = fsm.splat %x : tensor<8xf32>
  %a = fsm.load %p[%o], %m, %s : !fsm.ptr<f32>, tensor<8xi32>, other tensor<8xf32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func @other_of_constant
// CHECK-NEXT:    %[[C:.*]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT:    fsm.load %arg0[%arg1], %arg2, %[[C]] : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
func.func @other_of_constant(%p: !fsm.ptr<f32>, %o: tensor<8xi32>, %m: tensor<8xi1>) -> tensor<8xf32> {
  %s = arith.constant dense<0xFF800000> : tensor<8xf32>
  %a = fsm.load %p[%o], %m, %s : !fsm.ptr<f32>, tensor<8xi32>, other tensor<8xf32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func @other_that_varies
// CHECK-NEXT:    fsm.load %arg0[%arg1], %arg2, %arg3 : {{.*}} other tensor<8xf32>
func.func @other_that_varies(%p: !fsm.ptr<f32>, %o: tensor<8xi32>, %m: tensor<8xi1>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %a = fsm.load %p[%o], %m, %b : !fsm.ptr<f32>, tensor<8xi32>, other tensor<8xf32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func @stores
// CHECK-NEXT:    fsm.store %arg1, %arg0 evict = first : f32, !fsm.ptr<f32>
// CHECK-NEXT:    fsm.store %arg1, %arg0, %arg2 : f32, !fsm.ptr<f32>
// CHECK-NEXT:    return
func.func @stores(%p: !fsm.ptr<f32>, %x: f32, %c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  fsm.store %x, %p, %true evict = first : f32, !fsm.ptr<f32>
  fsm.store %x, %p, %false : f32, !fsm.ptr<f32>
  fsm.store %x, %p, %c : f32, !fsm.ptr<f32>
  return
}

// A store of what was loaded stays: another program may have written between.
// CHECK-LABEL: func @store_of_loaded
// CHECK:         fsm.store
func.func @store_of_loaded(%p: !fsm.ptr<f32>) {
  %x = fsm.load %p : !fsm.ptr<f32> -> f32
  fsm.store %x, %p : f32, !fsm.ptr<f32>
  return
}

// CHECK-LABEL: func @assumptions
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT:    fsm.assume %arg0
// CHECK-NEXT:    fsm.assume %[[FALSE]]
// CHECK-NEXT:    return
func.func @assumptions(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  fsm.assume %true
  fsm.assume %c
  fsm.assume %false
  return
}

// A hint is no copy: what it says would be lost.
// CHECK-LABEL: func @hints
// CHECK-NEXT:    %[[H:.*]] = fsm.hint %arg0
// CHECK-NEXT:    return %[[H]]
func.func @hints(%n: i32) -> i32 {
  %a = fsm.hint %n {multiple_of = array<i64: 16>} : i32
  return %a : i32
}

// A scan of one element is that element. Constants of a region stay in it, whatever stands outside.
// CHECK-LABEL: fsm.kernel @scans
// CHECK-NOT:     fsm.scan <
// CHECK:         fsm.scan_with
// CHECK-NEXT:    ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32):
// CHECK-NEXT:      %[[FIVE:.*]] = arith.constant 5 : i32
// CHECK-NEXT:      %[[S:.*]] = arith.addi %[[A]], %[[B]] : i32
// CHECK-NEXT:      %[[T:.*]] = arith.addi %[[S]], %[[FIVE]] : i32
// CHECK-NEXT:      fsm.yield %[[T]] : i32
fsm.kernel @scans(%out: !fsm.ptr<i32>, %x: i32) {
  %five = arith.constant 5 : i32
  %y = arith.addi %x, %five : i32
  %b = fsm.splat %y : tensor<1x8xi32>
  %one = fsm.scan <sum> %b axis 0 : tensor<1x8xi32>
  %s = fsm.scan_with %one axis 1 : tensor<1x8xi32> {
  ^bb0(%c: i32, %d: i32):
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %two, %three : i32
    %e = arith.addi %c, %d : i32
    %f = arith.addi %e, %sum : i32
    fsm.yield %f : i32
  }
  %o = fsm.range 0, 8 : tensor<8xi32>
  %p = fsm.expand_dims %o axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  fsm.store %s, %out[%p] : tensor<1x8xi32>, !fsm.ptr<i32>, tensor<1x8xi32>
  fsm.return
}
