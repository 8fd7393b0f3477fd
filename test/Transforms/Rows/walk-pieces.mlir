// Blocks of more elements than a piece become loops over pieces, in which what they are made of is made again.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-walk-pieces))' | FileCheck %s
//
// The result is a kernel of the language, with the same answers.
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-walk-pieces,canonicalize,cse))' -o %t.mlir
// RUN: %fsm_run %t.mlir --kernel=softmax --device=interp --grid=1 --arg='f32[10]' --arg='f32[10]:randn:1' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=softmax --device=interp --grid=1 --arg='f32[10]' --arg='f32[10]:randn:1' --check=0:%t.npy
// RUN: %fsm_run %t.mlir --kernel=where --device=interp --grid=1 --arg='f32[1]' --arg='i32[1]' --arg='f32[2x9]:randn:2' --out=1:%t.npy
// RUN: %fsm_run %s --kernel=where --device=interp --grid=1 --arg='f32[1]' --arg='i32[1]' --arg='f32[2x9]:randn:2' --check=1:%t.npy
// RUN: %fsm_run %t.mlir --kernel=lengths --device=interp --grid=1 --arg='i32[2]' --arg='i32[64]:arange' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=lengths --device=interp --grid=1 --arg='i32[2]' --arg='i32[64]:arange' --check=0:%t.npy
// RUN: %fsm_run %t.mlir --kernel=ordered --device=interp --grid=1 --arg='i32[3]' --arg='i32[8]:arange' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=ordered --device=interp --grid=1 --arg='i32[3]' --arg='i32[8]:arange' --check=0:%t.npy
// RUN: %fsm_run %t.mlir --kernel=twice --device=interp --grid=1 --arg='i32[12]' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=twice --device=interp --grid=1 --arg='i32[12]' --check=0:%t.npy
// RUN: %fsm_run %t.mlir --kernel=sums --device=interp --grid=1 --arg='i32[10]' --arg='i32[10]:arange' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=sums --device=interp --grid=1 --arg='i32[10]' --arg='i32[10]:arange' --check=0:%t.npy
// RUN: %fsm_run %t.mlir --kernel=sums_behind --device=interp --grid=1 --arg='f16[10]' --arg='f16[10]:randn:4' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=sums_behind --device=interp --grid=1 --arg='f16[10]' --arg='f16[10]:randn:4' --check=0:%t.npy
// RUN: %fsm_run %t.mlir --kernel=both_ways --device=interp --grid=1 --arg='i32[10]' --arg='i32[10]:arange' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=both_ways --device=interp --grid=1 --arg='i32[10]' --arg='i32[10]:arange' --check=0:%t.npy
// RUN: %fsm_run %t.mlir --kernel=steps --device=interp --grid=1 --arg='i32[18]' --arg='i32[18]:arange' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=steps --device=interp --grid=1 --arg='i32[18]' --arg='i32[18]:arange' --check=0:%t.npy
// RUN: %fsm_run %t.mlir --kernel=rows --device=interp --grid=1 --arg='i32[8]' --arg='i32[64]:arange' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=rows --device=interp --grid=1 --arg='i32[8]' --arg='i32[64]:arange' --check=0:%t.npy
// RUN: %fsm_run %t.mlir --kernel=columns --device=interp --grid=1 --arg='i32[8]' --arg='i32[64]:arange' --out=0:%t.npy
// RUN: %fsm_run %s --kernel=columns --device=interp --grid=1 --arg='i32[8]' --arg='i32[64]:arange' --check=0:%t.npy

// Three loops, for none may run before the one in front of it ends; 2 elements are a piece of their own.
// CHECK-LABEL: fsm.kernel @softmax
// CHECK:      fsm.load {{.*}} -> tensor<4xf32>
// CHECK:      %[[MOST:.*]] = scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}}) -> (tensor<4xf32>)
// CHECK:        %[[X:.*]] = fsm.load {{.*}} -> tensor<4xf32>
// CHECK:        arith.maxnumf %[[M]], %[[X]] : tensor<4xf32>
// CHECK:      %[[WHOLE:.*]] = fsm.reduce <max> %[[MOST]] axis 0 : tensor<4xf32> -> f32
// CHECK:      %[[REST:.*]] = fsm.reduce <max> %{{.*}} axis 0 : tensor<2xf32> -> f32
// CHECK:      arith.maxnumf %[[WHOLE]], %[[REST]] : f32
// CHECK:      scf.for {{.*}} -> (tensor<4xf32>)
// CHECK:        math.exp %{{.*}} : tensor<4xf32>
// CHECK:        arith.addf %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK:      scf.for
// CHECK:        fsm.store %{{.*}} : tensor<4xf32>
// CHECK:      fsm.store %{{.*}} : tensor<2xf32>
// CHECK-NOT:  tensor<10x
fsm.kernel @softmax(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %offs = fsm.range 0, 10 : tensor<10xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<10xi32> -> tensor<10xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<10xf32> -> f32
  %maxes = fsm.splat %max : tensor<10xf32>
  %shifted = arith.subf %x, %maxes : tensor<10xf32>
  %num = math.exp %shifted : tensor<10xf32>
  %sum = fsm.reduce <sum> %num axis 0 : tensor<10xf32> -> f32
  %den = fsm.splat %sum : tensor<10xf32>
  %y = arith.divf %num, %den : tensor<10xf32>
  fsm.store %y, %out[%offs] : tensor<10xf32>, !fsm.ptr<f32>, tensor<10xi32>
  fsm.return
}

// Reductions that need nothing of one another share a loop; what the first one gives is used behind it.
// CHECK-LABEL: fsm.kernel @moments
// CHECK:      scf.for {{.*}} -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT:  scf.for
// CHECK:      %[[SUM:.*]] = fsm.reduce <sum>
// CHECK:      fsm.reduce <sum>
// CHECK:      arith.addf %[[SUM]]
// CHECK:      fsm.return
fsm.kernel @moments(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}, %bias: f32) attributes {fsm.piece = 4 : i32} {
  %offs = fsm.range 0, 8 : tensor<8xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<8xf32> -> f32
  %moved = arith.addf %sum, %bias : f32
  %square = arith.mulf %x, %x : tensor<8xf32>
  %squares = fsm.reduce <sum> %square axis 0 : tensor<8xf32> -> f32
  %both = arith.mulf %moved, %squares : f32
  fsm.store %both, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// Half formats are added up in f32 and rounded once, at the end.
// CHECK-LABEL: fsm.kernel @halves
// CHECK:      scf.for {{.*}} -> (tensor<4xf32>)
// CHECK:      %[[SUM:.*]] = fsm.reduce <sum> %{{.*}} axis 0 : tensor<4xf32> -> f32
// CHECK:      arith.truncf %[[SUM]] : f32 to f16
fsm.kernel @halves(%out: !fsm.ptr<f16> {fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %offs = fsm.range 0, 8 : tensor<8xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<8xi32> -> tensor<8xf16>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<8xf16> -> f16
  fsm.store %sum, %out : f16, !fsm.ptr<f16>
  fsm.return
}

// A region combines pieces element by element; of two dimensions the long one is walked.
// CHECK-LABEL: fsm.kernel @where
// CHECK:      scf.for {{.*}} -> (tensor<2x4xf32>, tensor<2x4xi32>)
// CHECK:        arith.select %{{.*}} : tensor<2x4xi1>, tensor<2x4xi32>
// CHECK:      fsm.reduce_with {{.*}} axis 1 : tensor<2x4xf32>, tensor<2x4xi32> -> tensor<2xf32>, tensor<2xi32>
// CHECK:      fsm.reduce_with {{.*}} axis 1 : tensor<2x1xf32>, tensor<2x1xi32> -> tensor<2xf32>, tensor<2xi32>
fsm.kernel @where(%out: !fsm.ptr<f32> {fsm.noalias}, %at: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %c = fsm.range 0, 9 : tensor<9xi32>
  %r = fsm.range 0, 2 : tensor<2xi32>
  %nine = arith.constant dense<9> : tensor<2x9xi32>
  %c2 = fsm.expand_dims %c axis 0 : tensor<9xi32> -> tensor<1x9xi32>
  %cols = fsm.broadcast %c2 : tensor<1x9xi32> -> tensor<2x9xi32>
  %r2 = fsm.expand_dims %r axis 1 : tensor<2xi32> -> tensor<2x1xi32>
  %rows = fsm.broadcast %r2 : tensor<2x1xi32> -> tensor<2x9xi32>
  %starts = arith.muli %rows, %nine : tensor<2x9xi32>
  %offs = arith.addi %starts, %cols : tensor<2x9xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<2x9xi32> -> tensor<2x9xf32>
  %most, %where = fsm.reduce_with %x, %cols axis 1 : tensor<2x9xf32>, tensor<2x9xi32> -> tensor<2xf32>, tensor<2xi32> {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %more = arith.cmpf oge, %a, %b : f32
    %v = arith.select %more, %a, %b : f32
    %w = arith.select %more, %i, %j : i32
    fsm.yield %v, %w : f32, i32
  }
  %sum = fsm.reduce <sum> %where axis 0 : tensor<2xi32> -> i32
  %value = fsm.reduce <sum> %most axis 0 : tensor<2xf32> -> f32
  fsm.store %sum, %at : i32, !fsm.ptr<i32>
  fsm.store %value, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// What a loop has found comes before what it finds: of equal numbers that is taken, without a comparison of places.
// CHECK-LABEL: fsm.kernel @ties
// CHECK:      scf.for
// CHECK:        %[[EARLIER:.*]] = arith.constant dense<true> : tensor<4xi1>
// CHECK-NOT:    arith.cmpi slt
// CHECK:        arith.andi %{{.*}}, %[[EARLIER]] : tensor<4xi1>
// CHECK:        scf.yield
// CHECK:      fsm.reduce_with
// CHECK:        arith.cmpi slt
// CHECK:      fsm.return
fsm.kernel @ties(%at: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %c = fsm.range 0, 8 : tensor<8xi32>
  %x = fsm.load %in[%c] : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %most, %where = fsm.reduce_with %x, %c axis 0 : tensor<8xf32>, tensor<8xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %even = arith.cmpf oeq, %a, %b : f32
    %earlier = arith.cmpi slt, %i, %j : i32
    %kept = arith.andi %even, %earlier : i1
    %chosen = arith.ori %more, %kept : i1
    %v = arith.select %chosen, %a, %b : f32
    %w = arith.select %chosen, %i, %j : i32
    fsm.yield %v, %w : f32, i32
  }
  fsm.store %where, %at : i32, !fsm.ptr<i32>
  fsm.return
}

// In place: what a piece has read it stores, in the last loop that reads it.
// CHECK-LABEL: fsm.kernel @in_place
// CHECK:      scf.for {{.*}} -> (tensor<4xf32>)
// CHECK:      scf.for
// CHECK:        fsm.load
// CHECK:        fsm.store
fsm.kernel @in_place(%p: !fsm.ptr<f32>) attributes {fsm.piece = 4 : i32} {
  %offs = fsm.range 0, 8 : tensor<8xi32>
  %x = fsm.load %p[%offs] : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<8xf32> -> f32
  %maxes = fsm.splat %max : tensor<8xf32>
  %y = arith.subf %x, %maxes : tensor<8xf32>
  fsm.store %y, %p[%offs] : tensor<8xf32>, !fsm.ptr<f32>, tensor<8xi32>
  fsm.return
}

// Blocks of two lengths have loops of their own; numbers that do not begin with 0 go on from piece to piece.
// CHECK-LABEL: fsm.kernel @lengths
// CHECK-DAG:  fsm.range 3, 7 : tensor<4xi32>
// CHECK:      scf.for
// CHECK:      scf.for
// CHECK:      fsm.return
fsm.kernel @lengths(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %one = arith.constant 1 : i32
  %long = fsm.range 3, 19 : tensor<16xi32>
  %x = fsm.load %in[%long] : !fsm.ptr<i32>, tensor<16xi32> -> tensor<16xi32>
  %short = fsm.range 5, 13 : tensor<8xi32>
  %y = fsm.load %in[%short] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<16xi32> -> i32
  %other = fsm.reduce <sum> %y axis 0 : tensor<8xi32> -> i32
  fsm.store %sum, %out : i32, !fsm.ptr<i32>
  %next = fsm.offset %out, %one : !fsm.ptr<i32>, i32
  fsm.store %other, %next : i32, !fsm.ptr<i32>
  fsm.return
}

// A number that is loaded where a walked store has been is loaded behind the loop, and one in front of it is in front.
// CHECK-LABEL: fsm.kernel @ordered
// CHECK:      %[[BEFORE:.*]] = fsm.load %{{.*}} : !fsm.ptr<i32> -> i32
// CHECK:      scf.for
// CHECK:        fsm.store %{{.*}} : tensor<4xi32>
// CHECK:      %[[BEHIND:.*]] = fsm.load %{{.*}} : !fsm.ptr<i32> -> i32
// CHECK:      arith.addi %[[BEFORE]], %[[BEHIND]] : i32
fsm.kernel @ordered(%out: !fsm.ptr<i32> {fsm.noalias}, %p: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %offs = fsm.range 0, 8 : tensor<8xi32>
  %seven = arith.constant 7 : i32
  %sevens = arith.constant dense<7> : tensor<8xi32>
  %last = fsm.offset %p, %seven : !fsm.ptr<i32>, i32
  %before = fsm.load %last : !fsm.ptr<i32> -> i32
  fsm.store %sevens, %p[%offs] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  %behind = fsm.load %last : !fsm.ptr<i32> -> i32
  %twice = arith.addi %before, %behind : i32
  %x = arith.constant dense<2> : tensor<8xi32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<8xi32> -> i32
  %all = arith.addi %sum, %twice : i32
  fsm.store %all, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// What the first store has in its second piece the other one replaces: they share no loop. Two to the same places do.
// CHECK-LABEL: fsm.kernel @twice
// CHECK:      scf.for
// CHECK:        fsm.store
// CHECK:      scf.for
// CHECK:        fsm.store
// CHECK-NEXT:   fsm.store
// CHECK:      fsm.return
fsm.kernel @twice(%p: !fsm.ptr<i32>) attributes {fsm.piece = 4 : i32} {
  %offs = fsm.range 0, 8 : tensor<8xi32>
  %ones = arith.constant dense<1> : tensor<8xi32>
  %fours = arith.constant dense<4> : tensor<8xi32>
  %behind = arith.addi %offs, %fours : tensor<8xi32>
  fsm.store %ones, %p[%offs] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.store %ones, %p[%behind] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.store %fours, %p[%behind] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// A scan of a piece goes on from what all pieces before combine to, which no scan is waited for.
// CHECK-LABEL: fsm.kernel @sums
// CHECK:      fsm.scan <sum> {{.*}} : tensor<4xi32>
// CHECK:      %[[FIRST:.*]] = fsm.reduce <sum>
// CHECK:      %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[FIRST]]) -> (i32)
// CHECK:        %[[OWN:.*]] = fsm.scan <sum> {{.*}} : tensor<4xi32>
// CHECK:        %[[BEFORE:.*]] = fsm.splat %[[SUM]]
// CHECK:        %[[Y:.*]] = arith.addi %[[BEFORE]], %[[OWN]]
// CHECK:        %[[MORE:.*]] = fsm.reduce <sum>
// CHECK:        %[[NEXT:.*]] = arith.addi %[[SUM]], %[[MORE]]
// CHECK:        fsm.store %[[Y]]
// CHECK:        scf.yield %[[NEXT]]
// CHECK:      fsm.splat %[[ALL]] : tensor<2xi32>
// CHECK:      fsm.store
fsm.kernel @sums(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %offs = fsm.range 0, 10 : tensor<10xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<i32>, tensor<10xi32> -> tensor<10xi32>
  %y = fsm.scan <sum> %x axis 0 : tensor<10xi32>
  fsm.store %y, %out[%offs] : tensor<10xi32>, !fsm.ptr<i32>, tensor<10xi32>
  fsm.return
}

// In reverse the short piece is the first, and the last one but it the next. Half formats are rounded once.
// CHECK-LABEL: fsm.kernel @sums_behind
// CHECK:      fsm.scan <sum> {{.*}} reverse : tensor<2xf32>
// CHECK:      fsm.reduce <sum> {{.*}} : tensor<2xf32>
// CHECK:      scf.for %[[I:.*]] = %{{.*}} to
// CHECK:        %[[N:.*]] = arith.subi %{{.*}}, %[[I]] overflow<nsw> : i32
// CHECK:        %[[M:.*]] = arith.muli %[[N]], %{{.*}} overflow<nsw> : i32
// CHECK:        %[[FIRST:.*]] = fsm.splat %[[M]] : tensor<4xi32>
// CHECK:        arith.addi %[[FIRST]], %{{.*}} overflow<nsw> : tensor<4xi32>
// CHECK:        fsm.scan <sum> {{.*}} reverse : tensor<4xf32>
// CHECK:        %[[Y:.*]] = arith.addf {{.*}} : tensor<4xf32>
// CHECK:        arith.truncf %[[Y]] : tensor<4xf32> to tensor<4xf16>
// CHECK:      fsm.return
fsm.kernel @sums_behind(%out: !fsm.ptr<f16> {fsm.noalias}, %in: !fsm.ptr<f16> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %offs = fsm.range 0, 10 : tensor<10xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<f16>, tensor<10xi32> -> tensor<10xf16>
  %y = fsm.scan <sum> %x axis 0 reverse : tensor<10xf16>
  fsm.store %y, %out[%offs] : tensor<10xf16>, !fsm.ptr<f16>, tensor<10xi32>
  fsm.return
}

// What a store needs of both ways: a loop notes what each piece combines to, for the scan that goes against the store's.
// CHECK-LABEL: fsm.kernel @both_ways
// CHECK:      scf.for {{.*}} -> (i32, tensor<3xi32>)
// CHECK:        fsm.reduce <max>
// CHECK:        arith.select {{.*}} : tensor<3xi1>, tensor<3xi32>
// CHECK:      %[[AHEAD:.*]] = fsm.scan <max> {{.*}} reverse : tensor<3xi32>
// CHECK:      scf.for {{.*}} -> (i32)
// CHECK:        fsm.gather %[[AHEAD]]
// CHECK:        fsm.store
// CHECK:      fsm.return
fsm.kernel @both_ways(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %offs = fsm.range 0, 10 : tensor<10xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<i32>, tensor<10xi32> -> tensor<10xi32>
  %y = fsm.scan <sum> %x axis 0 : tensor<10xi32>
  %z = fsm.scan <max> %y axis 0 reverse : tensor<10xi32>
  fsm.store %z, %out[%offs] : tensor<10xi32>, !fsm.ptr<i32>, tensor<10xi32>
  fsm.return
}

// A region need not commute: what the last element has goes on.
// CHECK-LABEL: fsm.kernel @steps
// CHECK:      scf.for {{.*}} -> (tensor<2xi32>, tensor<2xi32>)
// CHECK:        %[[OWN:.*]]:2 = fsm.scan_with {{.*}} axis 1
// CHECK:        arith.muli %{{.*}}, %[[OWN]]#0 : tensor<2x4xi32>
// CHECK:        %[[PICKED:.*]]:3 = fsm.reduce_with {{.*}} axis 1 : tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>
// CHECK:        scf.yield %[[PICKED]]#0, %[[PICKED]]#1
// CHECK:      fsm.return
fsm.kernel @steps(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %c = fsm.range 0, 9 : tensor<9xi32>
  %r = fsm.range 0, 2 : tensor<2xi32>
  %nine = arith.constant dense<9> : tensor<2x9xi32>
  %c2 = fsm.expand_dims %c axis 0 : tensor<9xi32> -> tensor<1x9xi32>
  %cols = fsm.broadcast %c2 : tensor<1x9xi32> -> tensor<2x9xi32>
  %r2 = fsm.expand_dims %r axis 1 : tensor<2xi32> -> tensor<2x1xi32>
  %rows = fsm.broadcast %r2 : tensor<2x1xi32> -> tensor<2x9xi32>
  %starts = arith.muli %rows, %nine : tensor<2x9xi32>
  %offs = arith.addi %starts, %cols : tensor<2x9xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<i32>, tensor<2x9xi32> -> tensor<2x9xi32>
  %both:2 = fsm.scan_with %x, %cols axis 1 : tensor<2x9xi32>, tensor<2x9xi32> {
  ^bb0(%a: i32, %b: i32, %d: i32, %e: i32):
    %f = arith.muli %a, %d : i32
    %g = arith.muli %b, %d : i32
    %h = arith.addi %g, %e : i32
    fsm.yield %f, %h : i32, i32
  }
  fsm.store %both#1, %out[%offs] : tensor<2x9xi32>, !fsm.ptr<i32>, tensor<2x9xi32>
  fsm.return
}

// What others may have written the atomics in front of the load and behind the last loop order, and none between. What nobody
// writes to may be read on both sides.
// CHECK-LABEL: fsm.kernel @locked
// CHECK:      fsm.atomic_cas
// CHECK:      scf.for {{.*}} -> (tensor<4xi32>)
// CHECK:      scf.for
// CHECK:        fsm.store
// CHECK:      fsm.atomic_rmw
fsm.kernel @locked(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}, %lock: !fsm.ptr<i32>) attributes {fsm.piece = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %offs = fsm.range 0, 8 : tensor<8xi32>
  %w = fsm.load %in[%offs] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  %was = fsm.atomic_cas %zero, %one, %lock : i32, !fsm.ptr<i32>
  %x = fsm.load %out[%offs] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  %sum = fsm.reduce <sum> %x axis 0 : tensor<8xi32> -> i32
  %sums = fsm.splat %sum : tensor<8xi32>
  %z = arith.addi %w, %sums : tensor<8xi32>
  %y = arith.addi %x, %z : tensor<8xi32>
  fsm.store %y, %out[%offs] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  %old = fsm.atomic_rmw <exch> %zero, %lock : i32, !fsm.ptr<i32>
  fsm.return
}

// What is no longer stays as it is.
// CHECK-LABEL: fsm.kernel @short
// CHECK-NOT:  scf.for
// CHECK:      fsm.return
fsm.kernel @short(%p: !fsm.ptr<f32>) attributes {fsm.piece = 8 : i32} {
  %offs = fsm.range 0, 8 : tensor<8xi32>
  %x = fsm.load %p[%offs] : !fsm.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  fsm.store %x, %p[%offs] : tensor<8xf32>, !fsm.ptr<f32>, tensor<8xi32>
  fsm.return
}

// Of two long dimensions it is the one along which no piece needs another: rows, where rows are scanned.
// CHECK-LABEL: fsm.kernel @rows
// CHECK-NOT:  tensor<8x8x
// CHECK:      scf.for
// CHECK-NOT:  iter_args
// CHECK:        fsm.scan <sum> %{{.*}} axis 1 : tensor<4x8xi32>
// CHECK:        fsm.reduce <max> %{{.*}} axis 1 : tensor<4x8xi32> -> tensor<4xi32>
// CHECK-NOT:  tensor<8x8x
// CHECK:      fsm.return
fsm.kernel @rows(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %i = fsm.range 0, 8 : tensor<8xi32>
  %rows = fsm.expand_dims %i axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %columns = fsm.expand_dims %i axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %eight = arith.constant dense<8> : tensor<8x1xi32>
  %begin = arith.muli %rows, %eight : tensor<8x1xi32>
  %left = fsm.broadcast %begin : tensor<8x1xi32> -> tensor<8x8xi32>
  %right = fsm.broadcast %columns : tensor<1x8xi32> -> tensor<8x8xi32>
  %offs = arith.addi %left, %right : tensor<8x8xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<i32>, tensor<8x8xi32> -> tensor<8x8xi32>
  %y = fsm.scan <sum> %x axis 1 : tensor<8x8xi32>
  %most = fsm.reduce <max> %y axis 1 : tensor<8x8xi32> -> tensor<8xi32>
  fsm.store %most, %out[%i] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// Columns, where these are added up; what an index names is in the same column.
// CHECK-LABEL: fsm.kernel @columns
// CHECK-NOT:  tensor<8x8x
// CHECK:      scf.for
// CHECK-NOT:  iter_args
// CHECK:        fsm.gather %{{.*}}[%{{.*}}] axis 0 : tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xi32>
// CHECK:        fsm.reduce <sum> %{{.*}} axis 0 : tensor<8x4xi32> -> tensor<4xi32>
// CHECK:        fsm.store %{{.*}} : tensor<4xi32>
// CHECK-NOT:  tensor<8x8x
// CHECK:      fsm.return
fsm.kernel @columns(%out: !fsm.ptr<i32> {fsm.noalias}, %in: !fsm.ptr<i32> {fsm.noalias}) attributes {fsm.piece = 4 : i32} {
  %i = fsm.range 0, 8 : tensor<8xi32>
  %rows = fsm.expand_dims %i axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %columns = fsm.expand_dims %i axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %eight = arith.constant dense<8> : tensor<8x1xi32>
  %begin = arith.muli %rows, %eight : tensor<8x1xi32>
  %left = fsm.broadcast %begin : tensor<8x1xi32> -> tensor<8x8xi32>
  %right = fsm.broadcast %columns : tensor<1x8xi32> -> tensor<8x8xi32>
  %offs = arith.addi %left, %right : tensor<8x8xi32>
  %x = fsm.load %in[%offs] : !fsm.ptr<i32>, tensor<8x8xi32> -> tensor<8x8xi32>
  %seven = arith.constant dense<7> : tensor<8x8xi32>
  %at = arith.andi %x, %seven : tensor<8x8xi32>
  %y = fsm.gather %x[%at] axis 0 : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  %sums = fsm.reduce <sum> %y axis 0 : tensor<8x8xi32> -> tensor<8xi32>
  fsm.store %sums, %out[%i] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// A number that no op uses any more, as what is written out leaves behind.
// CHECK-LABEL: fsm.kernel @unused
// CHECK:      scf.for
// CHECK:        fsm.store %{{.*}} : tensor<4xi32>
fsm.kernel @unused(%out: !fsm.ptr<i32>) attributes {fsm.piece = 4 : i32} {
  %ones = arith.constant dense<1> : tensor<8xi32>
  %i = fsm.range 0, 8 : tensor<8xi32>
  fsm.store %i, %out[%i] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}
