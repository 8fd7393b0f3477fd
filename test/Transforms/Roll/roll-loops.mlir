// Where a group of ops repeats, the first copy becomes the body of a loop.

// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops{roll-from=1}))' | FileCheck %s
// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-roll-loops))' | FileCheck %s --check-prefix=SHORT

// By itself the pass leaves kernels of some thousand ops alone.
// SHORT-COUNT-1: scf.for
// SHORT-NOT:     scf.for

// CHECK-LABEL: @carried
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG:     %[[FIVE:.*]] = arith.constant 5 : i32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} = %[[ZERO]] to %[[FIVE]] step %[[ONE]] iter_args(%[[OLD:.*]] = %x) -> (f32)
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[OLD]], %y : f32
// CHECK-NEXT:      scf.yield %[[NEW]] : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    fsm.store %[[SUM]]
// CHECK-NEXT:    fsm.return
fsm.kernel @carried(%out: !fsm.ptr<f32>, %x: f32, %y: f32) {
  %a = arith.addf %x, %y : f32
  %b = arith.addf %a, %y : f32
  %c = arith.addf %b, %y : f32
  %d = arith.addf %c, %y : f32
  %e = arith.addf %d, %y : f32
  fsm.store %e, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// Constants that move by a step are computed, in their own bits: these go from 250 to 6 and on.
// CHECK-LABEL: @moving
// CHECK:         %[[Z:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[OLD:.*]] = %{{.*}}) -> (tensor<4xi8>)
// CHECK-NEXT:      %[[TIMES:.*]] = arith.trunci %[[I]] : i32 to i8
// CHECK-NEXT:      %[[STEP:.*]] = arith.constant 12 : i8
// CHECK-NEXT:      %[[STEPS:.*]] = arith.muli %[[TIMES]], %[[STEP]] : i8
// CHECK-NEXT:      %[[FIRST:.*]] = arith.constant -6 : i8
// CHECK-NEXT:      %[[SUM:.*]] = arith.addi %[[STEPS]], %[[FIRST]] : i8
// CHECK-NEXT:      %[[BLOCK:.*]] = fsm.splat %[[SUM]] : tensor<4xi8>
// CHECK-NEXT:      %[[NEW:.*]] = arith.xori %[[OLD]], %[[BLOCK]] : tensor<4xi8>
// CHECK-NEXT:      scf.yield %[[NEW]]
// CHECK:         fsm.store %[[Z]]
// CHECK-NEXT:    fsm.return
fsm.kernel @moving(%out: !fsm.ptr<i8>) {
  %at = fsm.range 0, 4 : tensor<4xi32>
  %x = fsm.load %out[%at] : !fsm.ptr<i8>, tensor<4xi32> -> tensor<4xi8>
  %k0 = arith.constant dense<250> : tensor<4xi8>
  %a = arith.xori %x, %k0 : tensor<4xi8>
  %k1 = arith.constant dense<6> : tensor<4xi8>
  %b = arith.xori %a, %k1 : tensor<4xi8>
  %k2 = arith.constant dense<18> : tensor<4xi8>
  %c = arith.xori %b, %k2 : tensor<4xi8>
  %k3 = arith.constant dense<30> : tensor<4xi8>
  %d = arith.xori %c, %k3 : tensor<4xi8>
  fsm.store %d, %out[%at] : tensor<4xi8>, !fsm.ptr<i8>, tensor<4xi32>
  fsm.return
}

// -----

// What is read and written stays in its order. Nothing is carried.
// CHECK-LABEL: @effects
// CHECK-COUNT-1: scf.for
// CHECK:           %[[P:.*]] = fsm.offset %{{.*}}, %{{.*}} : !fsm.ptr<i32>, i64
// CHECK-NEXT:      %[[OLD:.*]] = fsm.load %[[P]]
// CHECK-NEXT:      fsm.atomic_rmw
// CHECK-NEXT:      fsm.store %[[OLD]], %[[P]]
// CHECK-NEXT:    }
// CHECK-NEXT:    fsm.return
fsm.kernel @effects(%p: !fsm.ptr<i32>, %count: !fsm.ptr<i32>) {
  %k0 = arith.constant 8 : i64
  %k1 = arith.constant 7 : i64
  %k2 = arith.constant 6 : i64
  %k3 = arith.constant 5 : i64
  %one = arith.constant 1 : i32
  %p0 = fsm.offset %p, %k0 : !fsm.ptr<i32>, i64
  %x0 = fsm.load %p0 : !fsm.ptr<i32> -> i32
  %c0 = fsm.atomic_rmw <add> %one, %count sem = relaxed : i32, !fsm.ptr<i32>
  fsm.store %x0, %p0 : i32, !fsm.ptr<i32>
  %p1 = fsm.offset %p, %k1 : !fsm.ptr<i32>, i64
  %x1 = fsm.load %p1 : !fsm.ptr<i32> -> i32
  %c1 = fsm.atomic_rmw <add> %one, %count sem = relaxed : i32, !fsm.ptr<i32>
  fsm.store %x1, %p1 : i32, !fsm.ptr<i32>
  %p2 = fsm.offset %p, %k2 : !fsm.ptr<i32>, i64
  %x2 = fsm.load %p2 : !fsm.ptr<i32> -> i32
  %c2 = fsm.atomic_rmw <add> %one, %count sem = relaxed : i32, !fsm.ptr<i32>
  fsm.store %x2, %p2 : i32, !fsm.ptr<i32>
  %p3 = fsm.offset %p, %k3 : !fsm.ptr<i32>, i64
  %x3 = fsm.load %p3 : !fsm.ptr<i32> -> i32
  %c3 = fsm.atomic_rmw <add> %one, %count sem = relaxed : i32, !fsm.ptr<i32>
  fsm.store %x3, %p3 : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// Two values go round, each to where the other was.
// CHECK-LABEL: @two
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %x, %[[B:.*]] = %y) -> (i32, i32)
// CHECK-NEXT:      %[[C:.*]] = arith.muli %[[A]], %[[B]]
// CHECK-NEXT:      %[[D:.*]] = arith.subi %[[C]], %[[B]]
// CHECK-NEXT:      scf.yield %[[C]], %[[D]]
// CHECK:         fsm.store %[[R]]#0
// CHECK-NEXT:    fsm.store %[[R]]#1
fsm.kernel @two(%out: !fsm.ptr<i32>, %x: i32, %y: i32) {
  %a0 = arith.muli %x, %y : i32
  %b0 = arith.subi %a0, %y : i32
  %a1 = arith.muli %a0, %b0 : i32
  %b1 = arith.subi %a1, %b0 : i32
  %a2 = arith.muli %a1, %b1 : i32
  %b2 = arith.subi %a2, %b1 : i32
  %a3 = arith.muli %a2, %b2 : i32
  %b3 = arith.subi %a3, %b2 : i32
  fsm.store %a3, %out : i32, !fsm.ptr<i32>
  fsm.store %b3, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// Of one result the first copy has two other values, so that the loop carries it twice.
// CHECK-LABEL: @beginnings
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %x, %[[B:.*]] = %y) -> (i32, i32)
// CHECK-NEXT:      %[[C:.*]] = arith.muli %[[A]], %[[B]]
// CHECK-NEXT:      scf.yield %[[C]], %[[C]]
fsm.kernel @beginnings(%out: !fsm.ptr<i32>, %x: i32, %y: i32) {
  %a = arith.muli %x, %y : i32
  %b = arith.muli %a, %a : i32
  %c = arith.muli %b, %b : i32
  %d = arith.muli %c, %c : i32
  fsm.store %d, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// What the loop does not carry is computed once more behind it.
// CHECK-LABEL: @uncarried
// CHECK-DAG:     %[[THREE:.*]] = arith.constant 3 : i32
// CHECK:         %[[B:.*]] = scf.for %{{.*}} to %[[THREE]]
// CHECK:         }
// CHECK-NEXT:    %[[A:.*]] = arith.muli %[[B]], %{{.*}} : i32
// CHECK-NEXT:    %[[LAST:.*]] = arith.subi %[[A]], %{{.*}} : i32
// CHECK-NEXT:    fsm.store %[[A]]
// CHECK-NEXT:    fsm.store %[[LAST]]
fsm.kernel @uncarried(%out: !fsm.ptr<i32>, %x: i32, %y: i32) {
  %a0 = arith.muli %x, %y : i32
  %b0 = arith.subi %a0, %y : i32
  %a1 = arith.muli %b0, %y : i32
  %b1 = arith.subi %a1, %y : i32
  %a2 = arith.muli %b1, %y : i32
  %b2 = arith.subi %a2, %y : i32
  %a3 = arith.muli %b2, %y : i32
  %b3 = arith.subi %a3, %y : i32
  fsm.store %a3, %out : i32, !fsm.ptr<i32>
  fsm.store %b3, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// A run ends where others use a result, and another begins; ops that do something else end one, too.
// CHECK-LABEL: @used_in_the_middle
// CHECK-DAG:     %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK:         %[[D:.*]] = scf.for %{{.*}} to %[[FOUR]]
// CHECK:         }
// CHECK:         %[[FIVE:.*]] = arith.constant 5 : i32
// CHECK:         %[[I:.*]] = scf.for %{{.*}} to %[[FIVE]] {{.*}} iter_args(%{{.*}} = %[[D]])
// CHECK:         }
// CHECK-NEXT:    arith.mulf %[[I]], %{{.*}} : f32
// CHECK-NEXT:    fsm.store %[[D]]
fsm.kernel @used_in_the_middle(%out: !fsm.ptr<f32>, %x: f32, %y: f32) {
  %a = arith.addf %x, %y : f32
  %b = arith.addf %a, %y : f32
  %c = arith.addf %b, %y : f32
  %d = arith.addf %c, %y : f32
  %e = arith.addf %d, %y : f32
  %f = arith.addf %e, %y : f32
  %g = arith.addf %f, %y : f32
  %h = arith.addf %g, %y : f32
  %i = arith.addf %h, %y : f32
  %j = arith.mulf %i, %y : f32
  fsm.store %d, %out : f32, !fsm.ptr<f32>
  fsm.store %j, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// All results are used further on.
// CHECK-LABEL: @all_used
// CHECK-NOT:     scf.for
// CHECK:         fsm.return
fsm.kernel @all_used(%out: !fsm.ptr<f32>, %x: f32, %y: f32) {
  %a = arith.addf %x, %y : f32
  %b = arith.addf %a, %y : f32
  %c = arith.addf %b, %y : f32
  %d = arith.addf %c, %y : f32
  %e = arith.mulf %a, %b : f32
  %f = arith.subf %e, %c : f32
  %g = arith.divf %f, %d : f32
  fsm.store %g, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// The quotient stands in the first copy only, for it is the same in all: it stays in front of the loop.
// CHECK-LABEL: @once
// CHECK:         arith.negf
// CHECK-NEXT:    %[[Q:.*]] = arith.divf
// CHECK:         scf.for
// CHECK-NEXT:      arith.addf %{{.*}}, %[[Q]] : f32
// CHECK-NEXT:      arith.negf
// CHECK-NEXT:      scf.yield
// CHECK:         fsm.store
fsm.kernel @once(%out: !fsm.ptr<f32>, %x: f32, %y: f32) {
  %m = arith.negf %x : f32
  %q = arith.divf %x, %y : f32
  %a = arith.addf %m, %q : f32
  %n = arith.negf %a : f32
  %b = arith.addf %n, %q : f32
  %o = arith.negf %b : f32
  %c = arith.addf %o, %q : f32
  %p = arith.negf %c : f32
  %d = arith.addf %p, %q : f32
  %e = arith.negf %d : f32
  fsm.store %e, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// Three steps in turn are one group of three.
// CHECK-LABEL: @steps_in_turn
// CHECK-DAG:     %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK:         scf.for %{{.*}} to %[[FOUR]]
// CHECK-COUNT-3:   arith.ori
// CHECK-NOT:       arith.ori
// CHECK:           scf.yield
// CHECK:         fsm.return
fsm.kernel @steps_in_turn(%out: !fsm.ptr<i32>, %x: i32) {
  %k0 = arith.constant 100 : i32
  %k1 = arith.constant 201 : i32
  %k2 = arith.constant 302 : i32
  %k3 = arith.constant 400 : i32
  %k4 = arith.constant 501 : i32
  %k5 = arith.constant 602 : i32
  %k6 = arith.constant 700 : i32
  %k7 = arith.constant 801 : i32
  %k8 = arith.constant 902 : i32
  %k9 = arith.constant 1000 : i32
  %k10 = arith.constant 1101 : i32
  %k11 = arith.constant 1202 : i32
  %a0 = arith.ori %x, %k0 : i32
  %a1 = arith.ori %a0, %k1 : i32
  %a2 = arith.ori %a1, %k2 : i32
  %a3 = arith.ori %a2, %k3 : i32
  %a4 = arith.ori %a3, %k4 : i32
  %a5 = arith.ori %a4, %k5 : i32
  %a6 = arith.ori %a5, %k6 : i32
  %a7 = arith.ori %a6, %k7 : i32
  %a8 = arith.ori %a7, %k8 : i32
  %a9 = arith.ori %a8, %k9 : i32
  %a10 = arith.ori %a9, %k10 : i32
  %a11 = arith.ori %a10, %k11 : i32
  fsm.store %a11, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// Four negations and a root, four times: the root is no copy of a negation.
// CHECK-LABEL: @groups_of_groups
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        arith.negf
// CHECK-NEXT:        scf.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      math.sqrt
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    fsm.store
fsm.kernel @groups_of_groups(%out: !fsm.ptr<f32>, %x: f32) {
  %v0 = arith.negf %x : f32
  %v1 = arith.negf %v0 : f32
  %v2 = arith.negf %v1 : f32
  %v3 = arith.negf %v2 : f32
  %v4 = math.sqrt %v3 : f32
  %v5 = arith.negf %v4 : f32
  %v6 = arith.negf %v5 : f32
  %v7 = arith.negf %v6 : f32
  %v8 = arith.negf %v7 : f32
  %v9 = math.sqrt %v8 : f32
  %v10 = arith.negf %v9 : f32
  %v11 = arith.negf %v10 : f32
  %v12 = arith.negf %v11 : f32
  %v13 = arith.negf %v12 : f32
  %v14 = math.sqrt %v13 : f32
  %v15 = arith.negf %v14 : f32
  %v16 = arith.negf %v15 : f32
  %v17 = arith.negf %v16 : f32
  %v18 = arith.negf %v17 : f32
  %v19 = math.sqrt %v18 : f32
  fsm.store %v19, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// Regions are compared, and what they use from outside is an operand of the op.
// CHECK-LABEL: @regions
// CHECK:         scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}) -> (i32)
// CHECK-NEXT:      %[[NEW:.*]] = scf.if
// CHECK-NEXT:        %[[SUM:.*]] = arith.addi %[[OLD]], %{{.*}} : i32
// CHECK-NEXT:        scf.yield %[[SUM]]
// CHECK:           scf.yield %[[NEW]]
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      arith.muli
fsm.kernel @regions(%out: !fsm.ptr<i32>, %x: i32, %y: i32, %where: i1) {
  %a = scf.if %where -> (i32) {
    %s = arith.addi %x, %y : i32
    scf.yield %s : i32
  } else {
    scf.yield %y : i32
  }
  %b = scf.if %where -> (i32) {
    %s = arith.addi %a, %y : i32
    scf.yield %s : i32
  } else {
    scf.yield %y : i32
  }
  %c = scf.if %where -> (i32) {
    %s = arith.addi %b, %y : i32
    scf.yield %s : i32
  } else {
    scf.yield %y : i32
  }
  %d = scf.if %where -> (i32) {
    %s = arith.addi %c, %y : i32
    scf.yield %s : i32
  } else {
    scf.yield %y : i32
  }
  %e = scf.if %where -> (i32) {
    %s = arith.muli %d, %y : i32
    scf.yield %s : i32
  } else {
    scf.yield %y : i32
  }
  fsm.store %e, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// -----

// Ops differ in an attribute, or in the types of their operands.
// CHECK-LABEL: @differ
// CHECK-NOT:     scf.for
// CHECK:         fsm.return
fsm.kernel @differ(%out: !fsm.ptr<f32>, %x: f32, %half: f16, %brain: bf16) {
  %h0 = arith.extf %half : f16 to f32
  %h1 = arith.extf %brain : bf16 to f32
  %h2 = arith.extf %half : f16 to f32
  %h3 = arith.extf %brain : bf16 to f32
  fsm.store %h0, %out : f32, !fsm.ptr<f32>
  %a = arith.cmpf olt, %h0, %x : f32
  %b = arith.cmpf ogt, %h1, %x : f32
  %c = arith.cmpf ole, %h2, %x : f32
  %d = arith.cmpf oge, %h3, %x : f32
  %ab = arith.andi %a, %b : i1
  %cd = arith.ori %c, %d : i1
  %e = arith.xori %ab, %cd : i1
  %f = arith.uitofp %e : i1 to f32
  fsm.store %f, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// Loads of a loop with stages run ahead where they stand in that loop itself.
// CHECK-LABEL: @staged
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         fsm.return
fsm.kernel @staged(%out: !fsm.ptr<f32>, %x: f32, %y: f32, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%old = %x) -> (f32) : i32 {
    %a = arith.addf %old, %y : f32
    %b = arith.addf %a, %y : f32
    %c = arith.addf %b, %y : f32
    %d = arith.addf %c, %y : f32
    scf.yield %d : f32
  } {fsm.num_stages = 2 : i32}
  fsm.store %r, %out : f32, !fsm.ptr<f32>
  fsm.return
}
