// A product's loop within a loop over tiles: maps, slots and mbarriers are made in front of both. The outer loop carries which
// slot is taken next and its phase; copies of the next tile begin there, behind a barrier.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops="target=sm_90a remarks" --fsm-advance-loads --fsm-buffer-loads 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK-COUNT-2: remark: this load runs 2 iterations ahead, into shared memory: one thread has boxes of a tensor copied to where a product reads them

// Two programs of three tiles each, whose loops have 3, 1 and 3 iterations, and 2, none and 2.
// RUN: %fsm_run %s --kernel=persistent --device=sim --target=sm_90a --remarks --compare=interp --grid=2 --arg='f32[384x128]' --arg='f16[384x136]:uniform:1' --arg='f16[136x128]:uniform:2' --arg=384 --arg=128 --arg=136 --arg=136 --arg=128 2>&1 | FileCheck %s --check-prefix=REMARK

// Stages of the outer loop, which loads nothing itself, change nothing.
// RUN: sed 's/^  }$/  } {fsm.num_stages = 3 : i32}/' %s > %t.mlir
// RUN: %fsm_opt %t.mlir --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads | FileCheck %s
// RUN: %fsm_run %t.mlir --kernel=persistent --device=sim --target=sm_90a --remarks --compare=interp --grid=2 --arg='f32[384x128]' --arg='f16[384x136]:uniform:1' --arg='f16[136x128]:uniform:2' --arg=384 --arg=128 --arg=136 --arg=136 --arg=128 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: fsm.kernel @persistent
// CHECK:         %[[FULL:.*]] = fsm.shared_alloc : !fsm.shared<4x!fsm.mbarrier>
// CHECK-NEXT:    fsm.mbarrier_init %[[FULL]]
// CHECK:         %[[A:.*]] = fsm.tensor_map %p
// CHECK:         %[[B:.*]] = fsm.tensor_map %q
// CHECK:         scf.for {{.*}} iter_args(%[[SLOT:.*]] = %c0_i32{{.*}}, %[[PHASE:.*]] = %c0_i32{{.*}}) -> (i32, i32)
// CHECK:           fsm.shared_barrier <program>{{$}}
// CHECK-NEXT:      %[[INNER:.*]]:4 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[PUT:.*]] = %[[SLOT]], %[[TAKE:.*]] = %[[SLOT]], %[[TURN:.*]] = %[[PHASE]])
// CHECK:             fsm.copy_tensor %[[A]][%{{.*}}, %{{.*}}] into %{{.*}}[%[[PUT]]] mbarrier %[[FULL]]
// CHECK:             fsm.copy_tensor %[[B]][%{{.*}}, %{{.*}}] into %{{.*}}[%[[PUT]]] mbarrier %[[FULL]]
// CHECK:             fsm.mbarrier_wait %[[FULL]][%[[TAKE]]] phase %[[TURN]]
// CHECK:             fsm.shared_dot {{.*}} {fsm.in_flight
// CHECK:           fsm.product_wait
// CHECK:           scf.yield %[[INNER]]#2, %[[INNER]]#3 : i32, i32
fsm.kernel @persistent(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %step = arith.constant 64 : i32
  %four = arith.constant 4 : i32
  %tiles = arith.ceildivsi %m, %step : i32
  %first = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %a = fsm.descriptor %p sizes [%m, %k] strides [%p_stride, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %b = fsm.descriptor %q sizes [%k, %n] strides [%q_stride, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %c = fsm.descriptor %out sizes [%m, %n] strides [%n, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  scf.for %tile = %first to %tiles step %programs : i32 {
    %row = arith.muli %tile, %step overflow<nsw> : i32
    %number = arith.remui %tile, %four : i32
    %from = arith.muli %number, %step overflow<nsw> : i32
    %d = scf.for %i = %from to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
      %x = fsm.load_tile %a[%row, %i] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
      %y = fsm.load_tile %b[%i, 0] : !fsm.descriptor<2 x f16> -> tensor<64x128xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    } {fsm.num_stages = 3 : i32, fsm.forced_stages}
    fsm.store_tile %d, %c[%row, 0] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
  }
  fsm.return
}
