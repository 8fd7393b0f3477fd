// Copies into slots of shared memory and the blocks out of them round-trip through text.

// RUN: %fsm_opt %s | FileCheck %s
// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic | %fsm_opt | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>

// CHECK-DAG: #[[ROW:layout[0-9]*]] = #fsm.layout<register
// CHECK-DAG: #[[OWN:layout[0-9]*]] = #fsm.layout<offset
// CHECK-LABEL: fsm.kernel @all
// CHECK-SAME:    (%[[P:.*]]: !fsm.ptr<f32>, %[[SLOT:.*]]: i32, %[[MORE:.*]]: i1)
fsm.kernel @all(%p: !fsm.ptr<f32>, %slot: i32, %more: i1) attributes {num_warps = 1 : i32} {
  // CHECK: %[[O:.*]] = fsm.range 0, 128
  %offsets = fsm.range 0, 128 : tensor<128xi32, #row>
  %limit = arith.constant dense<100> : tensor<128xi32, #row>
  // CHECK: %[[MASK:.*]] = arith.cmpi
  %mask = arith.cmpi slt, %offsets, %limit : tensor<128xi32, #row>
  // CHECK: %[[RING:.*]] = fsm.shared_alloc : !fsm.shared<128xf32 slots 3, #[[OWN]]>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 3, #own>
  // CHECK: %[[PLACED:.*]] = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<128xf32 slots 1, #[[OWN]]>
  %placed = fsm.shared_alloc {fsm.shared_offset = 16 : i32} : !fsm.shared<128xf32 slots 1, #own>
  // CHECK: fsm.copy_async %[[P]][%[[O]]], %[[MASK]] into %[[RING]][%[[SLOT]]] if %[[MORE]] {fsm.access_dim = 0 : i32, fsm.access_width = 4 : i32} : !fsm.ptr<f32>, tensor<128xi32, #[[ROW]]>, !fsm.shared<128xf32 slots 3, #[[OWN]]>, tensor<128xi1, #[[ROW]]>
  fsm.copy_async %p[%offsets], %mask into %slots[%slot] if %more {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32}
      : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 3, #own>, tensor<128xi1, #row>
  // CHECK: fsm.copy_async %[[P]][%[[O]]] into %[[RING]][%[[SLOT]]] : !fsm.ptr<f32>, tensor<128xi32, #[[ROW]]>, !fsm.shared<128xf32 slots 3, #[[OWN]]>
  fsm.copy_async %p[%offsets] into %slots[%slot] : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 3, #own>
  // CHECK: fsm.copy_async %[[P]][%[[O]]], %[[MORE]] into %[[PLACED]][%[[SLOT]]] if %[[MORE]] : !fsm.ptr<f32>, tensor<128xi32, #[[ROW]]>, !fsm.shared<128xf32 slots 1, #[[OWN]]>, i1
  fsm.copy_async %p[%offsets], %more into %placed[%slot] if %more : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 1, #own>, i1
  // CHECK: %[[BULK:.*]] = fsm.shared_alloc : !fsm.shared<128xf32 slots 2>
  %bulk = fsm.shared_alloc : !fsm.shared<128xf32 slots 2>
  // CHECK: %[[FULL:.*]] = fsm.shared_alloc : !fsm.shared<2x!fsm.mbarrier>
  %full = fsm.shared_alloc : !fsm.shared<2x!fsm.mbarrier>
  // CHECK: fsm.mbarrier_init %[[FULL]] : !fsm.shared<2x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<2x!fsm.mbarrier>
  // CHECK: fsm.copy_async %[[P]][%[[O]]], %[[MASK]] into %[[BULK]][%[[SLOT]]] mbarrier %[[FULL]] count %[[SLOT]] if %[[MORE]] fence : !fsm.ptr<f32>, tensor<128xi32, #[[ROW]]>, !fsm.shared<128xf32 slots 2>, tensor<128xi1, #[[ROW]]> mbarrier !fsm.shared<2x!fsm.mbarrier>
  fsm.copy_async %p[%offsets], %mask into %bulk[%slot] mbarrier %full count %slot if %more fence
      : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 2>, tensor<128xi1, #row> mbarrier !fsm.shared<2x!fsm.mbarrier>
  // CHECK: fsm.copy_async %[[P]][%[[O]]] into %[[BULK]][%[[SLOT]]] mbarrier %[[FULL]] : !fsm.ptr<f32>, tensor<128xi32, #[[ROW]]>, !fsm.shared<128xf32 slots 2> mbarrier !fsm.shared<2x!fsm.mbarrier>
  fsm.copy_async %p[%offsets] into %bulk[%slot] mbarrier %full
      : !fsm.ptr<f32>, tensor<128xi32, #row>, !fsm.shared<128xf32 slots 2> mbarrier !fsm.shared<2x!fsm.mbarrier>
  // CHECK: fsm.mbarrier_wait %[[FULL]][%[[SLOT]]] phase %[[SLOT]] : !fsm.shared<2x!fsm.mbarrier>
  fsm.mbarrier_wait %full[%slot] phase %slot : !fsm.shared<2x!fsm.mbarrier>
  %zeros = arith.constant dense<0.0> : tensor<128xf32, #row>
  // CHECK: fsm.shared_load %[[BULK]][%[[SLOT]]] {fsm.access_width = 4 : i32} : !fsm.shared<128xf32 slots 2> -> tensor<128xf32, #[[ROW]]>
  %b = fsm.shared_load %bulk[%slot] {fsm.access_width = 4 : i32} : !fsm.shared<128xf32 slots 2> -> tensor<128xf32, #row>
  // CHECK: fsm.shared_load %[[BULK]][%[[SLOT]]], %[[MASK]], %{{.*}} : !fsm.shared<128xf32 slots 2>, mask tensor<128xi1, #[[ROW]]>, other tensor<128xf32, #[[ROW]]> -> tensor<128xf32, #[[ROW]]>
  %c = fsm.shared_load %bulk[%slot], %mask, %zeros : !fsm.shared<128xf32 slots 2>, mask tensor<128xi1, #row>, other tensor<128xf32, #row> -> tensor<128xf32, #row>
  // CHECK: fsm.copy_commit
  fsm.copy_commit
  // CHECK: fsm.copy_wait 0
  fsm.copy_wait 0
  // CHECK: fsm.copy_wait 2
  fsm.copy_wait 2
  // CHECK: fsm.shared_load %[[RING]][%[[SLOT]]] : !fsm.shared<128xf32 slots 3, #[[OWN]]> -> tensor<128xf32, #[[ROW]]>
  %x = fsm.shared_load %slots[%slot] : !fsm.shared<128xf32 slots 3, #own> -> tensor<128xf32, #row>
  fsm.store %x, %p[%offsets] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  %ninf = arith.constant 0xFF800000 : f32
  // CHECK: fsm.shared_load %[[RING]][%[[SLOT]]], %[[MASK]], %{{.*}} : !fsm.shared<128xf32 slots 3, #[[OWN]]>, mask tensor<128xi1, #[[ROW]]>, other f32 -> tensor<128xf32, #[[ROW]]>
  %y = fsm.shared_load %slots[%slot], %mask, %ninf : !fsm.shared<128xf32 slots 3, #own>, mask tensor<128xi1, #row>, other f32 -> tensor<128xf32, #row>
  // CHECK: fsm.shared_load %{{.*}}, %[[MORE]], %{{.*}} : {{.*}}, mask i1, other tensor<128xf32, #[[ROW]]> -> tensor<128xf32, #[[ROW]]>
  %z = fsm.shared_load %slots[%slot], %more, %y : !fsm.shared<128xf32 slots 3, #own>, mask i1, other tensor<128xf32, #row> -> tensor<128xf32, #row>
  fsm.store %z, %p[%offsets] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  fsm.return
}

// What a pass plans for a loop is written on it and on its ops.
// CHECK-LABEL: fsm.kernel @plan
fsm.kernel @plan(%p: !fsm.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // CHECK: scf.for
  scf.for %i = %zero to %n step %one : i32 {
    // CHECK: fsm.offset {{.*}} {fsm.stage = 0 : i32}
    %row = fsm.offset %p, %i {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32
    // CHECK: fsm.load {{.*}} {fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 1 : i32}
    %x = fsm.load %row {fsm.buffer = #fsm.load_buffer<registers>, fsm.stage = 1 : i32} : !fsm.ptr<f32> -> f32
    fsm.store %x, %p : f32, !fsm.ptr<f32>
  // CHECK: {fsm.stages = 3 : i32}
  } {fsm.stages = 3 : i32}
  fsm.return
}
