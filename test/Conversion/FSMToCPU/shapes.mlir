// Transposes, joins and splits on the host: reads of a buffer that holds all of the source.

// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops),convert-fsm-to-cpu)' | FileCheck %s

// A row of the result is a column of the source, 33 elements from one to the next; the rest
// of a row, of which 4 of 16 lanes are left, reads nothing outside.
// CHECK-LABEL: llvm.func @transpose
// CHECK:         llvm.load {{.*}} -> vector<16xf32>
// CHECK:         llvm.store {{.*}} : vector<16xf32>
// CHECK-NOT:     llvm.intr.masked.gather
// CHECK:         arith.constant dense<[0, 33, 66, 99, 132, {{.*}}, 495]> : vector<16xi64>
// CHECK:         llvm.intr.masked.gather
// CHECK:         arith.constant dense<[true, true, true, true, false, {{.*}}]> : vector<16xi1>
// CHECK:         llvm.intr.masked.gather
// CHECK-NOT:     llvm.intr.masked.gather
// CHECK:         llvm.return
fsm.kernel @transpose(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %i = fsm.range 0, 660 : tensor<660xi32>
  %o = fsm.reshape %i : tensor<660xi32> -> tensor<20x33xi32>
  %p = fsm.reshape %i : tensor<660xi32> -> tensor<33x20xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<20x33xi32> -> tensor<20x33xf32>
  %y = fsm.transpose %x order [1, 0] : tensor<20x33xf32> -> tensor<33x20xf32>
  fsm.store %y, %out[%p] : tensor<33x20xf32>, !fsm.ptr<f32>, tensor<33x20xi32>
  fsm.return
}

// -----

// Rows that stay rows are read as such.
// CHECK-LABEL: llvm.func @rows
// CHECK-NOT:     llvm.intr.masked.gather
// CHECK:         llvm.return
fsm.kernel @rows(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %i = fsm.range 0, 192 : tensor<192xi32>
  %o = fsm.reshape %i : tensor<192xi32> -> tensor<3x2x32xi32>
  %p = fsm.reshape %i : tensor<192xi32> -> tensor<2x3x32xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<3x2x32xi32> -> tensor<3x2x32xf32>
  %y = fsm.transpose %x order [1, 0, 2] : tensor<3x2x32xf32> -> tensor<2x3x32xf32>
  fsm.store %y, %out[%p] : tensor<2x3x32xf32>, !fsm.ptr<f32>, tensor<2x3x32xi32>
  fsm.return
}

// -----

// Two vectors hold the pairs of one of each part.
// CHECK-LABEL: llvm.func @split
// CHECK:         %[[B:.*]] = llvm.load {{.*}} -> vector<32xf32>
// CHECK:         vector.shuffle %[[B]], %[[B]] [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]
// CHECK:         llvm.return
fsm.kernel @split(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %i = fsm.range 0, 128 : tensor<128xi32>
  %o = fsm.reshape %i : tensor<128xi32> -> tensor<64x2xi32>
  %p = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<64x2xi32> -> tensor<64x2xf32>
  %l, %r = fsm.split %x : tensor<64x2xf32> -> tensor<64xf32>
  fsm.store %r, %out[%p] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// -----

// A vector has eight pairs, the even lanes of one block and the odd ones of the other; it goes to
// memory as it is.
// CHECK-LABEL: llvm.func @join
// CHECK:         %[[X:.*]] = llvm.load {{.*}} -> vector<8xf32>
// CHECK:         %[[L:.*]] = vector.shuffle %[[X]], %[[X]] [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
// CHECK:         %[[Y:.*]] = arith.negf %[[X]]
// CHECK:         %[[R:.*]] = vector.shuffle %[[Y]], %[[Y]] [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
// CHECK:         %[[F:.*]] = arith.constant dense<[true, false, true, false, {{.*}}]> : vector<16xi1>
// CHECK:         %[[Z:.*]] = arith.select %[[F]], %[[L]], %[[R]]
// CHECK:         llvm.store %[[Z]], {{.*}} : vector<16xf32>
// CHECK:         llvm.return
fsm.kernel @join(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %i = fsm.range 0, 128 : tensor<128xi32>
  %o = fsm.reshape %i : tensor<128xi32> -> tensor<64x2xi32>
  %p = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%p] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %y = arith.negf %x : tensor<64xf32>
  %z = fsm.join %x, %y : tensor<64xf32> -> tensor<64x2xf32>
  fsm.store %z, %out[%o] : tensor<64x2xf32>, !fsm.ptr<f32>, tensor<64x2xi32>
  fsm.return
}

// -----

// Of a tile of four columns in rows of a hundred, a vector has four rows.
// CHECK-LABEL: llvm.func @tile
// CHECK:         scf.for {{.*}} = %c0_i64
// CHECK:         vector.shuffle {{.*}} [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3] : vector<4xi32>
// CHECK:         vector.shuffle {{.*}} [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3] : vector<4xi32>
// CHECK:         llvm.intr.masked.gather
// CHECK:         llvm.intr.masked.scatter
// CHECK-NOT:     llvm.intr.masked.gather
// CHECK:         llvm.return
fsm.kernel @tile(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) {
  %row = fsm.range 0, 64 : tensor<64xi32>
  %hundred = arith.constant dense<100> : tensor<64xi32>
  %r = arith.muli %row, %hundred overflow<nsw> : tensor<64xi32>
  %c = fsm.range 0, 4 : tensor<4xi32>
  %r2 = fsm.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c2 = fsm.expand_dims %c axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %rs = fsm.broadcast %r2 : tensor<64x1xi32> -> tensor<64x4xi32>
  %cs = fsm.broadcast %c2 : tensor<1x4xi32> -> tensor<64x4xi32>
  %o = arith.addi %rs, %cs overflow<nsw> : tensor<64x4xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<64x4xi32> -> tensor<64x4xf32>
  fsm.store %x, %out[%o] : tensor<64x4xf32>, !fsm.ptr<f32>, tensor<64x4xi32>
  fsm.return
}
