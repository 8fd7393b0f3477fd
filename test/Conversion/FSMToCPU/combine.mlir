// Scans, and reductions of tuples by a region, in loops of their own.

// RUN: %fsm_opt %s --split-input-file --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops{vector-bytes=64}),convert-fsm-to-cpu{vector-bytes=64})' \
// RUN:   --verify-diagnostics | FileCheck %s

// Along the innermost dimension: what is loaded by vectors is kept, then element by element, from the end.
// CHECK-LABEL: llvm.func @innermost
// CHECK:         llvm.load {{.*}} vector<16xf16>
// CHECK:         llvm.store {{.*}} vector<16xf16>
// CHECK:         llvm.load {{.*}} -> f16
// CHECK:         scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (f32)
// CHECK:           arith.subi
// CHECK:           %[[X:.*]] = arith.extf {{.*}} : f16 to f32
// CHECK:           %[[NEXT:.*]] = arith.addf %[[SUM]], %[[X]] : f32
// CHECK:           scf.yield %[[NEXT]] : f32
fsm.kernel @innermost(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f16>, tensor<64xi32> -> tensor<64xf16>
  %s = fsm.scan <sum> %x axis 0 reverse : tensor<64xf16>
  fsm.store %s, %out[%o] : tensor<64xf16>, !fsm.ptr<f16>, tensor<64xi32>
  fsm.return
}

// -----

// Along another dimension: 16 neighbours at a time, nothing is kept.
// CHECK-LABEL: llvm.func @outer
// CHECK:         scf.for
// CHECK:           llvm.load {{.*}} vector<16xi32>
// CHECK:           scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}) -> (vector<16xi32>, vector<16xi32>)
// CHECK:             %[[B:.*]] = llvm.load {{.*}} vector<16xi32>
// CHECK:             %[[S:.*]] = arith.addi %[[A]], %[[B]] : vector<16xi32>
// CHECK:             %[[ONE:.*]] = arith.constant dense<1> : vector<16xi32>
// CHECK:             %[[M:.*]] = arith.addi %[[N]], %[[ONE]] : vector<16xi32>
// CHECK:             scf.yield %[[S]], %[[M]]
fsm.kernel @outer(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) {
  %f = fsm.range 0, 512 : tensor<512xi32>
  %o = fsm.reshape %f : tensor<512xi32> -> tensor<8x64xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<i32>, tensor<8x64xi32> -> tensor<8x64xi32>
  %s, %n = fsm.reduce_with %x, %o axis 0 : tensor<8x64xi32>, tensor<8x64xi32> -> tensor<64xi32>, tensor<64xi32> {
  ^bb0(%a: i32, %m: i32, %b: i32, %k: i32):
    %sum = arith.addi %a, %b : i32
    %one = arith.constant 1 : i32
    %more = arith.addi %m, %one : i32
    fsm.yield %sum, %more : i32, i32
  }
  %c = fsm.range 0, 64 : tensor<64xi32>
  %t = arith.addi %s, %n : tensor<64xi32>
  fsm.store %t, %out[%c] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// -----

// A reduction along the innermost dimension: each lane combines tuples of its own, two vectors in a round, of which the first two
// are what it begins with; what is behind the last whole vector is chosen where there is something.
// CHECK-LABEL: llvm.func @row
// CHECK-NOT:     llvm.store {{.*}} vector
// CHECK:         llvm.load {{.*}} -> vector<16xf32>
// CHECK:         llvm.load {{.*}} -> vector<16xf32>
// CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xi32>, vector<16xf32>, vector<16xi32>)
// CHECK:         arith.select %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK:         vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
// CHECK:         vector.shuffle {{.*}} [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xf32>, vector<16xf32>
// CHECK:         vector.extract {{.*}} : f32 from vector<1xf32>
fsm.kernel @row(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %o = fsm.range 0, 50 : tensor<50xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<50xi32> -> tensor<50xf32>
  %most, %at = fsm.reduce_with %x, %o axis 0 : tensor<50xf32>, tensor<50xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %even = arith.cmpf oeq, %a, %b : f32
    %earlier = arith.cmpi slt, %i, %j : i32
    %first = arith.andi %even, %earlier : i1
    %left = arith.ori %more, %first : i1
    %v = arith.select %left, %a, %b : f32
    %k = arith.select %left, %i, %j : i32
    fsm.yield %v, %k : f32, i32
  }
  %to = fsm.offset %out, %at : !fsm.ptr<f32>, i32
  fsm.store %most, %to : f32, !fsm.ptr<f32>
  fsm.return
}

// -----

// The places of a maximum, the first of equal ones: a lane meets them in the order of the axis, so that only where lanes meet is one
// place compared with another. Sums of places have no order.
// CHECK-LABEL: llvm.func @argmax
// CHECK:         scf.for
// CHECK-NOT:       arith.cmpi
// CHECK:           scf.yield
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK-LABEL: llvm.func @sum_of_places
// CHECK:         scf.for
// CHECK:           arith.cmpi slt, %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK:           scf.yield
fsm.kernel @argmax(%out: !fsm.ptr<i32>, %in: !fsm.ptr<f32>) {
  %o = fsm.range 0, 256 : tensor<256xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
  %most, %where = fsm.reduce_with %x, %o axis 0 : tensor<256xf32>, tensor<256xi32> -> f32, i32 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %even = arith.cmpf oeq, %a, %b : f32
    %earlier = arith.cmpi slt, %i, %j : i32
    %first = arith.andi %even, %earlier : i1
    %chosen = arith.ori %more, %first : i1
    %value = arith.select %chosen, %a, %b : f32
    %index = arith.select %chosen, %i, %j : i32
    fsm.yield %value, %index : f32, i32
  }
  fsm.store %where, %out : i32, !fsm.ptr<i32>
  fsm.return
}

fsm.kernel @sum_of_places(%out: !fsm.ptr<i32>) {
  %o = fsm.range 0, 256 : tensor<256xi32>
  %most, %sum = fsm.reduce_with %o, %o axis 0 : tensor<256xi32>, tensor<256xi32> -> i32, i32 {
  ^bb0(%a: i32, %i: i32, %b: i32, %j: i32):
    %less = arith.cmpi slt, %i, %j : i32
    %most = arith.select %less, %b, %a : i32
    %both = arith.addi %i, %j : i32
    fsm.yield %most, %both : i32, i32
  }
  fsm.store %most, %out : i32, !fsm.ptr<i32>
  fsm.return
}
