// Offsets of which the neighbours are known steps apart, four for each number that a thread computes with, have one address, and
// constants for all other registers.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s
#rows = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#row = #fsm.layout<register = [[32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], cta = []>
#tile = #fsm.layout<register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], cta = []>

#place = #fsm.layout<register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = [], cta = []>
#line = #fsm.layout<register = [[0, 1], [0, 2]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [], cta = []>

// CHECK-LABEL: gpu.func @apart
// CHECK:         %[[AT:.*]] = llvm.getelementptr %{{.*}}[%c0{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
// CHECK-NOT:     llvm.getelementptr %{{.*}}[%
// CHECK:         llvm.getelementptr %[[AT]][128]
// CHECK:         llvm.getelementptr %[[AT]][256]
// CHECK:         llvm.getelementptr %[[AT]][384]
// CHECK:         gpu.return
fsm.kernel @apart(%out: !fsm.ptr<f16>, %first: i32) attributes {num_warps = 1 : i32} {
  %at = fsm.splat %first : tensor<128xi32, #rows>
  %r = fsm.range 0, 128 : tensor<128xi32, #rows>
  %count = arith.addi %at, %r overflow<nsw> : tensor<128xi32, #rows>
  %four = arith.constant dense<4> : tensor<128xi32, #rows>
  %firsts = arith.muli %count, %four overflow<nsw> : tensor<128xi32, #rows>
  %column = fsm.expand_dims %firsts axis 1 : tensor<128xi32, #rows> -> tensor<128x1xi32, #row>
  %all = fsm.broadcast %column : tensor<128x1xi32, #row> -> tensor<128x4xi32, #tile>
  %place = fsm.range 0, 4 : tensor<4xi32, #place>
  %line = fsm.expand_dims %place axis 0 : tensor<4xi32, #place> -> tensor<1x4xi32, #line>
  %places = fsm.broadcast %line : tensor<1x4xi32, #line> -> tensor<128x4xi32, #tile>
  %o = arith.addi %all, %places overflow<nsw> : tensor<128x4xi32, #tile>
  %x = arith.constant dense<1.0> : tensor<128x4xf16, #tile>
  fsm.store %x, %out[%o] {fsm.access_width = 4 : i32, fsm.access_dim = 1 : i32} : tensor<128x4xf16, #tile>, !fsm.ptr<f16>, tensor<128x4xi32, #tile>
  fsm.return
}
