// A map that the program makes is in memory of the cta's own, in places that maps take in turns. The first thread makes it, where it is
// a new one: zeros, each field, and two fences.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

// CHECK-LABEL: gpu.func @own(
// CHECK-SAME:    %[[P:[^:]*]]: !llvm.ptr<1>, %[[M:[^:]*]]: i32, %[[NEW:[^:]*]]: i1, %[[SCRATCH:[^:]*]]: !llvm.ptr<1>)
// CHECK-SAME:    fsm.device_scratch = 384 : i32, fsm.hidden_arguments = ["scratch"]
// CHECK:         %[[PLACE:.*]] = llvm.alloca
// CHECK:         %[[MINE:.*]] = llvm.getelementptr %[[SCRATCH]]
// CHECK:         %[[LAST:.*]] = llvm.load %[[PLACE]]
// CHECK:         %[[TURN:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
// CHECK:         %[[AT:.*]] = arith.select %[[NEW]], %[[TURN]], %[[LAST]] : i32
// CHECK:         llvm.store %[[AT]], %[[PLACE]]
// CHECK:         %[[MAP:.*]] = llvm.getelementptr %[[MINE]]
// CHECK:         scf.if
// CHECK:           llvm.inline_asm has_side_effects {{.*}}st.global.v2.b64 [$0+112], {$1, $1};
// CHECK:           %[[LEAST:.*]] = arith.maxsi %{{.*}}, %c1_i64
// CHECK:           arith.minsi %[[LEAST]], %c2147483136_i64
// CHECK:           llvm.inline_asm {{.*}}tensormap.replace.tile.global_address.global.b1024.b64 [$0], $1;
// CHECK-SAME:        tensormap.replace.tile.rank.global.b1024.b32 [$0], 1;
// CHECK-SAME:        tensormap.replace.tile.elemtype.global.b1024.b32 [$0], 6;
// CHECK-SAME:        tensormap.replace.tile.swizzle_mode.global.b1024.b32 [$0], 3;
// CHECK:           llvm.inline_asm {{.*}}fence.proxy.tensormap::generic.release.gpu;
// CHECK:           llvm.inline_asm {{.*}}fence.proxy.tensormap::generic.acquire.gpu [$0], 128;{{.*}} %[[MAP]]
// CHECK:         llvm.addrspacecast %[[MAP]]
fsm.kernel @own(%p: !fsm.ptr<f16>, %m: i32, %new: i1) attributes {num_warps = 4 : i32} {
  %map = fsm.own_tensor_map %p sizes [%m, %m] strides [%m] if %new {slots = 3 : i32} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}

// A release for two, and an acquire for each.
// CHECK-LABEL: gpu.func @together(
// CHECK:         llvm.inline_asm {{.*}}tensormap.replace
// CHECK-NOT:     fence.proxy.tensormap
// CHECK:         llvm.inline_asm {{.*}}tensormap.replace
// CHECK:         llvm.inline_asm {{.*}}fence.proxy.tensormap::generic.release.gpu;
// CHECK-COUNT-2: llvm.inline_asm {{.*}}fence.proxy.tensormap::generic.acquire.gpu
// CHECK-NOT:     fence.proxy.tensormap
fsm.kernel @together(%p: !fsm.ptr<f16>, %m: i32, %new: i1) attributes {num_warps = 4 : i32} {
  %a = fsm.own_tensor_map %p sizes [%m, %m] strides [%m] if %new {fsm.released_later, slots = 3 : i32} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  %b = fsm.own_tensor_map %p sizes [%m, %m] strides [%m] if %new {slots = 3 : i32} : (!fsm.ptr<f16>, i32, i32, i32, i1) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.return
}
