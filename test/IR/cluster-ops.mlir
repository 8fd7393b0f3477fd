// What programs of a cluster load for one another with round-trips through text.

// RUN: %fsm_opt %s | FileCheck %s
// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic | %fsm_opt | FileCheck %s

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>

// CHECK-LABEL: fsm.kernel @together
// CHECK-SAME:    %[[SLOT:[a-z0-9]+]]: i32, %[[ALL:[a-z0-9]+]]: i1, %[[MORE:[a-z0-9]+]]: i1) attributes {fsm.cluster = 2 : i32, num_warps = 8 : i32}
fsm.kernel @together(%a: !fsm.ptr<f16>, %m: i32, %n: i32, %ld: i32, %slot: i32, %all: i1, %more: i1) attributes {fsm.cluster = 2 : i32, num_warps = 8 : i32} {
  // CHECK: fsm.shared_alloc
  %full = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  // CHECK: %[[EMPTY:.*]] = fsm.shared_alloc {{.*}}3x!fsm.mbarrier
  %empty = fsm.shared_alloc : !fsm.shared<3x!fsm.mbarrier>
  // CHECK: fsm.mbarrier_init %[[EMPTY]] arrivals 64
  fsm.mbarrier_init %empty arrivals 64 : !fsm.shared<3x!fsm.mbarrier>
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  // CHECK: fsm.tensor_map {{.*}} -> !fsm.tensor_map<8x64xf16 swizzle 128>
  %map = fsm.tensor_map %a sizes [%m, %n] strides [%ld] : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<8x64xf16 swizzle 128>
  // CHECK: fsm.cluster_arrive{{$}}
  // CHECK-NEXT: fsm.cluster_wait
  fsm.cluster_arrive
  fsm.cluster_wait
  // CHECK-NEXT: fsm.copy_tensor {{.*}} if %[[MORE]] together %[[ALL]] :
  fsm.copy_tensor %map[%slot, %slot] into %ring[%slot] mbarrier %full if %more together %all
      : !fsm.tensor_map<8x64xf16 swizzle 128>, !fsm.shared<16x64xf16 slots 3, #tile> mbarrier !fsm.shared<3x!fsm.mbarrier>
  // CHECK-NEXT: fsm.mbarrier_arrive %[[EMPTY]][%[[SLOT]]] if %[[MORE]] together %[[ALL]] :
  // CHECK-NEXT: fsm.mbarrier_arrive %[[EMPTY]][%[[SLOT]]] together %[[ALL]] :
  fsm.mbarrier_arrive %empty[%slot] if %more together %all : !fsm.shared<3x!fsm.mbarrier>
  fsm.mbarrier_arrive %empty[%slot] together %all : !fsm.shared<3x!fsm.mbarrier>
  fsm.return
}
