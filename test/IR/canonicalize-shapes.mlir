// Folds and canonicalisations of shapes and reductions.

// RUN: %fsm_opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @constants
// CHECK-DAG:     arith.constant dense<7> : tensor<8xi32>
// CHECK-DAG:     arith.constant dense<7> : tensor<1x8xi32>
// CHECK-DAG:     arith.constant dense<7> : tensor<4x8xi32>
// CHECK-DAG:     arith.constant dense<7> : tensor<32xi32>
// CHECK-NOT:     fsm.
func.func @constants() -> (tensor<8xi32>, tensor<1x8xi32>, tensor<4x8xi32>, tensor<32xi32>) {
  %c = arith.constant 7 : i32
  %a = fsm.splat %c : tensor<8xi32>
  %b = fsm.expand_dims %a axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %d = fsm.broadcast %b : tensor<1x8xi32> -> tensor<4x8xi32>
  %e = fsm.reshape %d : tensor<4x8xi32> -> tensor<32xi32>
  return %a, %b, %d, %e : tensor<8xi32>, tensor<1x8xi32>, tensor<4x8xi32>, tensor<32xi32>
}

// CHECK-LABEL: func @splats
// CHECK-NEXT:    %[[S:.*]] = fsm.splat %arg0 : tensor<32xf32>
// CHECK-NEXT:    return %[[S]]
func.func @splats(%x: f32) -> tensor<32xf32> {
  %a = fsm.splat %x : tensor<8xf32>
  %b = fsm.expand_dims %a axis 0 : tensor<8xf32> -> tensor<1x8xf32>
  %d = fsm.broadcast %b : tensor<1x8xf32> -> tensor<4x8xf32>
  %e = fsm.reshape %d : tensor<4x8xf32> -> tensor<32xf32>
  return %e : tensor<32xf32>
}

// CHECK-LABEL: func @identities
// CHECK-NEXT:    return %arg0
func.func @identities(%b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = fsm.broadcast %b : tensor<4x8xf32> -> tensor<4x8xf32>
  %d = fsm.reshape %a : tensor<4x8xf32> -> tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}

// CHECK-LABEL: func @broadcast_twice
// CHECK-NEXT:    %[[B:.*]] = fsm.broadcast %arg0 : tensor<1x1xf32> -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[B]]
func.func @broadcast_twice(%b: tensor<1x1xf32>) -> tensor<4x8xf32> {
  %a = fsm.broadcast %b : tensor<1x1xf32> -> tensor<4x1xf32>
  %d = fsm.broadcast %a : tensor<4x1xf32> -> tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}

// CHECK-LABEL: func @reshape_of_expanded
// CHECK-NEXT:    %[[R:.*]] = fsm.reshape %arg0 : tensor<32xf32> -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[R]]
func.func @reshape_of_expanded(%b: tensor<32xf32>) -> tensor<4x8xf32> {
  %a = fsm.expand_dims %b axis 1 : tensor<32xf32> -> tensor<32x1xf32>
  %d = fsm.reshape %a : tensor<32x1xf32> -> tensor<2x16xf32>
  %e = fsm.reshape %d : tensor<2x16xf32> -> tensor<4x8xf32>
  return %e : tensor<4x8xf32>
}

// CHECK-LABEL: func @there_and_back
// CHECK-NEXT:    return %arg0
func.func @there_and_back(%b: tensor<32xf32>) -> tensor<32xf32> {
  %a = fsm.reshape %b : tensor<32xf32> -> tensor<4x8xf32>
  %d = fsm.reshape %a : tensor<4x8xf32> -> tensor<32xf32>
  return %d : tensor<32xf32>
}

// A reshape does not move through a broadcast: it would repeat other elements.
// CHECK-LABEL: func @reshape_of_broadcast
// CHECK-NEXT:    fsm.broadcast
// CHECK-NEXT:    fsm.reshape
func.func @reshape_of_broadcast(%b: tensor<4x1xf32>) -> tensor<32xf32> {
  %a = fsm.broadcast %b : tensor<4x1xf32> -> tensor<4x8xf32>
  %d = fsm.reshape %a : tensor<4x8xf32> -> tensor<32xf32>
  return %d : tensor<32xf32>
}

// CHECK-LABEL: func @idempotent_of_splat
// CHECK-NEXT:    return %arg0, %arg0, %arg1, %arg1, %arg1, %arg1 :
func.func @idempotent_of_splat(%x: f32, %n: i32) -> (f32, f32, i32, i32, i32, i32) {
  %b = fsm.splat %x : tensor<8xf32>
  %i = fsm.splat %n : tensor<8xi32>
  %0 = fsm.reduce <max> %b axis 0 : tensor<8xf32> -> f32
  %1 = fsm.reduce <min> %b axis 0 propagate_nan : tensor<8xf32> -> f32
  %2 = fsm.reduce <umax> %i axis 0 : tensor<8xi32> -> i32
  %3 = fsm.reduce <umin> %i axis 0 : tensor<8xi32> -> i32
  %4 = fsm.reduce <and> %i axis 0 : tensor<8xi32> -> i32
  %5 = fsm.reduce <or> %i axis 0 : tensor<8xi32> -> i32
  return %0, %1, %2, %3, %4, %5 : f32, f32, i32, i32, i32, i32
}

// CHECK-LABEL: func @idempotent_of_constant
// CHECK-DAG:     arith.constant dense<3> : tensor<4xi32>
// CHECK-DAG:     arith.constant 3 : i32
// CHECK-NOT:     fsm.reduce
func.func @idempotent_of_constant() -> (i32, tensor<4xi32>) {
  %a = arith.constant dense<3> : tensor<8xi32>
  %b = arith.constant dense<3> : tensor<4x8xi32>
  %0 = fsm.reduce <max> %a axis 0 : tensor<8xi32> -> i32
  %1 = fsm.reduce <or> %b axis 1 : tensor<4x8xi32> -> tensor<4xi32>
  return %0, %1 : i32, tensor<4xi32>
}

// CHECK-LABEL: func @not_idempotent
// CHECK:         fsm.reduce <sum>
// CHECK:         fsm.reduce <prod>
// CHECK:         fsm.reduce <xor>
func.func @not_idempotent(%n: i32) -> (i32, i32, i32) {
  %b = fsm.splat %n : tensor<8xi32>
  %0 = fsm.reduce <sum> %b axis 0 : tensor<8xi32> -> i32
  %1 = fsm.reduce <prod> %b axis 0 : tensor<8xi32> -> i32
  %2 = fsm.reduce <xor> %b axis 0 : tensor<8xi32> -> i32
  return %0, %1, %2 : i32, i32, i32
}

// CHECK-LABEL: func @sum_of_constant
// CHECK:         fsm.reduce <sum>
func.func @sum_of_constant() -> f32 {
  %b = arith.constant dense<1.0> : tensor<8xf32>
  %0 = fsm.reduce <sum> %b axis 0 : tensor<8xf32> -> f32
  return %0 : f32
}

// Nothing is known of a division by zero but that it does not trap: it may stay
// or become any value, never an error.
// CHECK-LABEL: func @division_by_zero
// CHECK:         arith.divsi
// CHECK:         arith.remui
func.func @division_by_zero(%n: i32, %b: tensor<8xi32>) -> (i32, tensor<8xi32>) {
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<8xi32>
  %0 = arith.divsi %n, %zero : i32
  %1 = arith.remui %b, %zeros : tensor<8xi32>
  return %0, %1 : i32, tensor<8xi32>
}

// CHECK-LABEL: func @transposed_constants
// CHECK-DAG:     arith.constant dense<7> : tensor<8x4xi32>
// CHECK-DAG:     arith.constant dense<7> : tensor<4x8x2xi32>
// CHECK-DAG:     arith.constant dense<7> : tensor<4x8xi32>
// CHECK-NOT:     fsm.
func.func @transposed_constants() -> (tensor<8x4xi32>, tensor<4x8x2xi32>, tensor<4x8xi32>) {
  %a = arith.constant dense<7> : tensor<4x8xi32>
  %b = fsm.transpose %a order [1, 0] : tensor<4x8xi32> -> tensor<8x4xi32>
  %c = fsm.join %a, %a : tensor<4x8xi32> -> tensor<4x8x2xi32>
  %d = arith.constant dense<7> : tensor<4x8x2xi32>
  %e, %f = fsm.split %d : tensor<4x8x2xi32> -> tensor<4x8xi32>
  return %b, %c, %f : tensor<8x4xi32>, tensor<4x8x2xi32>, tensor<4x8xi32>
}

// CHECK-LABEL: func @transposed_splat
// CHECK-NEXT:    %[[S:.*]] = fsm.splat %arg0 : tensor<8x4xf32>
// CHECK-NEXT:    return %[[S]]
func.func @transposed_splat(%x: f32) -> tensor<8x4xf32> {
  %a = fsm.splat %x : tensor<4x8xf32>
  %b = fsm.transpose %a order [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return %b : tensor<8x4xf32>
}

// Dimension i of the result is dimension order[i] of the source: of [1, 2, 0] after
// [2, 0, 1] nothing is left.
// CHECK-LABEL: func @transposed_thrice
// CHECK-NEXT:    return %arg0
func.func @transposed_thrice(%b: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %a = fsm.transpose %b order [2, 0, 1] : tensor<2x3x5xf32> -> tensor<5x2x3xf32>
  %c = fsm.transpose %a order [1, 2, 0] : tensor<5x2x3xf32> -> tensor<2x3x5xf32>
  %d = fsm.transpose %c order [0, 1, 2] : tensor<2x3x5xf32> -> tensor<2x3x5xf32>
  return %d : tensor<2x3x5xf32>
}

// CHECK-LABEL: func @transposed_twice
// CHECK-NEXT:    %[[T:.*]] = fsm.transpose %arg0 order [1, 0, 2] : tensor<2x3x5xf32> -> tensor<3x2x5xf32>
// CHECK-NEXT:    return %[[T]]
func.func @transposed_twice(%b: tensor<2x3x5xf32>) -> tensor<3x2x5xf32> {
  %a = fsm.transpose %b order [2, 0, 1] : tensor<2x3x5xf32> -> tensor<5x2x3xf32>
  %c = fsm.transpose %a order [2, 1, 0] : tensor<5x2x3xf32> -> tensor<3x2x5xf32>
  return %c : tensor<3x2x5xf32>
}

// A square that is transposed is another one.
// CHECK-LABEL: func @transposed_square
// CHECK-NEXT:    fsm.transpose
func.func @transposed_square(%b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = fsm.transpose %b order [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  return %a : tensor<4x4xf32>
}

// CHECK-LABEL: func @transposed_rows
// CHECK-NEXT:    %[[E:.*]] = fsm.expand_dims %arg0 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
// CHECK-NEXT:    %[[B:.*]] = fsm.broadcast %[[E]] : tensor<8x1xi32> -> tensor<8x4xi32>
// CHECK-NEXT:    return %[[B]]
func.func @transposed_rows(%b: tensor<8xi32>) -> tensor<8x4xi32> {
  %a = fsm.expand_dims %b axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %c = fsm.broadcast %a : tensor<1x8xi32> -> tensor<4x8xi32>
  %d = fsm.transpose %c order [1, 0] : tensor<4x8xi32> -> tensor<8x4xi32>
  return %d : tensor<8x4xi32>
}

// Dimension 1 of the source is new; it is the last one of the result, whose others are
// dimensions 3, 0 and 2 of the source: 2, 0 and 1 of what it was made from.
// CHECK-LABEL: func @transposed_new_dimension
// CHECK-NEXT:    %[[T:.*]] = fsm.transpose %arg0 order [2, 0, 1] : tensor<2x3x5xi32> -> tensor<5x2x3xi32>
// CHECK-NEXT:    %[[E:.*]] = fsm.expand_dims %[[T]] axis 3 : tensor<5x2x3xi32> -> tensor<5x2x3x1xi32>
// CHECK-NEXT:    return %[[E]]
func.func @transposed_new_dimension(%b: tensor<2x3x5xi32>) -> tensor<5x2x3x1xi32> {
  %a = fsm.expand_dims %b axis 1 : tensor<2x3x5xi32> -> tensor<2x1x3x5xi32>
  %c = fsm.transpose %a order [3, 0, 2, 1] : tensor<2x1x3x5xi32> -> tensor<5x2x3x1xi32>
  return %c : tensor<5x2x3x1xi32>
}

// CHECK-LABEL: func @joined_and_split
// CHECK-NEXT:    return %arg1, %arg0, %arg2
func.func @joined_and_split(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8x2xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8x2xf32>) {
  %a = fsm.join %y, %x : tensor<8xf32> -> tensor<8x2xf32>
  %b, %c = fsm.split %a : tensor<8x2xf32> -> tensor<8xf32>
  %d, %e = fsm.split %z : tensor<8x2xf32> -> tensor<8xf32>
  %f = fsm.join %d, %e : tensor<8xf32> -> tensor<8x2xf32>
  return %b, %c, %f : tensor<8xf32>, tensor<8xf32>, tensor<8x2xf32>
}

// The two sides changed places; one side twice.
// CHECK-LABEL: func @joined_otherwise
// CHECK-NEXT:    %[[L:.*]], %[[R:.*]] = fsm.split %arg0
// CHECK-NEXT:    fsm.join %[[R]], %[[L]]
// CHECK-NEXT:    fsm.join %[[L]], %[[L]]
func.func @joined_otherwise(%z: tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>) {
  %d, %e = fsm.split %z : tensor<8x2xf32> -> tensor<8xf32>
  %f = fsm.join %e, %d : tensor<8xf32> -> tensor<8x2xf32>
  %g = fsm.join %d, %d : tensor<8xf32> -> tensor<8x2xf32>
  return %f, %g : tensor<8x2xf32>, tensor<8x2xf32>
}
