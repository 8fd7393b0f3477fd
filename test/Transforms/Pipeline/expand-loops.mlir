// Iterations overlap: what the early stages do for the first iterations stands in front of the loop, nothing is done
// for iterations that are none, and a wait lets as many groups be as later iterations have begun.

// RUN: %fsm_opt %s --fsm-expand-loops | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// Three stages: two copies in front, each only for an iteration there is.
// CHECK-LABEL: fsm.kernel @copies
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: !fsm.ptr<f32>, %[[IN:[a-z0-9]+]]: !fsm.ptr<f32>, %[[N:[a-z0-9]+]]: i32
// CHECK:         %[[RING:.*]] = fsm.ring
// CHECK:         %[[END:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %[[END]], %c0_i64{{.*}} : i64
// CHECK:         fsm.copy_async %{{.*}} into %[[RING]][%{{.*}}] if %[[SOME]]
// CHECK:         fsm.copy_commit
// CHECK:         %[[TWO:.*]] = arith.cmpi sgt, %[[END]], %c1_i64{{.*}} : i64
// CHECK:         fsm.copy_async %{{.*}} into %[[RING]][%{{.*}}] if %[[TWO]]
// CHECK:         fsm.copy_commit
// CHECK-NOT:     fsm.copy
// The counter is wide, so that two more than the end is no small number.
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %{{.*}} : i64
// CHECK:           %[[LESS:.*]] = arith.subi %[[END]], %c2_i64{{.*}} : i64
// CHECK:           %[[MORE:.*]] = arith.cmpi slt, %[[I]], %[[LESS]] : i64
// CHECK-NEXT:      fsm.copy_wait 1
// CHECK-NEXT:      %[[X:.*]] = fsm.ring_read %[[RING]]
// CHECK:           %[[AHEAD:.*]] = arith.addi %[[I]], %c2_i64{{.*}} : i64
// CHECK:           %[[NARROW:.*]] = arith.trunci %[[AHEAD]] : i64 to i32
// CHECK:           %[[FROM:.*]] = fsm.offset %[[IN]], %[[NARROW]]
// CHECK:           fsm.copy_async %[[FROM]][%{{.*}}] into %[[RING]][%{{.*}}] if %[[MORE]] : !fsm.ptr<f32>
// CHECK-NEXT:      fsm.copy_commit
// CHECK:           %[[NOW:.*]] = arith.trunci %[[I]] : i64 to i32
// CHECK:           %[[TO:.*]] = fsm.offset %[[OUT]], %[[NOW]]
// CHECK:           fsm.store %[[X]], %[[TO]]
// CHECK-NOT:     fsm.stage
// CHECK:         fsm.return
fsm.kernel @copies(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %ring = fsm.ring : !fsm.ring<2, tensor<128xf32, #row>>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32
    %put = arith.remui %i, %two {fsm.stage = 0 : i32} : i32
    fsm.copy_async %from[%o] into %ring[%put] {fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.ring<2, tensor<128xf32, #row>>
    fsm.copy_commit {fsm.stage = 0 : i32}
    fsm.copy_wait 0
    %take = arith.remui %i, %two : i32
    %x = fsm.ring_read %ring[%zero] : !fsm.ring<2, tensor<128xf32, #row>> -> tensor<128xf32, #row>
    %to = fsm.offset %out, %i : !fsm.ptr<f32>, i32
    fsm.store %x, %to[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.num_stages = 3 : i32, fsm.stages = 3 : i32}
  fsm.return
}

// A load is masked with whether its iteration exists, with and without a mask of its own, for scalars and blocks; by a
// choice, for the mask of an iteration that is none may be poison.
// CHECK-LABEL: fsm.kernel @masked
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt
// CHECK:         %[[OWN:.*]] = arith.select %[[SOME]], %{{.*}}, %false : i1
// CHECK:         fsm.load %{{.*}}, %[[OWN]] : !fsm.ptr<f32> -> f32
// CHECK:         fsm.load %{{.*}}[%{{.*}}], %[[SOME]] : !fsm.ptr<f32>, tensor<128xi32, #{{.*}}>, mask i1 -> tensor<128xf32
// CHECK:         %[[BLOCK:.*]] = arith.select %[[SOME]], %{{.*}}, %{{.*}} : tensor<128xi1
// CHECK:         fsm.load %{{.*}}[%{{.*}}], %[[BLOCK]], %{{.*}} : !fsm.ptr<f32>
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           %[[MORE:.*]] = arith.cmpi slt
// CHECK:           arith.select %[[MORE]], %{{.*}}, %false{{.*}} : i1
// CHECK:         fsm.return
fsm.kernel @masked(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32, %b: i1) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 1.0 : f32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %end = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %o, %end : tensor<128xi32, #row>
  scf.for %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32
    %x = fsm.load %from, %b {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32
    %y = fsm.load %from[%o] {fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %z = fsm.load %from[%o], %mask, %none {fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row> -> tensor<128xf32, #row>
    %s = fsm.splat %x : tensor<128xf32, #row>
    %a = arith.addf %s, %y : tensor<128xf32, #row>
    %c = arith.addf %a, %z : tensor<128xf32, #row>
    fsm.store %c, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.stages = 2 : i32}
  fsm.return
}

// A loop over i64 counts its iterations, for two more than its end may be a small number; so does a step that may be
// none run the loop not at all.
// CHECK-LABEL: fsm.kernel @wide
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: !fsm.ptr<f32>, %[[IN:[a-z0-9]+]]: !fsm.ptr<f32>, %[[A:[a-z0-9]+]]: i64, %[[B:[a-z0-9]+]]: i64, %[[S:[a-z0-9]+]]: i64
// CHECK:         %[[RUNS:.*]] = arith.cmpi sgt, %[[S]], %c0_i64{{.*}} : i64
// CHECK:         %[[UPPER:.*]] = arith.select %[[RUNS]], %[[B]], %[[A]] : i64
// CHECK:         %[[STEP:.*]] = arith.select %[[RUNS]], %[[S]], %c1_i64{{.*}} : i64
// CHECK:         %[[LESS:.*]] = arith.cmpi slt, %[[A]], %[[UPPER]] : i64
// CHECK:         %[[STEPS:.*]] = arith.divui %{{.*}}, %[[STEP]] : i64
// CHECK:         %[[COUNT:.*]] = arith.select %[[LESS]], %{{.*}}, %c0_i64{{.*}} : i64
// CHECK:         scf.for %[[I:.*]] = %c0_i64{{.*}} to %[[COUNT]] step %c1_i64{{.*}} : i64
// CHECK:           arith.muli %{{.*}}, %[[STEP]]{{.*}} : i64
// CHECK:           arith.muli %[[I]], %[[STEP]]{{.*}} : i64
// CHECK:         fsm.return
fsm.kernel @wide(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %a: i64, %b: i64, %s: i64) attributes {num_warps = 1 : i32} {
  scf.for %i = %a to %b step %s : i64 {
    %from = fsm.offset %in, %i {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i64
    %x = fsm.load %from {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32
    %to = fsm.offset %out, %i : !fsm.ptr<f32>, i64
    fsm.store %x, %to : f32, !fsm.ptr<f32>
  } {fsm.stages = 2 : i32}
  fsm.return
}

// Numbers without a sign are widened without one.
// CHECK-LABEL: fsm.kernel @unsigned
// CHECK:         arith.extui %{{.*}} : i32 to i64
// CHECK-NOT:     unsigned
// CHECK:         scf.for {{.*}} : i64
// CHECK:         fsm.return
fsm.kernel @unsigned(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for unsigned %i = %zero to %n step %one : i32 {
    %from = fsm.offset %in, %i {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32
    %x = fsm.load %from {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32
    fsm.store %x, %out : f32, !fsm.ptr<f32>
  } {fsm.stages = 2 : i32}
  fsm.return
}
