// Where copies are three iterations ahead, those of the next run come in the last iterations of this one, in which the inner loop carries where
// rows begin on to it; where the loop has fewer iterations, behind it.

// DEFINE: %{to_stages} = %fsm_opt --canonicalize --fsm-combine --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops="target=sm_90a tensor-maps=false" --fsm-advance-loads --fsm-buffer-loads --fsm-expand-loops
// RUN: sed 's/num_stages = 3/num_stages = 4/' %S/overlap-loops.mlir > %t.mlir
// RUN: %{to_stages} %t.mlir --fsm-overlap-loops=target=sm_90a --cse | FileCheck %s
// RUN: %{to_stages} %t.mlir --fsm-overlap-loops=target=sm_90a --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared -o /dev/null

// CHECK-LABEL: fsm.kernel @tiles
// CHECK:         scf.for %[[I:.*]] = {{.*}} to %[[TILES:.*]] step %[[STEP:.*]] iter_args(
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]] : i64
// CHECK:           %[[EXISTS:.*]] = arith.cmpi slt, %[[NEXT]], %[[TILES]]
// CHECK:           %[[LONG:.*]] = arith.cmpi sge, %[[END:.*]], %c96_i64
// CHECK:           %[[GOES_ON:.*]] = arith.andi %[[EXISTS]], %[[LONG]]
// CHECK:           %[[SUMS:.*]]:5 = scf.for %[[K:.*]] = %c0_i64 to {{.*}} iter_args({{.*}}, %[[ROWS:.*]] = %{{.*}}, %[[COLUMNS:.*]] = %{{.*}}) ->
// CHECK:             %[[AHEAD:.*]] = arith.addi %[[K]], %c96_i64
// CHECK:             %[[OVER:.*]] = arith.cmpi eq, %[[AHEAD]], %[[END]]
// CHECK:             %[[OWN:.*]]:2 = scf.if %[[OVER]]
// CHECK:               arith.divsi
// CHECK:             } else {
// CHECK-NEXT:          scf.yield %[[ROWS]], %[[COLUMNS]]
// CHECK:             %[[BEYOND:.*]] = arith.subi %[[AHEAD]], %[[END]]
// CHECK:             %[[NUMBER:.*]] = arith.select %[[IN:.*]], %[[AHEAD]], %[[BEYOND]]
// CHECK:             %[[THERE:.*]] = arith.ori %[[IN]], %[[GOES_ON]]
// CHECK:             fsm.expand_dims %[[OWN]]#0
// CHECK:             fsm.shared_dot
// CHECK:             arith.trunci %[[NUMBER]]
// CHECK:             fsm.copy_async {{.*}} if %[[THERE]]
// CHECK:             scf.yield {{.*}}, %[[OWN]]#0, %[[OWN]]#1 :
// CHECK:           scf.if %[[LONG]]
// CHECK-NEXT:        scf.yield %[[SUMS]]#3, %[[SUMS]]#4
// CHECK:           } else {
// CHECK:             fsm.copy_async
// CHECK:             fsm.copy_commit
// CHECK:           fsm.product_wait %[[SUMS]]#0
