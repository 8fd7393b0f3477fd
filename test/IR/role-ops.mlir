// What warps that only load are made of round-trips through text.

// RUN: %fsm_opt %s | FileCheck %s
// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic | %fsm_opt | FileCheck %s

// CHECK-LABEL: fsm.kernel @roles
// CHECK-SAME:    (%[[SLOT:.*]]: i32, %[[MORE:.*]]: i1)
fsm.kernel @roles(%slot: i32, %more: i1) attributes {num_warps = 8 : i32} {
  // CHECK: %[[EMPTY:.*]] = fsm.shared_alloc
  %empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  // CHECK: fsm.mbarrier_init %[[EMPTY]] arrivals 8 : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 8 : !fsm.shared<3x!fsm.mbarrier>
  fsm.shared_barrier <program>
  // CHECK: fsm.load_role registers 40 others 232 {
  // CHECK-NEXT: fsm.mbarrier_wait %[[EMPTY]][%[[SLOT]]] phase %[[SLOT]]
  // CHECK-NEXT: }
  fsm.load_role registers 40 others 232 {
    fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<3x!fsm.mbarrier>
  }
  // CHECK: fsm.mbarrier_arrive %[[EMPTY]][%[[SLOT]]] if %[[MORE]] : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_arrive %empty[%slot] if %more : !fsm.shared<3x!fsm.mbarrier>
  // CHECK: fsm.mbarrier_arrive %[[EMPTY]][%[[SLOT]]] : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_arrive %empty[%slot] : !fsm.shared<3x!fsm.mbarrier>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @as_launched
// CHECK: fsm.load_role {
fsm.kernel @as_launched(%slot: i32) {
  %empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  fsm.load_role {
    fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<3x!fsm.mbarrier>
  }
  fsm.return
}
