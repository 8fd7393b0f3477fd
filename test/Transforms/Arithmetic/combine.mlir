// Arithmetic on blocks of equal elements becomes arithmetic on scalars.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-combine))' | FileCheck %s

// CHECK-LABEL: @two_splats
// CHECK:         %[[S:.*]] = arith.addf %x, %y fastmath<contract> : f32
// CHECK:         %[[B:.*]] = fsm.splat %[[S]] : tensor<64xf32>
// CHECK:         fsm.store %[[B]]
fsm.kernel @two_splats(%p: !fsm.ptr<f32>, %x: f32, %y: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.splat %x : tensor<64xf32>
  %b = fsm.splat %y : tensor<64xf32>
  %s = arith.addf %a, %b fastmath<contract> : tensor<64xf32>
  fsm.store %s, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// CHECK-LABEL: @chain_with_constant
// CHECK:         %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:         %[[M:.*]] = arith.mulf %x, %[[C]] : f32
// CHECK:         %[[E:.*]] = math.exp %[[M]] : f32
// CHECK:         fsm.splat %[[E]] : tensor<64xf32>
// CHECK-NOT:     tensor<64xf32> to
fsm.kernel @chain_with_constant(%p: !fsm.ptr<f32>, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.splat %x : tensor<64xf32>
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %m = arith.mulf %a, %two : tensor<64xf32>
  %e = math.exp %m : tensor<64xf32>
  fsm.store %e, %p[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
}

// Conversions, comparisons and selections are element-wise too; the scalars have
// the element types.
// CHECK-LABEL: @other_types
// CHECK:         %[[C:.*]] = arith.cmpf olt, %x, %{{.*}} : f32
// CHECK:         %[[S:.*]] = arith.select %[[C]], %x, %{{.*}} : f32
// CHECK:         %[[H:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK:         fsm.splat %[[H]] : tensor<64xf16>
fsm.kernel @other_types(%p: !fsm.ptr<f16>, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.splat %x : tensor<64xf32>
  %z = arith.constant dense<0.0> : tensor<64xf32>
  %c = arith.cmpf olt, %a, %z : tensor<64xf32>
  %s = arith.select %c, %a, %z : tensor<64xi1>, tensor<64xf32>
  %h = arith.truncf %s : tensor<64xf32> to tensor<64xf16>
  fsm.store %h, %p[%o] : tensor<64xf16>, !fsm.ptr<f16>, tensor<64xi32>
  fsm.return
}

// CHECK-LABEL: @one_operand_varies
// CHECK:         arith.addi %{{.*}}, %{{.*}} : tensor<64xi32>
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<64xi32>
fsm.kernel @one_operand_varies(%p: !fsm.ptr<i32>, %n: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.splat %n : tensor<64xi32>
  %s = arith.addi %o, %a : tensor<64xi32>
  %m = arith.cmpi slt, %o, %a : tensor<64xi32>
  fsm.store %s, %p[%o], %m : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// A reduction is not element-wise: the sum of 64 equal numbers is another number.
// CHECK-LABEL: @reductions
// CHECK:         fsm.reduce <sum>
fsm.kernel @reductions(%p: !fsm.ptr<i32>, %n: i32) {
  %a = fsm.splat %n : tensor<64xi32>
  %s = fsm.reduce <sum> %a axis 0 : tensor<64xi32> -> i32
  fsm.store %s, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// A division by zero on scalars does not trap either.
// CHECK-LABEL: @division
// CHECK:         arith.divsi %n, %m : i32
fsm.kernel @division(%p: !fsm.ptr<i32>, %n: i32, %m: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.splat %n : tensor<64xi32>
  %b = fsm.splat %m : tensor<64xi32>
  %d = arith.divsi %a, %b : tensor<64xi32>
  fsm.store %d, %p[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// Element-wise ops that pass through a loop stay in it.
// CHECK-LABEL: @in_loop
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[S:.*]] = arith.addi %[[I]], %n : i32
// CHECK:           fsm.splat %[[S]]
fsm.kernel @in_loop(%p: !fsm.ptr<i32>, %n: i32, %m: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %a = fsm.splat %n : tensor<64xi32>
  scf.for %i = %n to %m step %n : i32 {
    %b = fsm.splat %i : tensor<64xi32>
    %d = arith.addi %b, %a : tensor<64xi32>
    fsm.store %d, %p[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  }
  fsm.return
}

// Transposed offsets are offsets from transposed ranges, which are ranges again. What is
// loaded stays where it is.
// CHECK-LABEL: @transposed_offsets
// CHECK:         fsm.transpose %{{.*}} order [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
// CHECK-NOT:     fsm.transpose
// CHECK:         %[[C:.*]] = fsm.expand_dims %{{.*}} axis 1 : tensor<16xi32> -> tensor<16x1xi32>
// CHECK-NOT:     fsm.transpose
// CHECK:         %[[CB:.*]] = fsm.broadcast %[[C]] : tensor<16x1xi32> -> tensor<16x8xi32>
// CHECK-NOT:     fsm.transpose
// CHECK:         %[[O:.*]] = arith.addi %{{.*}}, %[[CB]] overflow<nsw> : tensor<16x8xi32>
// CHECK:         fsm.store %{{.*}}, %p[%[[O]]]
fsm.kernel @transposed_offsets(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f32>, %stride: i32) {
  %r = fsm.range 0, 8 : tensor<8xi32>
  %c = fsm.range 0, 16 : tensor<16xi32>
  %r1 = fsm.expand_dims %r axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %rows = fsm.broadcast %r1 : tensor<8x1xi32> -> tensor<8x16xi32>
  %c1 = fsm.expand_dims %c axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %columns = fsm.broadcast %c1 : tensor<1x16xi32> -> tensor<8x16xi32>
  %strides = fsm.splat %stride : tensor<8x16xi32>
  %starts = arith.muli %rows, %strides overflow<nsw> : tensor<8x16xi32>
  %o = arith.addi %starts, %columns overflow<nsw> : tensor<8x16xi32>
  %x = fsm.load %q[%o] : !fsm.ptr<f32>, tensor<8x16xi32> -> tensor<8x16xf32>
  %xt = fsm.transpose %x order [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
  %ot = fsm.transpose %o order [1, 0] : tensor<8x16xi32> -> tensor<16x8xi32>
  fsm.store %xt, %p[%ot] : tensor<16x8xf32>, !fsm.ptr<f32>, tensor<16x8xi32>
  fsm.return
}

// Nobody computes a loaded number twice to save a move.
// CHECK-LABEL: @transposed_data
// CHECK:         %[[S:.*]] = arith.addi
// CHECK:         fsm.transpose %[[S]]
fsm.kernel @transposed_data(%p: !fsm.ptr<i32>, %o: i32) {
  %i = fsm.range 0, 64 : tensor<64xi32>
  %j = fsm.reshape %i : tensor<64xi32> -> tensor<8x8xi32>
  %x = fsm.load %p[%j] : !fsm.ptr<i32>, tensor<8x8xi32> -> tensor<8x8xi32>
  %y = arith.addi %x, %x : tensor<8x8xi32>
  %t = fsm.transpose %y order [1, 0] : tensor<8x8xi32> -> tensor<8x8xi32>
  fsm.store %t, %p[%j] : tensor<8x8xi32>, !fsm.ptr<i32>, tensor<8x8xi32>
  fsm.return
}

// Integers that a power of two makes fractions are compared as they are, and the limit is scaled, on whichever side it stands:
// products by a power of two round nothing.
// CHECK-LABEL: @fractions
// CHECK-DAG:     %[[P24:.*]] = arith.constant 0x4B800000 : f32
// CHECK-DAG:     %[[T:.*]] = arith.mulf %p, %[[P24]] : f32
// CHECK-DAG:     %[[S:.*]] = fsm.splat %[[T]] : tensor<64xf32>
// CHECK-DAG:     %[[N:.*]] = arith.uitofp %{{.*}} : tensor<64xi32> to tensor<64xf32>
// CHECK:         arith.cmpf olt, %[[N]], %[[S]] : tensor<64xf32>
// CHECK:         arith.cmpf uge, %{{.*}}, %{{.*}} : tensor<64xf32>
// CHECK-NOT:     arith.mulf %{{.*}} : tensor
fsm.kernel @fractions(%out: !fsm.ptr<i1>, %p: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %ps = fsm.splat %p : tensor<64xf32>
  %n = arith.uitofp %o : tensor<64xi32> to tensor<64xf32>
  %unit = arith.constant dense<5.9604644775390625e-08> : tensor<64xf32>
  %f = arith.mulf %n, %unit : tensor<64xf32>
  %keep = arith.cmpf olt, %f, %ps : tensor<64xf32>
  %signed = arith.sitofp %o : tensor<64xi32> to tensor<64xf32>
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %g = arith.mulf %half, %signed : tensor<64xf32>
  %other = arith.cmpf uge, %ps, %g : tensor<64xf32>
  %both = arith.andi %keep, %other : tensor<64xi1>
  fsm.store %both, %out[%o] : tensor<64xi1>, !fsm.ptr<i1>, tensor<64xi32>
  fsm.return
}

// Not so where the factor is more than 1 or no power of two, where the number was no integer, where the limit varies, and where the
// fractions are needed otherwise.
// CHECK-LABEL: @fractions_that_stay
// CHECK-COUNT-5: arith.mulf %{{.*}} : tensor<64xf32>
fsm.kernel @fractions_that_stay(%out: !fsm.ptr<i1>, %to: !fsm.ptr<f32>, %p: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %ps = fsm.splat %p : tensor<64xf32>
  %n = arith.uitofp %o : tensor<64xi32> to tensor<64xf32>
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %a = arith.mulf %n, %two : tensor<64xf32>
  %0 = arith.cmpf olt, %a, %ps : tensor<64xf32>
  %third = arith.constant dense<0.3> : tensor<64xf32>
  %b = arith.mulf %n, %third : tensor<64xf32>
  %1 = arith.cmpf olt, %b, %ps : tensor<64xf32>
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %e = math.exp %n : tensor<64xf32>
  %c = arith.mulf %e, %half : tensor<64xf32>
  %2 = arith.cmpf olt, %c, %ps : tensor<64xf32>
  %d = arith.mulf %n, %half : tensor<64xf32>
  %3 = arith.cmpf olt, %d, %e : tensor<64xf32>
  %quarter = arith.constant dense<0.25> : tensor<64xf32>
  %f = arith.mulf %n, %quarter : tensor<64xf32>
  %4 = arith.cmpf olt, %f, %ps : tensor<64xf32>
  fsm.store %f, %to[%o] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  %5 = arith.andi %0, %1 : tensor<64xi1>
  %6 = arith.andi %2, %3 : tensor<64xi1>
  %7 = arith.andi %5, %6 : tensor<64xi1>
  %8 = arith.andi %7, %4 : tensor<64xi1>
  fsm.store %8, %out[%o] : tensor<64xi1>, !fsm.ptr<i1>, tensor<64xi32>
  fsm.return
}

// Indices of which all are in front of the end of a row, however long it is, or all behind it, need no mask.
// CHECK-LABEL: @rows_of_600
// CHECK:         %[[X:.*]] = fsm.load %p[%{{[^,]*}}] :
// CHECK:         %[[Y:.*]] = fsm.load %p[%{{.*}}], %{{.*}} :
// CHECK-NOT:     fsm.load
// CHECK:         fsm.store %[[X]], %q[%{{[^,]*}}] :
// CHECK:         fsm.store %[[Y]], %q[%{{.*}}], %{{.*}} :
// CHECK-NOT:     fsm.store
fsm.kernel @rows_of_600(%q: !fsm.ptr<f32>, %p: !fsm.ptr<f32>, %n: i32 {fsm.at_least = 512 : i32, fsm.at_most = 1024 : i32}) {
  %ends = fsm.splat %n : tensor<256xi32>
  %r = fsm.range 0, 256 : tensor<256xi32>
  %c256 = arith.constant dense<256> : tensor<256xi32>
  %c512 = arith.constant dense<512> : tensor<256xi32>
  %c1024 = arith.constant dense<1024> : tensor<256xi32>
  %second = arith.addi %r, %c256 overflow<nsw> : tensor<256xi32>
  %third = arith.addi %r, %c512 overflow<nsw> : tensor<256xi32>
  %behind = arith.addi %r, %c1024 overflow<nsw> : tensor<256xi32>
  %in_second = arith.cmpi slt, %second, %ends : tensor<256xi32>
  %in_third = arith.cmpi sgt, %ends, %third : tensor<256xi32>
  %is_behind = arith.cmpi slt, %behind, %ends : tensor<256xi32>
  %x = fsm.load %p[%second], %in_second : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %y = fsm.load %p[%third], %in_third : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %z = fsm.load %p[%behind], %is_behind : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  fsm.store %x, %q[%second], %in_second : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  fsm.store %y, %q[%third], %in_third : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  fsm.store %z, %q[%behind], %is_behind : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  fsm.return
}

// A row that fills its block has no mask but where weights are loaded, which all programs share.
// CHECK-LABEL: @filled
// CHECK:         %[[MASK:.*]] = arith.cmpi slt
// CHECK:         fsm.load %{{.*}}[%{{[^,]*}}] :
// CHECK:         fsm.load %w[%{{.*}}], %[[MASK]] :
// CHECK-NOT:     arith.select
// CHECK:         fsm.store %{{.*}}[%{{[^,]*}}] :
fsm.kernel @filled(%q: !fsm.ptr<f32>, %p: !fsm.ptr<f32>, %w: !fsm.ptr<f32>, %n: i32 {fsm.at_least = 256 : i32}) {
  %zeros = arith.constant dense<0.0> : tensor<256xf32>
  %row = fsm.program_id x : i32
  %from = fsm.offset %p, %row : !fsm.ptr<f32>, i32
  %to = fsm.offset %q, %row : !fsm.ptr<f32>, i32
  %r = fsm.range 0, 256 : tensor<256xi32>
  %ends = fsm.splat %n : tensor<256xi32>
  %mask = arith.cmpi slt, %r, %ends : tensor<256xi32>
  %x = fsm.load %from[%r], %mask : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %y = fsm.load %w[%r], %mask : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %product = arith.mulf %x, %y : tensor<256xf32>
  %kept = arith.select %mask, %product, %zeros : tensor<256xi1>, tensor<256xf32>
  fsm.store %kept, %to[%r], %mask : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  fsm.return
}

// Indices that a number is above all of need no mask, and none is read behind it; where it lies between them they do.
// CHECK-LABEL: @columns_of_64
// CHECK:         %[[X:.*]] = fsm.load %p[%{{[^,]*}}] :
// CHECK:         %[[Y:.*]] = fsm.load %p[%{{.*}}], %{{.*}} :
// CHECK-NOT:     fsm.load
// CHECK:         fsm.store %[[X]], %q[%{{[^,]*}}] :
// CHECK:         fsm.store %[[Y]], %q[%{{.*}}], %{{.*}} :
// CHECK-NOT:     fsm.store
fsm.kernel @columns_of_64(%q: !fsm.ptr<f32>, %p: !fsm.ptr<f32>) {
  %r = fsm.range 0, 64 : tensor<64xi32>
  %columns = arith.extsi %r : tensor<64xi32> to tensor<64xi64>
  %c0 = arith.constant dense<0> : tensor<64xi64>
  %c64 = arith.constant dense<64> : tensor<64xi64>
  %one = arith.constant dense<1> : tensor<64xi64>
  %next = arith.addi %columns, %one overflow<nsw> : tensor<64xi64>
  %behind = arith.addi %columns, %c64 overflow<nsw> : tensor<64xi64>
  %is_first = arith.cmpi sge, %columns, %c0 : tensor<64xi64>
  %is_last = arith.cmpi slt, %columns, %c64 : tensor<64xi64>
  %inside = arith.andi %is_first, %is_last : tensor<64xi1>
  %has_next = arith.cmpi slt, %next, %c64 : tensor<64xi64>
  %is_behind = arith.cmpi slt, %behind, %c64 : tensor<64xi64>
  %x = fsm.load %p[%columns], %inside : !fsm.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
  %y = fsm.load %p[%next], %has_next : !fsm.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
  %z = fsm.load %p[%behind], %is_behind : !fsm.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
  fsm.store %x, %q[%columns], %inside : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi64>
  fsm.store %y, %q[%next], %has_next : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi64>
  fsm.store %z, %q[%behind], %is_behind : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi64>
  fsm.return
}

// Nor is any in front of what begins at 0 or more, as a step of a loop does; where an argument says where they begin they may be, and
// a number of rows in between says nothing.
// CHECK-LABEL: @steps
// CHECK:         fsm.load %p[%{{[^,]*}}] :
// CHECK:         %[[BEHIND:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : tensor<64xi64>
// CHECK:         fsm.load %p[%{{.*}}], %[[BEHIND]] :
// CHECK:         %[[LATER:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : tensor<64xi64>
// CHECK:         fsm.load %p[%{{.*}}], %[[LATER]] :
fsm.kernel @steps(%q: !fsm.ptr<f32>, %p: !fsm.ptr<f32>, %n: i32, %first: i64) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c64_i32 = arith.constant 64 : i32
  %r = fsm.range 0, 64 : tensor<64xi32>
  %columns = arith.extsi %r : tensor<64xi32> to tensor<64xi64>
  %c0 = arith.constant dense<0> : tensor<64xi64>
  %c32 = arith.constant dense<32> : tensor<64xi64>
  scf.for %i = %none to %n step %one : i32 {
    %begin = arith.muli %i, %c64_i32 overflow<nsw> : i32
    %wide = arith.extsi %begin : i32 to i64
    %begins = fsm.splat %wide : tensor<64xi64>
    %at = arith.addi %begins, %columns overflow<nsw> : tensor<64xi64>
    %inside = arith.cmpi sge, %at, %c0 : tensor<64xi64>
    %x = fsm.load %p[%at], %inside : !fsm.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
    %behind = arith.cmpi sge, %at, %c32 : tensor<64xi64>
    %y = fsm.load %p[%at], %behind : !fsm.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
    %firsts = fsm.splat %first : tensor<64xi64>
    %from = arith.addi %firsts, %columns overflow<nsw> : tensor<64xi64>
    %later = arith.cmpi sge, %from, %c0 : tensor<64xi64>
    %z = fsm.load %p[%from], %later : !fsm.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
    %sum = arith.addf %x, %y : tensor<64xf32>
    %all = arith.addf %sum, %z : tensor<64xf32>
    fsm.store %all, %q[%at] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi64>
  }
  fsm.return
}

// The remainder of a counter times as many columns as a part has begins in front of the last part; where there are more parts than the
// columns have room for, some are behind them.
// CHECK-LABEL: @parts
// CHECK:         fsm.load %p[%{{[^,]*}}] :
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<32xi32>
// CHECK:         fsm.load %p[%{{.*}}], %[[INSIDE]] :
fsm.kernel @parts(%q: !fsm.ptr<f32>, %p: !fsm.ptr<f32>) {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %steps = arith.constant 18 : i32
  %c32 = arith.constant 32 : i32
  %r = fsm.range 0, 32 : tensor<32xi32>
  %c64 = arith.constant dense<64> : tensor<32xi32>
  scf.for %i = %none to %steps step %one : i32 {
    %part = arith.remsi %i, %two : i32
    %begin = arith.muli %part, %c32 overflow<nsw> : i32
    %begins = fsm.splat %begin : tensor<32xi32>
    %at = arith.addi %begins, %r overflow<nsw> : tensor<32xi32>
    %inside = arith.cmpi slt, %at, %c64 : tensor<32xi32>
    %x = fsm.load %p[%at], %inside : !fsm.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
    %third = arith.remsi %i, %three : i32
    %later = arith.muli %third, %c32 overflow<nsw> : i32
    %laters = fsm.splat %later : tensor<32xi32>
    %from = arith.addi %laters, %r overflow<nsw> : tensor<32xi32>
    %before = arith.cmpi slt, %from, %c64 : tensor<32xi32>
    %y = fsm.load %p[%from], %before : !fsm.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
    %sum = arith.addf %x, %y : tensor<32xf32>
    fsm.store %sum, %q[%at] : tensor<32xf32>, !fsm.ptr<f32>, tensor<32xi32>
  }
  fsm.return
}

// Upper bits of words that a float has all of are compared as the words that they are of, with the last one in front of the limit: where
// there is none, all are and the comparison is turned round. Not so of 25 bits, of a limit that varies, and where equal ones are asked for.
// CHECK-LABEL: @words
// CHECK-DAG:     %[[C:.*]] = math.ceil %{{.*}} : f32
// CHECK-DAG:     %[[N:.*]] = arith.fptoui %[[C]] : f32 to i32
// CHECK-DAG:     %[[B:.*]] = arith.minui %[[N]], %{{.*}} : i32
// CHECK-DAG:     %[[U:.*]] = arith.shli %[[B]], %{{.*}} : i32
// CHECK-DAG:     %[[L:.*]] = arith.{{(addi|subi)}} %[[U]], %{{.*}} : i32
// CHECK-DAG:     %[[Z:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : i32
// CHECK-DAG:     %[[LS:.*]] = fsm.splat %[[L]] : tensor<64xi32>
// CHECK-DAG:     %[[ZS:.*]] = fsm.splat %[[Z]] : tensor<64xi1>
// CHECK-DAG:     %[[W:.*]] = arith.cmpi ule, %{{.*}}, %[[LS]] : tensor<64xi32>
// CHECK-DAG:     arith.xori %[[W]], %[[ZS]] : tensor<64xi1>
// CHECK-DAG:     arith.cmpi ugt, %{{.*}}, %{{.*}} : tensor<64xi32>
// CHECK-COUNT-3: arith.cmpf
fsm.kernel @words(%out: !fsm.ptr<i1>, %in: !fsm.ptr<i32>, %p: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %w = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %ps = fsm.splat %p : tensor<64xf32>
  %eight = arith.constant dense<8> : tensor<64xi32>
  %upper = arith.shrui %w, %eight : tensor<64xi32>
  %n = arith.uitofp %upper : tensor<64xi32> to tensor<64xf32>
  %unit = arith.constant dense<5.9604644775390625e-08> : tensor<64xf32>
  %fraction = arith.mulf %n, %unit : tensor<64xf32>
  %0 = arith.cmpf olt, %fraction, %ps : tensor<64xf32>
  %1 = arith.cmpf ole, %ps, %n : tensor<64xf32>
  %seven = arith.constant dense<7> : tensor<64xi32>
  %more = arith.shrui %w, %seven : tensor<64xi32>
  %m = arith.uitofp %more : tensor<64xi32> to tensor<64xf32>
  %2 = arith.cmpf olt, %m, %ps : tensor<64xf32>
  %3 = arith.cmpf olt, %n, %m : tensor<64xf32>
  %4 = arith.cmpf oeq, %n, %ps : tensor<64xf32>
  %5 = arith.xori %0, %1 : tensor<64xi1>
  %6 = arith.xori %2, %3 : tensor<64xi1>
  %7 = arith.andi %5, %6 : tensor<64xi1>
  %8 = arith.andi %7, %4 : tensor<64xi1>
  fsm.store %8, %out[%o] : tensor<64xi1>, !fsm.ptr<i1>, tensor<64xi32>
  fsm.return
}

// Indices that a loop moves by a number, the same or another one each time, are those in front of it and a carried number; not what is no
// formula of ranges, nor what is moved by other indices. What is left behind the loop is used as well.
// CHECK-LABEL: @carried_indices
// CHECK:         %[[AT:.*]] = fsm.range 0, 64
// CHECK:         %[[NUMBERS:.*]]:4 = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}, %[[Y:.*]] = %[[AT]]) -> (i32, i32, tensor<64xi32>, tensor<64xi32>)
// CHECK-DAG:       %[[SS:.*]] = fsm.splat %[[S]] : tensor<64xi32>
// CHECK-DAG:       arith.addi %[[AT]], %[[SS]] : tensor<64xi32>
// CHECK-DAG:       %[[NEXT:.*]] = arith.addi %[[S]], %{{.*}} : i32
// CHECK-DAG:       %[[OTHER:.*]] = arith.addi %[[T]], %[[I]] : i32
// CHECK:           scf.yield %[[NEXT]], %[[OTHER]], %{{.*}}, %{{.*}} : i32, i32, tensor<64xi32>, tensor<64xi32>
// CHECK:         %[[LAST:.*]] = fsm.splat %[[NUMBERS]]#0 : tensor<64xi32>
// CHECK:         arith.addi %[[AT]], %[[LAST]] : tensor<64xi32>
fsm.kernel @carried_indices(%p: !fsm.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %at = fsm.range 0, 64 : tensor<64xi32>
  %step = arith.constant dense<64> : tensor<64xi32>
  %loaded = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %last:4 = scf.for %i = %zero to %n step %one iter_args(%a = %at, %b = %at, %c = %loaded, %d = %at) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) : i32 {
    fsm.store %b, %p[%a] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
    %is = fsm.splat %i : tensor<64xi32>
    %a2 = arith.addi %a, %step : tensor<64xi32>
    %b2 = arith.addi %is, %b : tensor<64xi32>
    %c2 = arith.addi %c, %step : tensor<64xi32>
    %d2 = arith.addi %d, %at : tensor<64xi32>
    scf.yield %a2, %b2, %c2, %d2 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  %sum = arith.addi %last#2, %last#3 : tensor<64xi32>
  fsm.store %sum, %p[%last#0] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
