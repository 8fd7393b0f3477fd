// A loop of products in another one: the role goes through both, and begins the copies of the next tile while the others store this one.

// RUN: %fsm_opt %s --fsm-expand-blocks --canonicalize --cse --loop-invariant-code-motion --fsm-plan-products=target=sm_90a --fsm-assign-layouts --cse --fsm-stage-exchanges --fsm-normalize-loops --fsm-schedule-loops=target=sm_90a --fsm-advance-loads --fsm-buffer-loads --fsm-split-roles="target=sm_90a roles=always remarks" --fsm-expand-loops --cse --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared --fsm-verify-roles -o %t.mlir 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REMARK: remark: warps of their own begin the copies of this loop
// REMARK-NEXT: scf.for %i

// CHECK-LABEL: fsm.kernel @tiles
// CHECK:         fsm.load_role {
// CHECK:           scf.for %[[TILE:.*]] = {{.*}} iter_args(%[[FIRST:.*]] = %c0_i32{{.*}}, %[[OVER:.*]] = %c1_i32
// CHECK:             %[[INNER:.*]]:2 = scf.for {{.*}} iter_args(%[[PUT:.*]] = %[[FIRST]], %[[FREE:.*]] = %[[OVER]])
// CHECK:               fsm.mbarrier_wait %[[EMPTY:.*]][%[[PUT]]] phase %[[FREE]]
// CHECK:               fsm.copy_tensor
// CHECK:             scf.yield %[[INNER]]#0, %[[INNER]]#1
// CHECK:         scf.for
// CHECK-NOT:       fsm.shared_barrier
// CHECK:           %[[SUMS:.*]]:{{[0-9]}} = scf.for %{{.*}} = %[[FROM:[^ ]*]] to %[[TO:[^ ]*]] step
// CHECK:             fsm.mbarrier_arrive %[[EMPTY]][%[[OLD:.*]]] if
// CHECK:           fsm.product_wait %[[SUMS]]#0
// CHECK-NEXT:      %[[ANY:.*]] = arith.cmpi slt, %[[FROM]], %[[TO]]
// CHECK-NEXT:      fsm.mbarrier_arrive %[[EMPTY]][%[[SUMS]]#{{[0-9]}}] if %[[ANY]]

// Whether the loop has an iteration may be asked either way round: a constant comes to the right where something folds.
// RUN: sed 's/arith.cmpi slt, \(%[0-9a-z_]*\), \(%[0-9a-z_]*\) : i64/arith.cmpi sgt, \2, \1 : i64/' %t.mlir | %fsm_opt --fsm-verify-roles | FileCheck %s --check-prefix=SWAPPED
// SWAPPED: arith.cmpi sgt
// RUN: sed 's/arith.cmpi slt, \(%[0-9a-z_]*\), \(%[0-9a-z_]*\) : i64/arith.cmpi sgt, \1, \2 : i64/' %t.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=NONE

// What only one side does: the last slot is kept, or given back where there was none; a slot is given back twice; the role begins
// with a phase that is not over, goes through another number of tiles, copies another one's, or does not count slots.
// RUN: awk '/mbarrier_arrive/ && ++n == 2 {next} {print}' %t.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: error: expected the last slot to be given back behind the loop, which is entered again
// RUN: awk '/mbarrier_arrive/ && ++n == 2 {sub(/ if %[0-9a-z_]*/, "")} {print}' %t.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected the loop's last slot to be given back if it had one, behind the end of its products
// RUN: awk '{print} /mbarrier_arrive/ && ++n == 2 {print}' %t.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: expected one arrival that gives the slot back
// TWICE: note: another one is here
// RUN: awk '/scf.for/ && ++n == 1 {sub(/= %c1_i32[_0-9]*\)/, "= %c0_i32)")} {print}' %t.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=PHASE
// PHASE: error: expected a phase that begins with 1: nobody has read the first slots
// RUN: awk '/scf.for/ && ++n == 1 {sub(/step %[0-9a-z_]*/, "step %c1_i64")} {print} /fsm.load_role/ {print "%c1_i64 = arith.constant 1 : i64"}' %t.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=TILES
// TILES: error: expected as many iterations as the loop has that takes its slots
// RUN: awk '/arith.cmpi eq/ && ++n == 1 {sub(/cmpi eq/, "cmpi ne")} {print}' %t.mlir | not %fsm_opt --fsm-verify-roles 2>&1 | FileCheck %s --check-prefix=SLOTS
// SLOTS: error: expected 5 slots that both sides count alike
// SLOTS: note: the other side is here
fsm.kernel @tiles(%out: !fsm.ptr<f32> {fsm.noalias}, %p: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %q: !fsm.ptr<f16> {fsm.align = 16 : i32, fsm.noalias}, %m: i32, %n: i32, %k: i32, %p_stride: i32 {fsm.divisible = 8 : i32}, %q_stride: i32 {fsm.divisible = 8 : i32}) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %tiles = arith.ceildivsi %m, %step : i32
  %first = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  scf.for %tile = %first to %tiles step %programs : i32 {
    %row = arith.muli %tile, %step overflow<nsw> : i32
    %d = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
      %x_at, %x_in = fsm.places origin [%row, %i] strides [%p_stride, 1] bounds [%m, %k] : tensor<64x64xi32>
      %x = fsm.load %p[%x_at], %x_in : !fsm.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
      %y_at, %y_in = fsm.places origin [%i, 0] strides [%q_stride, 1] bounds [%k, %n] : tensor<64x128xi32>
      %y = fsm.load %q[%y_at], %y_in : !fsm.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    } {fsm.num_stages = 4 : i32, fsm.forced_stages}
    %at, %in = fsm.places origin [%row, 0] strides [128, 1] bounds [%m, 128] : tensor<64x128xi32>
    fsm.store %d, %out[%at], %in : tensor<64x128xf32>, !fsm.ptr<f32>, tensor<64x128xi32>
  }
  fsm.return
}
