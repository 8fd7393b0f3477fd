// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops),convert-fsm-to-cpu)' | FileCheck %s

!ints = tensor<200xi32>

// Behind the whole vectors of a row, masked ones follow up to the end of the mask, and on until one changes no sum, so that sums of
// what is loaded instead are right. The part of a vector at the end of the block comes in any case.
// CHECK-LABEL: llvm.func @sum
// CHECK:         scf.for
// CHECK:         %[[BLOCK:.*]] = arith.constant 192 : i64
// CHECK:         %[[END:.*]] = arith.minsi %{{.*}}, %[[BLOCK]]
// CHECK:         scf.while (%[[AT:.*]] = %{{.*}}, %[[GOES_ON:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK:           %[[INSIDE:.*]] = arith.cmpi slt, %[[AT]], %{{.*}}
// CHECK:           %[[NEEDED:.*]] = arith.andi %[[INSIDE]], %[[GOES_ON]]
// CHECK:           scf.condition(%[[NEEDED]])
// CHECK:           llvm.intr.masked.load
// CHECK:           arith.cmpi slt, %{{.*}}, %[[END]]
// CHECK:           arith.cmpi ne, %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK:           vector.reduction <or>
// CHECK:           scf.yield
// CHECK:         arith.constant dense<[true, true, true, true, true, true, true, true, false
fsm.kernel @sum(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %other = arith.constant 3 : i32
  %x = fsm.load %in[%r], %mask, %other : !fsm.ptr<i32>, !ints -> !ints
  %sum = fsm.reduce <sum> %x axis 0 : !ints -> i32
  fsm.store %sum, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

!ints = tensor<200xi32>

// Of a row that begins anywhere the elements in front of the first line are stored by a mask, those behind it in vectors that pass the
// caches by, and what is left by a mask again.
// CHECK-LABEL: llvm.func @line
// CHECK:         llvm.ptrtoint
// CHECK:         llvm.intr.masked.store
// CHECK:         scf.for
// CHECK-COUNT-2:   llvm.store {{.*}} {alignment = 64 : i64, nontemporal} : vector<16xi32>
// CHECK:         scf.for
// CHECK:           llvm.store {{.*}} {alignment = 64 : i64, nontemporal} : vector<16xi32>
// CHECK:         scf.for
// CHECK:           llvm.intr.masked.store
// CHECK:         llvm.return
fsm.kernel @line(%out: !fsm.ptr<i32> {fsm.large, fsm.align = 64 : i32}, %first: i32, %n: i32) {
  %r = fsm.range 0, 200 : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  fsm.store %r, %to[%r], %mask : !ints, !fsm.ptr<i32>, !ints
  fsm.return
}

// -----

!ints = tensor<2000xi32>

// In front of the sum a line is fetched of each of the two or three pages that the row lies in, the last one where the mask ends.
// CHECK-LABEL: llvm.func @pages
// CHECK:         %[[LAST:.*]] = arith.maxsi
// CHECK:         "llvm.intr.prefetch"({{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}>
// CHECK:         %[[SECOND:.*]] = arith.constant 1024 : i64
// CHECK:         arith.minsi %[[LAST]], %[[SECOND]]
// CHECK:         "llvm.intr.prefetch"
// CHECK:         %[[THIRD:.*]] = arith.constant 2048 : i64
// CHECK:         arith.minsi %[[LAST]], %[[THIRD]]
// CHECK:         "llvm.intr.prefetch"
// CHECK-NOT:     "llvm.intr.prefetch"
// CHECK:         scf.for
// CHECK:         nontemporal
// CHECK:         llvm.return
fsm.kernel @pages(%out: !fsm.ptr<i32> {fsm.large, fsm.align = 64 : i32}, %in: !fsm.ptr<i32>, %first: i32, %n: i32) {
  %r = fsm.range 0, 2000 : !ints
  %x = fsm.load %in[%r] : !fsm.ptr<i32>, !ints -> !ints
  %sum = fsm.reduce <sum> %x axis 0 : !ints -> i32
  %sums = fsm.splat %sum : !ints
  %y = arith.subi %x, %sums : !ints
  %ns = fsm.splat %n : !ints
  %mask = arith.cmpi slt, %r, %ns : !ints
  %to = fsm.offset %out, %first : !fsm.ptr<i32>, i32
  fsm.store %y, %to[%r], %mask : !ints, !fsm.ptr<i32>, !ints
  fsm.return
}
