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
