// Iterations overlap: what the early stages do for the first iterations stands in front of the loop, nothing is done
// for iterations that are none, and a wait lets as many groups be as later iterations have begun.

// RUN: %fsm_opt %s --fsm-expand-loops | FileCheck %s
// A constant in the body, as folding leaves it, is of no stage.
// RUN: sed 's/^\( *\)\(.put = arith.remui .e, \).two/\1%inside = arith.constant 2 : i32\n\1\2%inside/' %s | %fsm_opt --fsm-expand-loops | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>

// Three stages: two copies in front, each only for an iteration there is.
// CHECK-LABEL: fsm.kernel @copies
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: !fsm.ptr<f32>, %[[IN:[a-z0-9]+]]: !fsm.ptr<f32>, %[[N:[a-z0-9]+]]: i32
// CHECK:         %[[RING:.*]] = fsm.shared_alloc
// CHECK:         %[[END:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %[[END]], %c0_i64{{.*}} : i64
// CHECK:         fsm.copy_async %{{.*}} into %[[RING]][%{{.*}}] if %[[SOME]]
// CHECK:         fsm.copy_commit
// CHECK:         %[[TWO:.*]] = arith.cmpi sgt, %[[END]], %c1_i64{{.*}} : i64
// CHECK:         fsm.copy_async %{{.*}} into %[[RING]][%{{.*}}] if %[[TWO]]
// CHECK:         fsm.copy_commit
// CHECK-NOT:     fsm.copy
// The counter is wide already, so that two more than the end is no small number.
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %{{.*}} : i64
// CHECK:           %[[LESS:.*]] = arith.subi %[[END]], %c2_i64{{.*}} : i64
// CHECK:           %[[MORE:.*]] = arith.cmpi slt, %[[I]], %[[LESS]] : i64
// CHECK-NEXT:      fsm.copy_wait 1
// CHECK-NEXT:      %[[X:.*]] = fsm.shared_load %[[RING]]
// CHECK:           %[[AHEAD:.*]] = arith.addi %[[I]], %c2_i64{{.*}} : i64
// CHECK:           %[[NARROW:.*]] = arith.trunci %[[AHEAD]] overflow<nsw> : i64 to i32
// CHECK:           %[[FROM:.*]] = fsm.offset %[[IN]], %[[NARROW]]
// CHECK:           fsm.copy_async %[[FROM]][%{{.*}}] into %[[RING]][%{{.*}}] if %[[MORE]] : !fsm.ptr<f32>
// CHECK-NEXT:      fsm.copy_commit
// CHECK:           %[[NOW:.*]] = arith.trunci %[[I]] overflow<nsw> : i64 to i32
// CHECK:           %[[TO:.*]] = fsm.offset %[[OUT]], %[[NOW]]
// CHECK:           fsm.store %[[X]], %[[TO]]
// CHECK-NOT:     fsm.stage
// CHECK:         fsm.return
fsm.kernel @copies(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 2, #own>
  %first = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %end = arith.extsi %n : i32 to i64
  scf.for %k = %first to %end step %step : i64 {
    %e = arith.trunci %k overflow<nsw> {fsm.stage = 0 : i32} : i64 to i32
    %from = fsm.offset %in, %e {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32
    %i = arith.trunci %k overflow<nsw> : i64 to i32
    %put = arith.remui %e, %two {fsm.stage = 0 : i32} : i32
    fsm.copy_async %from[%o] into %slots[%put] {fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 2, #own>
    fsm.copy_commit {fsm.stage = 0 : i32}
    fsm.copy_wait 0
    %take = arith.remui %i, %two : i32
    %x = fsm.shared_load %slots[%zero] : !fsm.shared<128xf32 slots 2, #own> -> tensor<128xf32, #row>
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
// CHECK:         fsm.load %{{.*}}, %[[OWN]] {fsm.prologue} : !fsm.ptr<f32> -> f32
// CHECK:         fsm.load %{{.*}}[%{{.*}}], %[[SOME]] {fsm.prologue} : !fsm.ptr<f32>, tensor<128xi32, #{{.*}}>, mask i1 -> tensor<128xf32
// CHECK:         %[[BLOCK:.*]] = arith.select %[[SOME]], %{{.*}}, %{{.*}} : tensor<128xi1
// CHECK:         fsm.load %{{.*}}[%{{.*}}], %[[BLOCK]], %{{.*}} {fsm.prologue} : !fsm.ptr<f32>
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           %[[MORE:.*]] = arith.cmpi slt
// CHECK:           arith.select %[[MORE]], %{{.*}}, %false{{.*}} : i1
// CHECK-NOT:     fsm.prologue
// CHECK:         fsm.return
fsm.kernel @masked(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32, %b: i1) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 1.0 : f32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %all = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %o, %all : tensor<128xi32, #row>
  %first = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %end = arith.extsi %n : i32 to i64
  scf.for %k = %first to %end step %step : i64 {
    %e = arith.trunci %k overflow<nsw> {fsm.stage = 0 : i32} : i64 to i32
    %from = fsm.offset %in, %e {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32
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

// A number of the next iteration is asked for in front of the wait for this one's copies, with its address; copies begin behind that.
// CHECK-LABEL: fsm.kernel @number
// CHECK:         scf.for
// CHECK:           %[[NEXT:.*]] = fsm.offset %{{.*}}, %{{.*}} : !fsm.ptr<f32>, i32
// CHECK:           fsm.load %[[NEXT]], %{{.*}} : !fsm.ptr<f32> -> f32
// CHECK:           fsm.copy_wait 0
// CHECK-NEXT:      fsm.shared_load
// CHECK:           fsm.copy_async
// CHECK-NOT:       fsm.load
// CHECK:         fsm.return
fsm.kernel @number(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %factors: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 1, #own>
  %first = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %end = arith.extsi %n : i32 to i64
  scf.for %k = %first to %end step %step : i64 {
    %e = arith.trunci %k overflow<nsw> {fsm.stage = 0 : i32} : i64 to i32
    %from = fsm.offset %in, %e {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32
    fsm.copy_async %from[%o] into %slots[%zero] {fsm.stage = 0 : i32} : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 1, #own>
    fsm.copy_commit {fsm.stage = 0 : i32}
    %at = fsm.offset %factors, %e {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32
    %factor = fsm.load %at {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32
    fsm.copy_wait 0
    %x = fsm.shared_load %slots[%zero] : !fsm.shared<128xf32 slots 1, #own> -> tensor<128xf32, #row>
    %all = fsm.splat %factor : tensor<128xf32, #row>
    %y = arith.mulf %x, %all : tensor<128xf32, #row>
    %i = arith.trunci %k overflow<nsw> : i64 to i32
    %to = fsm.offset %out, %i : !fsm.ptr<f32>, i32
    fsm.store %y, %to[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  } {fsm.num_stages = 2 : i32, fsm.stages = 2 : i32}
  fsm.return
}
