// Four warps multiply two tiles: a fence, an instruction for each step and fragment, one commit, and a wait that the sums go
// through. Sums with fsm.from_zero have no zeros: the first step's products take their place. Where lines of a tile are along the inner dimension the left factor is `row` and the right one `col`.

// RUN: %fsm_opt %s --split-input-file --fsm-allocate-shared --fsm-verify-shared --convert-fsm-to-gpu | FileCheck %s

#w = #fsm.layout<register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], cta = []>
#v = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], cta = []>
#x = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#y = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
#sums = #fsm.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], cta = []>

// Lines of 64 bytes: bits 62 and 63 are 2, eight lines are 32 units. Of the right factor lines are of 32 bytes and along columns:
// 3, eight lines 16 units, and 32 lines 64 units to a next panel.
// CHECK-LABEL: gpu.func @two_steps
// CHECK:         nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// The base's address is named in front of each product.
// CHECK:         llvm.inline_asm has_side_effects {{.*}}"mov.u32 $0, fsm_shared;", "=r"
// CHECK:         %[[LEFT:.*]] = arith.constant -9223371899415756800 : i64
// CHECK:         %[[RIGHT:.*]] = arith.constant -4611685949703716864 : i64
// CHECK:         llvm.inline_asm has_side_effects {{.*}}"wgmma.fence.sync.aligned;", "~{memory}"
// CHECK:         llvm.inline_asm {{.*}}setp.ne.b32 adds, 0, 0;\0Awgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $16, $17, adds, 1, 1, 0, 1;
// CHECK:         llvm.inline_asm {{.*}}setp.ne.b32 adds, 1, 0;{{.*}}add.s64 left, $16, 2;\0A.reg .b64 right;\0Aadd.s64 right, $17, 32;\0Awgmma.mma_async{{.*}}, left, right, adds, 1, 1, 0, 1;
// CHECK-NOT:     wgmma.mma_async
// CHECK:         nvvm.wgmma.commit.group.sync.aligned
// CHECK:         llvm.inline_asm has_side_effects {{.*}}"wgmma.wait_group.sync.aligned 0;"
fsm.kernel @two_steps(%p: !fsm.ptr<f32>, %a: !fsm.ptr<f16>, %b: !fsm.ptr<f16>) attributes {num_warps = 4 : i32} {
  %o = arith.constant dense<0> : tensor<64x32xi32, #w>
  %q = arith.constant dense<0> : tensor<32x16xi32, #v>
  %r = arith.constant dense<0> : tensor<64x16xi32, #sums>
  %l = fsm.load %a[%o] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<64x32xi32, #w> -> tensor<64x32xf16, #w>
  %m = fsm.load %b[%q] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : !fsm.ptr<f16>, tensor<32x16xi32, #v> -> tensor<32x16xf16, #v>
  %zeros = arith.constant dense<0.0> : tensor<64x16xf32, #sums>
  %s = fsm.shared_alloc : !fsm.shared<64x32xf16, #x>
  %t = fsm.shared_alloc : !fsm.shared<32x16xf16, #y>
  fsm.shared_store %l, %s : tensor<64x32xf16, #w>, !fsm.shared<64x32xf16, #x>
  fsm.shared_store %m, %t : tensor<32x16xf16, #v>, !fsm.shared<32x16xf16, #y>
  fsm.shared_barrier <program> fence
  %d = fsm.shared_dot %s, %t, %zeros inner 32 {fsm.from_zero, fsm.mma = array<i64: 64, 16, 16>} : !fsm.shared<64x32xf16, #x>, !fsm.shared<32x16xf16, #y> -> tensor<64x16xf32, #sums>
  fsm.store %d, %p[%r] {fsm.access_width = 1 : i32, fsm.access_dim = 1 : i32} : tensor<64x16xf32, #sums>, !fsm.ptr<f32>, tensor<64x16xi32, #sums>
  fsm.return
}
