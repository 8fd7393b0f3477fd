// A hidden block is words that ptxas does not know to be those of before: each with a number that is 0 when a thread runs. Another one
// is moved.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#pairs = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#one = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// CHECK-LABEL: gpu.func @renewed
// CHECK:         %[[ZERO:.*]] = llvm.inline_asm "mov.u32 $0, %tid.y;"
// CHECK-COUNT-2: llvm.inline_asm has_side_effects "xor.b32 $0, $1, $2;", "=r,r,r" %{{.*}}, %[[ZERO]]
// CHECK:         %[[NEXT:.*]] = llvm.inline_asm "mov.u32 $0, %tid.y;"
// CHECK:         %[[HALF:.*]] = arith.trunci %[[NEXT]]
// CHECK:         llvm.inline_asm has_side_effects "xor.b16 $0, $1, $2;", "=h,h,h" %{{.*}}, %[[HALF]]
// CHECK:         llvm.inline_asm has_side_effects "mov.b16 $0, $1;"
fsm.kernel @renewed(%out: !fsm.ptr<f16>, %in: !fsm.ptr<f16>) attributes {num_warps = 1 : i32} {
  %offs = fsm.range 0, 128 : tensor<128xi32, #pairs>
  %x = fsm.load %in[%offs] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<128xi32, #pairs> -> tensor<128xf16, #pairs>
  %again = fsm.renew %x hidden : tensor<128xf16, #pairs>
  fsm.store %again, %out[%offs] {fsm.access_width = 4 : i32, fsm.access_dim = 0 : i32} : tensor<128xf16, #pairs>, !fsm.ptr<f16>, tensor<128xi32, #pairs>
  %few = fsm.range 0, 32 : tensor<32xi32, #one>
  %y = fsm.load %in[%few] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : !fsm.ptr<f16>, tensor<32xi32, #one> -> tensor<32xf16, #one>
  %same = fsm.renew %y hidden : tensor<32xf16, #one>
  fsm.store %same, %out[%few] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<32xf16, #one>, !fsm.ptr<f16>, tensor<32xi32, #one>
  %moved = fsm.renew %y : tensor<32xf16, #one>
  fsm.store %moved, %out[%few] {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32} : tensor<32xf16, #one>, !fsm.ptr<f16>, tensor<32xi32, #one>
  fsm.return
}
