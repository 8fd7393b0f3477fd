// Warps part: four of their own run the role in one thread, without meetings; the others have barriers of their own from there on.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s
// RUN: %fsm_opt %s --convert-fsm-to-gpu --convert-device-to-nvvm | FileCheck %s --check-prefix=NVVM

// CHECK-LABEL: gpu.func @roles
// CHECK-SAME:    fsm.load_warps = 4 : i32
// CHECK-SAME:    fsm.num_warps = 12 : i32
// CHECK-SAME:    known_block_size = array<i32: 384, 1, 1>
// CHECK:         nvvm.mbarrier.init %{{.*}}, %[[EIGHT:.*]] : !llvm.ptr<3>, i32
// CHECK-NOT:     nvvm.fence
// CHECK:         nvvm.barrier0{{$}}
// CHECK:         nvvm.shfl.sync idx
// CHECK:         scf.if
// CHECK-NEXT:      nvvm.setmaxregister decrease 40
// CHECK-NEXT:      scf.if
// CHECK:             nvvm.mbarrier.try_wait
// CHECK-NOT:         nvvm.bar.warp.sync
// CHECK:           } else {
// CHECK-NEXT:      nvvm.setmaxregister increase 232
// CHECK:           nvvm.mbarrier.try_wait
// CHECK:           nvvm.bar.warp.sync
// CHECK:           llvm.inline_asm has_side_effects {{.*}}"@$1 mbarrier.arrive.shared.b64 _, [$0];", "r,b,~{memory}"
// CHECK:           nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// CHECK:         gpu.return

// NVVM-LABEL: llvm.func @roles
// NVVM-SAME:    nvvm.minctasm = 1 : i32
// NVVM-SAME:    nvvm.reqntid = array<i32: 384>
fsm.kernel @roles(%slot: i32, %more: i1) attributes {num_warps = 8 : i32, fsm.shared_bytes = 16 : i32} {
  %empty = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 8 : !fsm.shared<1x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role registers 40 others 232 {
    fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<1x!fsm.mbarrier>
  }
  fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_arrive %empty[%slot] if %more : !fsm.shared<1x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.return
}

// All have registers enough: the launch is as any other.
// CHECK-LABEL: gpu.func @as_launched
// CHECK-NOT:     nvvm.setmaxregister
// NVVM-LABEL: llvm.func @as_launched
// NVVM-SAME:    nvvm.maxntid = array<i32: 256>
fsm.kernel @as_launched(%slot: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %empty = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<1x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role {
    fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<1x!fsm.mbarrier>
  }
  fsm.return
}

// Two ctas have registers for it: 40 * 128 and 216 * 128 are half of all.
// CHECK-LABEL: gpu.func @two_ctas
// CHECK:         nvvm.setmaxregister increase 216
// NVVM-LABEL: llvm.func @two_ctas
// NVVM-SAME:    nvvm.minctasm = 2 : i32
// NVVM-SAME:    nvvm.reqntid = array<i32: 256>
fsm.kernel @two_ctas(%slot: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %empty = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %empty arrivals 4 : !fsm.shared<1x!fsm.mbarrier>
  fsm.shared_barrier <program>
  fsm.load_role registers 40 others 216 {
    fsm.mbarrier_wait %empty[%slot] phase %slot : !fsm.shared<1x!fsm.mbarrier>
  }
  fsm.return
}
