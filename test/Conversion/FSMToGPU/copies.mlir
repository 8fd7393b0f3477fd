// Copies into slots become cp.async by each thread, into places of its own, and blocks are taken from the same places.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#row = #fsm.layout<register = [[1], [2], [256]], lane = [[4], [8], [16], [32], [64]], warp = [[128]], cta = []>
#one = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#own512 = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256]]>
#own64 = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32]]>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>

// 512 numbers over 64 threads: two groups of 16 bytes a thread, 1024 bytes apart. A slot has 2048 bytes.
// CHECK-LABEL: gpu.func @wide
// CHECK-SAME:    (%[[P:[a-z0-9]+]]: !llvm.ptr<1>, %[[SLOT:[a-z0-9]+]]: i32, %[[MORE:[a-z0-9]+]]: i1)
// CHECK:         scf.if %[[MORE]] {
// CHECK-DAG:       %[[BYTES:.*]] = arith.constant 2048 : i32
// CHECK-DAG:       %[[BEGIN:.*]] = arith.muli %[[SLOT]], %{{.*}} : i32
// CHECK:           %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK:           %[[A:.*]] = llvm.getelementptr %[[BASE]][%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK:           nvvm.cp.async.shared.global %[[A]], %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK:           %[[B:.*]] = llvm.getelementptr %[[A]][1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK:           nvvm.cp.async.shared.global %[[B]], %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NOT:       nvvm.cp.async.shared
// CHECK:         }
// CHECK-NEXT:    nvvm.cp.async.commit.group
// CHECK-NEXT:    nvvm.cp.async.wait.group 3
// CHECK:         %[[AGAIN:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK:         %[[C:.*]] = llvm.getelementptr %[[AGAIN]][%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK:         llvm.load %[[C]] {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK:         %[[D:.*]] = llvm.getelementptr %[[C]][1024]
// CHECK:         llvm.load %[[D]] {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// No thread waits for another.
// CHECK-NOT:     nvvm.bar
// CHECK:         gpu.return
fsm.kernel @wide(%p: !fsm.ptr<f32>, %slot: i32, %more: i1) attributes {num_warps = 2 : i32, fsm.shared_bytes = 8192 : i32} {
  %o = fsm.range 0, 512 : tensor<512xi32, #row>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<512xf32 slots 4, #own512>
  fsm.copy_async %p[%o] into %slots[%slot] if %more {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<512xi32, #row>, !fsm.shared<512xf32 slots 4, #own512>
  fsm.copy_commit
  fsm.copy_wait 3
  %x = fsm.shared_load %slots[%slot] : !fsm.shared<512xf32 slots 4, #own512> -> tensor<512xf32, #row>
  fsm.store %x, %p[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<512xf32, #row>, !fsm.ptr<f32>, tensor<512xi32, #row>
  fsm.return
}

// Where the mask is false nothing is read and the place is filled with zeros. 4 and 8 bytes go through the first cache.
// CHECK-LABEL: gpu.func @masked
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK:         %[[NONE:.*]] = arith.constant 0 : i32
// CHECK:         %[[TAKEN:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca, %[[TAKEN]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NOT:     nvvm.cp.async.shared
// CHECK:         gpu.return
fsm.kernel @masked(%p: !fsm.ptr<f32>, %n: i32, %slot: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 512 : i32} {
  %o = fsm.range 0, 64 : tensor<64xi32, #one>
  %end = fsm.splat %n : tensor<64xi32, #one>
  %mask = arith.cmpi slt, %o, %end : tensor<64xi32, #one>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xf32 slots 2, #own64>
  fsm.copy_async %p[%o], %mask into %slots[%slot] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f32>, tensor<64xi32, #one>, !fsm.shared<64xf32 slots 2, #own64>, tensor<64xi1, #one>
  fsm.return
}

// Elements that a block only has in its layout, beyond its extent, are not read.
// CHECK-LABEL: gpu.func @extent
// CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK:         gpu.return
#half = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
fsm.kernel @extent(%p: !fsm.ptr<f16>, %slot: i32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 512 : i32} {
  %o = fsm.range 0, 100 : tensor<100xi32, #half>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xf16 slots 2, #own>
  fsm.copy_async %p[%o] into %slots[%slot] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<100xi32, #half>, !fsm.shared<128xf16 slots 2, #own>
  fsm.return
}

// What a mask leaves out is another number from the first, once for each access.
// CHECK-LABEL: gpu.func @other
// CHECK-SAME:    %{{[a-z0-9]+}}: i32, %[[N:[a-z0-9]+]]: i32, %[[X:[a-z0-9]+]]: f32)
// CHECK:         %[[PART:.*]] = llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK:         arith.select %{{.*}}, %[[PART]], %{{.*}} : vector<4xf32>
// CHECK-NOT:     arith.select
// CHECK:         gpu.return
fsm.kernel @other(%p: !fsm.ptr<f32>, %slot: i32, %n: i32, %x: f32) attributes {num_warps = 1 : i32, fsm.shared_bytes = 1024 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #half>
  %end = fsm.splat %n : tensor<128xi32, #half>
  %mask = arith.cmpi slt, %o, %end : tensor<128xi32, #half>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xf32 slots 2, #own>
  %y = fsm.shared_load %slots[%slot], %mask, %x : !fsm.shared<128xf32 slots 2, #own>, mask tensor<128xi1, #half>, other f32 -> tensor<128xf32, #half>
  fsm.store %y, %p[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<128xf32, #half>, !fsm.ptr<f32>, tensor<128xi32, #half>
  fsm.return
}

// Rows that are a stride apart: how many bytes that is, and where a thread's first one is, is made in front of the loop, and held by what
// ptxas does not see through.
// CHECK-LABEL: gpu.func @held
// CHECK-COUNT-2: llvm.inline_asm {{.*}}"xor.b64 $0, $1, $2;"
// CHECK:         scf.for
// CHECK-NOT:       arith.muli {{.*}} : i64
// CHECK:           nvvm.cp.async.shared.global
// CHECK:           llvm.inline_asm {{.*}}"add.s64 $0, $1, $2;"
// CHECK:           nvvm.cp.async.shared.global
// CHECK-NOT:     xor.b64
// CHECK:         gpu.return
fsm.kernel @held(%p: !fsm.ptr<f32>, %n: i32, %stride: i32, %more: i1) attributes {num_warps = 1 : i32, fsm.shared_bytes = 1024 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = fsm.range 0, 64 : tensor<64xi32, #one>
  %strides = fsm.splat %stride : tensor<64xi32, #one>
  %o = arith.muli %r, %strides overflow<nsw> : tensor<64xi32, #one>
  %slots = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<64xf32 slots 4, #own64>
  scf.for %i = %c0 to %n step %c1 : i32 {
    fsm.copy_async %p[%o] into %slots[%c0] if %more {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32, fsm.offsets_held} : !fsm.ptr<f32>, tensor<64xi32, #one>, !fsm.shared<64xf32 slots 4, #own64>
    fsm.copy_commit
    fsm.copy_wait 0
  }
  fsm.return
}
