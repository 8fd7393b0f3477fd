// Roles whose programs are no cluster, and why: fsm-split-roles makes none like them, but one whose bound is in memory.

// RUN: %fsm_opt %s --fsm-share-copies=remarks -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.mlir
// KEPT-NOT: together
// KEPT-NOT: cluster_arrive

#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
!barriers = !fsm.shared<2x!fsm.mbarrier>
!map = !fsm.tensor_map<64x64xf16 swizzle 128>
!slots = !fsm.shared<64x64xf16 slots 2, #tile>

// CHECK: [[#@LINE+1]]:1: remark: programs of this kernel are no cluster: its copies are in no loop
fsm.kernel @once(%p: !fsm.ptr<f16>, %m: i64) attributes {fsm.cluster = 2 : i32} {
  %full = fsm.shared_alloc : !barriers
  fsm.mbarrier_init %full : !barriers
  %slots = fsm.shared_alloc : !slots
  %map = fsm.tensor_map %p sizes[%m, %m] strides[%m] : (!fsm.ptr<f16>, i64, i64, i64) -> !map
  %none = arith.constant 0 : i32
  fsm.load_role registers 24 others 240 {
    fsm.mbarrier_expect %full[%none] bytes 8192 : !barriers
    fsm.copy_tensor %map[%none, %none] into %slots[%none] mbarrier %full : !map, !slots mbarrier !barriers
  }
  fsm.return
}

// CHECK: [[#@LINE+1]]:1: remark: programs of this kernel are no cluster: its copies are in several loops
fsm.kernel @twice(%p: !fsm.ptr<f16>, %m: i64) attributes {fsm.cluster = 2 : i32} {
  %full = fsm.shared_alloc : !barriers
  fsm.mbarrier_init %full : !barriers
  %slots = fsm.shared_alloc : !slots
  %map = fsm.tensor_map %p sizes[%m, %m] strides[%m] : (!fsm.ptr<f16>, i64, i64, i64) -> !map
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  fsm.load_role registers 24 others 240 {
    scf.for %i = %none to %one step %one : i32 {
      fsm.mbarrier_expect %full[%none] bytes 8192 : !barriers
      fsm.copy_tensor %map[%i, %none] into %slots[%none] mbarrier %full : !map, !slots mbarrier !barriers
    }
    scf.for %i = %none to %one step %one : i32 {
      fsm.mbarrier_expect %full[%one] bytes 8192 : !barriers
      fsm.copy_tensor %map[%none, %i] into %slots[%one] mbarrier %full : !map, !slots mbarrier !barriers
    }
  }
  fsm.return
}

// How often a neighbour's loop runs is in memory: what it loads is not computed for it.
// CHECK: [[#@LINE+1]]:1: remark: programs of this kernel are no cluster: its programs may have other numbers of iterations
fsm.kernel @told(%p: !fsm.ptr<f16>, %ends: !fsm.ptr<i32>, %m: i64) attributes {fsm.cluster = 2 : i32} {
  %full = fsm.shared_alloc : !barriers
  fsm.mbarrier_init %full : !barriers
  %empty = fsm.shared_alloc : !barriers
  fsm.mbarrier_init %empty arrivals 8 : !barriers
  %slots = fsm.shared_alloc : !slots
  %map = fsm.tensor_map %p sizes[%m, %m] strides[%m] : (!fsm.ptr<f16>, i64, i64, i64) -> !map
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %program = fsm.program_id x : i32
  %place = fsm.offset %ends, %program : !fsm.ptr<i32>, i32
  %end = fsm.load %place : !fsm.ptr<i32> -> i32
  fsm.load_role registers 24 others 240 {
    scf.for %i = %none to %end step %one : i32 {
      fsm.mbarrier_wait %empty[%none] phase %one : !barriers
      fsm.mbarrier_expect %full[%none] bytes 8192 : !barriers
      fsm.copy_tensor %map[%i, %none] into %slots[%none] mbarrier %full : !map, !slots mbarrier !barriers
    }
  }
  fsm.return
}

// CHECK: [[#@LINE+1]]:1: remark: programs of this kernel are no cluster: its mbarriers are made elsewhere
fsm.kernel @elsewhere(%p: !fsm.ptr<f16>, %m: i64, %is_first: i1) attributes {fsm.cluster = 2 : i32} {
  %full = fsm.shared_alloc : !barriers
  fsm.mbarrier_init %full : !barriers
  %empty = fsm.shared_alloc : !barriers
  scf.if %is_first {
    fsm.mbarrier_init %empty arrivals 8 : !barriers
  }
  %slots = fsm.shared_alloc : !slots
  %map = fsm.tensor_map %p sizes[%m, %m] strides[%m] : (!fsm.ptr<f16>, i64, i64, i64) -> !map
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  fsm.load_role registers 24 others 240 {
    scf.for %i = %none to %one step %one : i32 {
      fsm.mbarrier_wait %empty[%none] phase %one : !barriers
      fsm.mbarrier_expect %full[%none] bytes 8192 : !barriers
      fsm.copy_tensor %map[%i, %none] into %slots[%none] mbarrier %full : !map, !slots mbarrier !barriers
    }
  }
  fsm.return
}

// CHECK: [[#@LINE+1]]:1: remark: programs of this kernel are no cluster: its slots are not counted by its loops
fsm.kernel @one_slot(%p: !fsm.ptr<f16>, %m: i64, %end: i32) attributes {fsm.cluster = 2 : i32} {
  %full = fsm.shared_alloc : !barriers
  fsm.mbarrier_init %full : !barriers
  %empty = fsm.shared_alloc : !barriers
  fsm.mbarrier_init %empty arrivals 8 : !barriers
  %slots = fsm.shared_alloc : !slots
  %map = fsm.tensor_map %p sizes[%m, %m] strides[%m] : (!fsm.ptr<f16>, i64, i64, i64) -> !map
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  fsm.load_role registers 24 others 240 {
    scf.for %i = %none to %end step %one : i32 {
      fsm.mbarrier_wait %empty[%none] phase %one : !barriers
      fsm.mbarrier_expect %full[%none] bytes 8192 : !barriers
      fsm.copy_tensor %map[%i, %none] into %slots[%none] mbarrier %full : !map, !slots mbarrier !barriers
    }
  }
  fsm.return
}
