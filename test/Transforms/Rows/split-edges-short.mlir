// Short rows are split from 96 vectors on; beside weights and a bias, and where a load waits for another one and no row is stored, from 100.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-split-edges))' | FileCheck %s

// CHECK-LABEL: fsm.kernel @row_of_781(
// CHECK:         fsm.row_part
fsm.kernel @row_of_781(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 781 : tensor<781xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<781xi32> -> tensor<781xf16>
  %x = arith.extf %raw : tensor<781xf16> to tensor<781xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<781xf32> -> f32
  %sums = fsm.splat %sum : tensor<781xf32>
  %moved = arith.subf %x, %sums : tensor<781xf32>
  %y = arith.truncf %moved : tensor<781xf32> to tensor<781xf16>
  fsm.store %y, %dst[%offs] : tensor<781xf16>, !fsm.ptr<f16>, tensor<781xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @row_of_767(
// CHECK-NOT:     fsm.row_part
fsm.kernel @row_of_767(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 767 : tensor<767xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<767xi32> -> tensor<767xf16>
  %x = arith.extf %raw : tensor<767xf16> to tensor<767xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<767xf32> -> f32
  %sums = fsm.splat %sum : tensor<767xf32>
  %moved = arith.subf %x, %sums : tensor<767xf32>
  %y = arith.truncf %moved : tensor<767xf32> to tensor<767xf16>
  fsm.store %y, %dst[%offs] : tensor<767xf16>, !fsm.ptr<f16>, tensor<767xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @row_of_781_with_weights(
// CHECK:         fsm.row_part
fsm.kernel @row_of_781_with_weights(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %w0: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 781 : tensor<781xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<781xi32> -> tensor<781xf16>
  %x = arith.extf %raw : tensor<781xf16> to tensor<781xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<781xf32> -> f32
  %sums = fsm.splat %sum : tensor<781xf32>
  %moved = arith.subf %x, %sums : tensor<781xf32>
  %n0 = fsm.load %w0[%offs] : !fsm.ptr<f16>, tensor<781xi32> -> tensor<781xf16>
  %v0 = arith.extf %n0 : tensor<781xf16> to tensor<781xf32>
  %s0 = arith.mulf %moved, %v0 : tensor<781xf32>
  %y = arith.truncf %s0 : tensor<781xf32> to tensor<781xf16>
  fsm.store %y, %dst[%offs] : tensor<781xf16>, !fsm.ptr<f16>, tensor<781xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @row_of_799_with_a_bias(
// CHECK-NOT:     fsm.row_part
fsm.kernel @row_of_799_with_a_bias(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %w0: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %w1: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 799 : tensor<799xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<799xi32> -> tensor<799xf16>
  %x = arith.extf %raw : tensor<799xf16> to tensor<799xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<799xf32> -> f32
  %sums = fsm.splat %sum : tensor<799xf32>
  %moved = arith.subf %x, %sums : tensor<799xf32>
  %n0 = fsm.load %w0[%offs] : !fsm.ptr<f16>, tensor<799xi32> -> tensor<799xf16>
  %v0 = arith.extf %n0 : tensor<799xf16> to tensor<799xf32>
  %s0 = arith.mulf %moved, %v0 : tensor<799xf32>
  %n1 = fsm.load %w1[%offs] : !fsm.ptr<f16>, tensor<799xi32> -> tensor<799xf16>
  %v1 = arith.extf %n1 : tensor<799xf16> to tensor<799xf32>
  %s1 = arith.mulf %s0, %v1 : tensor<799xf32>
  %y = arith.truncf %s1 : tensor<799xf32> to tensor<799xf16>
  fsm.store %y, %dst[%offs] : tensor<799xf16>, !fsm.ptr<f16>, tensor<799xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @row_of_801_with_a_bias(
// CHECK:         fsm.row_part
fsm.kernel @row_of_801_with_a_bias(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %w0: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %w1: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 801 : tensor<801xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<801xi32> -> tensor<801xf16>
  %x = arith.extf %raw : tensor<801xf16> to tensor<801xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<801xf32> -> f32
  %sums = fsm.splat %sum : tensor<801xf32>
  %moved = arith.subf %x, %sums : tensor<801xf32>
  %n0 = fsm.load %w0[%offs] : !fsm.ptr<f16>, tensor<801xi32> -> tensor<801xf16>
  %v0 = arith.extf %n0 : tensor<801xf16> to tensor<801xf32>
  %s0 = arith.mulf %moved, %v0 : tensor<801xf32>
  %n1 = fsm.load %w1[%offs] : !fsm.ptr<f16>, tensor<801xi32> -> tensor<801xf16>
  %v1 = arith.extf %n1 : tensor<801xf16> to tensor<801xf32>
  %s1 = arith.mulf %s0, %v1 : tensor<801xf32>
  %y = arith.truncf %s1 : tensor<801xf32> to tensor<801xf16>
  fsm.store %y, %dst[%offs] : tensor<801xf16>, !fsm.ptr<f16>, tensor<801xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @row_of_799_and_a_label(
// CHECK-NOT:     fsm.row_part
fsm.kernel @row_of_799_and_a_label(%losses: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %labels: !fsm.ptr<i32> {fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 799 : tensor<799xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<799xi32> -> tensor<799xf16>
  %x = arith.extf %raw : tensor<799xf16> to tensor<799xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<799xf32> -> f32
  %label_at = fsm.offset %labels, %pid : !fsm.ptr<i32>, i32
  %label = fsm.load %label_at : !fsm.ptr<i32> -> i32
  %of_label_at = fsm.offset %src, %label : !fsm.ptr<f16>, i32
  %of_label = fsm.load %of_label_at : !fsm.ptr<f16> -> f16
  %of_label_wide = arith.extf %of_label : f16 to f32
  %all = arith.subf %sum, %of_label_wide : f32
  %loss_at = fsm.offset %losses, %pid : !fsm.ptr<f32>, i32
  fsm.store %all, %loss_at : f32, !fsm.ptr<f32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @row_of_801_and_a_label(
// CHECK:         fsm.row_part
fsm.kernel @row_of_801_and_a_label(%losses: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %labels: !fsm.ptr<i32> {fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 801 : tensor<801xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<801xi32> -> tensor<801xf16>
  %x = arith.extf %raw : tensor<801xf16> to tensor<801xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<801xf32> -> f32
  %label_at = fsm.offset %labels, %pid : !fsm.ptr<i32>, i32
  %label = fsm.load %label_at : !fsm.ptr<i32> -> i32
  %of_label_at = fsm.offset %src, %label : !fsm.ptr<f16>, i32
  %of_label = fsm.load %of_label_at : !fsm.ptr<f16> -> f16
  %of_label_wide = arith.extf %of_label : f16 to f32
  %all = arith.subf %sum, %of_label_wide : f32
  %loss_at = fsm.offset %losses, %pid : !fsm.ptr<f32>, i32
  fsm.store %all, %loss_at : f32, !fsm.ptr<f32>
  fsm.return
}
// CHECK-LABEL: fsm.kernel @row_of_781_with_a_label(
// CHECK:         fsm.row_part
fsm.kernel @row_of_781_with_a_label(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %labels: !fsm.ptr<i32> {fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 781 : tensor<781xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<781xi32> -> tensor<781xf16>
  %x = arith.extf %raw : tensor<781xf16> to tensor<781xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<781xf32> -> f32
  %label_at = fsm.offset %labels, %pid : !fsm.ptr<i32>, i32
  %label = fsm.load %label_at : !fsm.ptr<i32> -> i32
  %of_label_at = fsm.offset %src, %label : !fsm.ptr<f16>, i32
  %of_label = fsm.load %of_label_at : !fsm.ptr<f16> -> f16
  %of_label_wide = arith.extf %of_label : f16 to f32
  %all = arith.subf %sum, %of_label_wide : f32
  %sums = fsm.splat %all : tensor<781xf32>
  %moved = arith.subf %x, %sums : tensor<781xf32>
  %y = arith.truncf %moved : tensor<781xf32> to tensor<781xf16>
  fsm.store %y, %dst[%offs] : tensor<781xf16>, !fsm.ptr<f16>, tensor<781xi32>
  fsm.return
}
