// Counters that might wrap where their loop ends get twice the bits, or count the iterations, and a step that is none
// runs no iteration; other loops stay.

// RUN: %fsm_opt %s --fsm-normalize-loops | FileCheck %s

// With step 1 the last sum is the bound itself.
// CHECK-LABEL: fsm.kernel @by_one(
// CHECK:         scf.for %[[I:.*]] = %c0_i32 to %{{.*}} step %c1_i32 : i32 {
// CHECK-NEXT:      fsm.offset %{{.*}}, %[[I]]
fsm.kernel @by_one(%out: !fsm.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %to = fsm.offset %out, %i : !fsm.ptr<i32>, i32
    fsm.store %i, %to : i32, !fsm.ptr<i32>
  }
  scf.for unsigned %i = %zero to %n step %one : i32 {
    %to = fsm.offset %out, %i : !fsm.ptr<i32>, i32
    fsm.store %i, %to : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// With stages the loop looks two steps past its end; with one it does not.
// CHECK-LABEL: fsm.kernel @ahead(
// CHECK:         %[[END:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK:         scf.for %[[I:.*]] = %c0_i64{{.*}} to %[[END]] step %c1_i64{{.*}} : i64 {
// CHECK-NEXT:      %[[N:.*]] = arith.trunci %[[I]] overflow<nsw> : i64 to i32
// CHECK-NEXT:      fsm.offset %{{.*}}, %[[N]]
// CHECK:         } {fsm.num_stages = 3 : i32}
// CHECK:         scf.for %{{.*}} : i32 {
// CHECK:         } {fsm.num_stages = 1 : i32}
fsm.kernel @ahead(%out: !fsm.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %to = fsm.offset %out, %i : !fsm.ptr<i32>, i32
    fsm.store %i, %to : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 3 : i32}
  scf.for %i = %zero to %n step %one : i32 {
    %to = fsm.offset %out, %i : !fsm.ptr<i32>, i32
    fsm.store %i, %to : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 1 : i32}
  fsm.return
}

// Numbers without a sign are extended and narrowed without one, and compared with one, for they are small in 64 bits.
// CHECK-LABEL: fsm.kernel @unsigned(
// CHECK-SAME:    %[[A:[a-z]+]]: i32, %[[B:[a-z]+]]: i32
// CHECK:         %[[LOW:.*]] = arith.extui %[[A]] : i32 to i64
// CHECK:         %[[HIGH:.*]] = arith.extui %[[B]] : i32 to i64
// 4294967290 without a sign.
// CHECK:         %[[STEP:.*]] = arith.constant 4294967290 : i64
// CHECK:         scf.for %[[I:.*]] = %[[LOW]] to %[[HIGH]] step %[[STEP]] : i64 {
// CHECK-NEXT:      arith.trunci %[[I]] overflow<nuw> : i64 to i32
fsm.kernel @unsigned(%out: !fsm.ptr<i32>, %a: i32, %b: i32) {
  %step = arith.constant -6 : i32
  scf.for unsigned %i = %a to %b step %step : i32 {
    fsm.store %i, %out : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// A counter of 8 bits counts in 16.
// CHECK-LABEL: fsm.kernel @narrow(
// CHECK:         scf.for %{{.*}} = %c0_i16{{.*}} to %c100_i16{{.*}} step %c50_i16{{.*}} : i16 {
// CHECK-NEXT:      arith.trunci %{{.*}} overflow<nsw> : i16 to i8
fsm.kernel @narrow(%out: !fsm.ptr<i8>) {
  %zero = arith.constant 0 : i8
  %step = arith.constant 50 : i8
  %end = arith.constant 100 : i8
  scf.for %i = %zero to %end step %step : i8 {
    fsm.store %i, %out : i8, !fsm.ptr<i8>
  }
  fsm.return
}

// The number of programs is at least 1. Of another step nobody knows: it is 1 where it is none, and the loop ends
// where it begins.
// CHECK-LABEL: fsm.kernel @steps(
// CHECK-SAME:    %[[N:[a-z]+]]: i32, %[[S:[a-z]+]]: i32
// CHECK:         %[[ID:.*]] = fsm.program_id x
// CHECK:         %[[ALL:.*]] = fsm.num_programs x
// CHECK-NOT:     arith.select
// CHECK:         scf.for {{.*}} : i64 {
// CHECK:         %[[RUNS:.*]] = arith.cmpi sgt, %[[S]], %c0_i32{{.*}} : i32
// CHECK:         %[[END:.*]] = arith.select %[[RUNS]], %[[N]], %[[ID]] : i32
// CHECK:         %[[STEP:.*]] = arith.select %[[RUNS]], %[[S]], %c1_i32{{.*}} : i32
// CHECK:         %[[LOW:.*]] = arith.extsi %[[ID]] : i32 to i64
// CHECK:         %[[HIGH:.*]] = arith.extsi %[[END]] : i32 to i64
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[STEP]] : i32 to i64
// CHECK:         scf.for {{.*}} = %[[LOW]] to %[[HIGH]] step %[[WIDE]] : i64 {
// A step that is known to be none leaves nothing to choose.
// CHECK-NOT:     arith.select
// CHECK:         %[[ONCE:.*]] = arith.extsi %[[ID]] : i32 to i64
// CHECK:         scf.for %{{.*}} = %[[ONCE]] to %{{.*}} step %c1_i64{{.*}} : i64 {
fsm.kernel @steps(%out: !fsm.ptr<i32>, %n: i32, %s: i32) {
  %id = fsm.program_id x : i32
  %all = fsm.num_programs x : i32
  %none = arith.constant -1 : i32
  scf.for %i = %id to %n step %all : i32 {
    fsm.store %i, %out : i32, !fsm.ptr<i32>
  }
  scf.for %i = %id to %n step %s : i32 {
    fsm.store %i, %out : i32, !fsm.ptr<i32>
  }
  scf.for %i = %id to %n step %none : i32 {
    fsm.store %i, %out : i32, !fsm.ptr<i32>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// A loop over i64 runs (end - first - 1) / step + 1 times, if at all, and its i-th number is first + i * step. Where
// first may be negative the product may wrap.
// CHECK-LABEL: fsm.kernel @counted(
// CHECK-SAME:    %[[A:[a-z]+]]: i64, %[[B:[a-z]+]]: i64
// CHECK:         %[[DISTANCE:.*]] = arith.subi %[[B]], %[[A]] : i64
// CHECK:         %[[LAST:.*]] = arith.subi %[[DISTANCE]], %c1_i64{{.*}} : i64
// CHECK:         %[[STEPS:.*]] = arith.divui %[[LAST]], %c3_i64{{.*}} : i64
// CHECK:         %[[BOUNDED:.*]] = arith.minui %[[STEPS]], %c4611686018427387904_i64{{.*}} : i64
// CHECK:         %[[TIMES:.*]] = arith.addi %[[BOUNDED]], %c1_i64{{.*}} : i64
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %[[A]], %[[B]] : i64
// CHECK:         %[[COUNT:.*]] = arith.select %[[RUNS]], %[[TIMES]], %c0_i64{{.*}} : i64
// CHECK:         scf.for %[[I:.*]] = %c0_i64{{.*}} to %[[COUNT]] step %c1_i64{{.*}} : i64 {
// CHECK-NEXT:      %[[WAY:.*]] = arith.muli %[[I]], %c3_i64{{.*}} : i64
// CHECK-NEXT:      %[[N:.*]] = arith.addi %[[A]], %[[WAY]] : i64
// CHECK-NEXT:      fsm.store %[[N]]
// CHECK:         arith.cmpi ult, %[[A]], %[[B]] : i64
// CHECK:         scf.for {{.*}} : i64 {
// CHECK-NEXT:      arith.muli %{{.*}} overflow<nuw> : i64
// CHECK-NEXT:      arith.addi %[[A]], %{{.*}} overflow<nuw> : i64
// CHECK:         scf.for {{.*}} : i64 {
// CHECK-NEXT:      arith.muli %{{.*}} overflow<nsw> : i64
fsm.kernel @counted(%out: !fsm.ptr<i64>, %a: i64, %b: i64) {
  %zero = arith.constant 0 : i64
  %step = arith.constant 3 : i64
  scf.for %i = %a to %b step %step : i64 {
    fsm.store %i, %out : i64, !fsm.ptr<i64>
  }
  scf.for unsigned %i = %a to %b step %step : i64 {
    fsm.store %i, %out : i64, !fsm.ptr<i64>
  }
  scf.for %i = %zero to %b step %step : i64 {
    fsm.store %i, %out : i64, !fsm.ptr<i64>
  }
  fsm.return
}

// Numbers of 32 bits have all the room they need in 64; one that is below 0 without a sign has not.
// CHECK-LABEL: fsm.kernel @roomy(
// CHECK:         %[[END:.*]] = arith.extsi
// CHECK:         scf.for %[[I:.*]] = %c-5_i64 to %[[END]] step %c7_i64 : i64 {
// CHECK-NEXT:      fsm.store %[[I]]
// CHECK:         arith.divui
// CHECK:         scf.for %{{.*}} = %c0_i64{{.*}} to %{{.*}} step %c1_i64{{.*}} : i64 {
fsm.kernel @roomy(%out: !fsm.ptr<i64>, %n: i32) {
  %low = arith.constant -5 : i64
  %step = arith.constant 7 : i64
  %end = arith.extsi %n : i32 to i64
  scf.for %i = %low to %end step %step : i64 {
    fsm.store %i, %out : i64, !fsm.ptr<i64>
  }
  scf.for unsigned %i = %step to %end step %step : i64 {
    fsm.store %i, %out : i64, !fsm.ptr<i64>
  }
  fsm.return
}
