// Rows of 16-bit elements that begin anywhere are whole vectors, a part for each that a thread has, and edges.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-split-edges))' | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-split-edges{target=sm_80}))' | FileCheck %s --check-prefix=SINGLE

// 4095 elements are 511 vectors at most: four of each of 128 threads. The edges have 8 places in front of the vectors and 8
// behind. Elements of vectors are combined part by part, and what is behind the last one is nothing.
// CHECK-LABEL: fsm.kernel @row
// CHECK-SAME:    fsm.hold_narrow
// CHECK-SAME:    num_warps = 4
// CHECK-DAG:     %[[ADDRESS:.*]] = fsm.ptr_to_int %[[ROW:.*]] : !fsm.ptr<f16> -> i64
// CHECK-DAG:     %[[BEHIND:.*]] = arith.andi %{{.*}}, %c7_i32
// CHECK:         %[[BODY:.*]] = fsm.offset %[[ROW]], %[[BEHIND]]
// CHECK:         fsm.assume
// CHECK:         fsm.load %[[BODY]][{{[^{]*}}{fsm.row_part = 0 : i32} : !fsm.ptr<f16>, tensor<1024xi32> -> tensor<1024xf16>
// CHECK-COUNT-3: fsm.load {{.*}} {fsm.row_part = 0 : i32} : !fsm.ptr<f16>, tensor<1024xi32> -> tensor<1024xf16>
// CHECK:         fsm.load %[[ROW]][{{[^{]*}}{fsm.follows, fsm.row_part = 0 : i32} : !fsm.ptr<f16>, tensor<16xi32> -> tensor<16xf16>
// CHECK:         %[[A:.*]] = arith.extf %{{.*}} : tensor<1024xf16> to tensor<1024xf32>
// CHECK:         %[[B:.*]] = arith.extf
// CHECK:         %[[AB:.*]] = arith.addf %[[A]], %[[B]] : tensor<1024xf32>
// CHECK:         %[[LAST:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<1024xi1>, tensor<1024xf32>
// CHECK:         %[[ALL:.*]] = arith.addf %{{.*}}, %[[LAST]] : tensor<1024xf32>
// CHECK:         %[[OFBODY:.*]] = fsm.reduce <sum> %[[ALL]] axis 0 : tensor<1024xf32> -> f32
// CHECK:         %[[OFEDGES:.*]] = fsm.reduce <sum> %{{.*}} axis 0 : tensor<16xf32> -> f32
// CHECK:         arith.addf %[[OFBODY]], %[[OFEDGES]] : f32
//
// Weights begin with a word, and are at any place of it behind the split. Rows of the result may lie otherwise.
// CHECK:         fsm.load %{{.*}} {fsm.any_start, fsm.follows, fsm.row_part = 1 : i32} : !fsm.ptr<f16>, tensor<1024xi32> -> tensor<1024xf16>
// CHECK:         scf.if %{{.*}} {
// CHECK:           fsm.store %{{.*}} {fsm.row_part = 2 : i32} : tensor<1024xf16>
// CHECK:         } else {
// CHECK:           fsm.store %{{.*}} {fsm.follows, fsm.row_part = 2 : i32} : tensor<1024xf16>
//
// Without clusters a CTA has all of them.
// SINGLE-LABEL: fsm.kernel @row
// SINGLE-SAME:    num_warps = 4
fsm.kernel @row(%out: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %in: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias},
                %weight: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %dst = fsm.offset %out, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 4095 : tensor<4095xi32>
  %raw = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %x = arith.extf %raw : tensor<4095xf16> to tensor<4095xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<4095xf32> -> f32
  %sums = fsm.splat %sum : tensor<4095xf32>
  %w = fsm.load %weight[%offs] : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %wide = arith.extf %w : tensor<4095xf16> to tensor<4095xf32>
  %moved = arith.subf %x, %sums : tensor<4095xf32>
  %scaled = arith.mulf %moved, %wide : tensor<4095xf32>
  %y = arith.truncf %scaled : tensor<4095xf32> to tensor<4095xf16>
  fsm.store %y, %dst[%offs] : tensor<4095xf16>, !fsm.ptr<f16>, tensor<4095xi32>
  fsm.return
}

// A mask leaves elements out: 8 more places of the edges have what of these is no whole vector, and 8 nothing.
// CHECK-LABEL: fsm.kernel @masked
// CHECK-SAME:    num_ctas = 4
// CHECK-SAME:    num_warps = 8
// CHECK:         tensor<32xi32>
// SINGLE-LABEL: fsm.kernel @masked
// SINGLE-SAME:    num_warps = 32
// SINGLE:         tensor<8192xi32>
fsm.kernel @masked(%out: !fsm.ptr<bf16>, %in: !fsm.ptr<bf16> {fsm.align = 16 : i32}, %stride: i32, %n: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<bf16>, i32
  %offs = fsm.range 0, 50257 : tensor<50257xi32>
  %ns = fsm.splat %n : tensor<50257xi32>
  %mask = arith.cmpi slt, %offs, %ns : tensor<50257xi32>
  %x = fsm.load %src[%offs], %mask : !fsm.ptr<bf16>, tensor<50257xi32> -> tensor<50257xbf16>
  %max = fsm.reduce <max> %x axis 0 : tensor<50257xbf16> -> bf16
  %at = fsm.offset %out, %pid : !fsm.ptr<bf16>, i32
  fsm.store %max, %at : bf16, !fsm.ptr<bf16>
  fsm.return
}

// What stays as it is: a scan of the row, rows that begin at words, and rows of few vectors.
// CHECK-LABEL: fsm.kernel @scanned
// CHECK-NOT:     fsm.row_part
// CHECK-LABEL: fsm.kernel @words
// CHECK-NOT:     fsm.row_part
// CHECK-LABEL: fsm.kernel @short
// CHECK-NOT:     fsm.row_part
fsm.kernel @scanned(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 4095 : tensor<4095xi32>
  %x = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %sums = fsm.scan <sum> %x axis 0 : tensor<4095xf16>
  %last = fsm.reduce <max> %sums axis 0 : tensor<4095xf16> -> f16
  fsm.store %last, %out : f16, !fsm.ptr<f16>
  fsm.return
}

fsm.kernel @words(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16> {fsm.align = 16 : i32}, %stride: i32 {fsm.divisible = 2 : i32}) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 4095 : tensor<4095xi32>
  %x = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<4095xi32> -> tensor<4095xf16>
  %max = fsm.reduce <max> %x axis 0 : tensor<4095xf16> -> f16
  fsm.store %max, %out : f16, !fsm.ptr<f16>
  fsm.return
}

fsm.kernel @short(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>, %stride: i32) {
  %pid = fsm.program_id x : i32
  %i = arith.muli %pid, %stride overflow<nsw> : i32
  %src = fsm.offset %in, %i : !fsm.ptr<f16>, i32
  %offs = fsm.range 0, 767 : tensor<767xi32>
  %x = fsm.load %src[%offs] : !fsm.ptr<f16>, tensor<767xi32> -> tensor<767xf16>
  %max = fsm.reduce <max> %x axis 0 : tensor<767xf16> -> f16
  fsm.store %max, %out : f16, !fsm.ptr<f16>
  fsm.return
}
