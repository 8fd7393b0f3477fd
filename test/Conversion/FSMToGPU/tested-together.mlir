// Instructions behind one test: without masks where all of these hold; where not, each under its own, which is computed there from
// numbers that nothing else is computed from.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#row = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// CHECK:      gpu.func @copy
// CHECK-COUNT-2: arith.cmpi slt
// CHECK:      %[[ALL:.*]] = arith.andi
// CHECK:      scf.if %[[ALL]] -> (i16, i16) {
// CHECK-COUNT-2: llvm.load
// CHECK:      } else {
// CHECK:        llvm.inline_asm has_side_effects {{.*}}"mov.b32 $0, $1;"
// CHECK:        arith.cmpi slt
// CHECK-COUNT-2: "@$2 ld.global.b16 $0, [$1];"
// CHECK:      scf.if %{{.*}} {
// CHECK-COUNT-2: llvm.store
// CHECK:      } else {
// CHECK-COUNT-2: "@$1 st.global.b16 [$0], $2;"
fsm.kernel @copy(%out: !fsm.ptr<i16>, %in: !fsm.ptr<i16>, %n: i32) attributes {num_warps = 1 : i32} {
  %offs = fsm.range 0, 128 : tensor<128xi32, #row>
  %ns = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %offs, %ns : tensor<128xi32, #row>
  %x = fsm.load %in[%offs], %mask {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32, fsm.tested_together = 2 : i32} : !fsm.ptr<i16>, tensor<128xi32, #row> -> tensor<128xi16, #row>
  fsm.store %x, %out[%offs], %mask {fsm.access_width = 1 : i32, fsm.access_dim = 0 : i32, fsm.tested_together = 4 : i32} : tensor<128xi16, #row>, !fsm.ptr<i16>, tensor<128xi32, #row>
  fsm.return
}
