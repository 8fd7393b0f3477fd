// Layouts round-trip through text, and a conversion to the same layout is none.

// RUN: %fsm_opt %s | FileCheck %s
// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-DAG: #[[WIDE:layout[0-9]*]] = #fsm.layout<register = {{\[\[1], \[2], \[128]]}}, lane = {{\[\[4], \[8], \[16], \[32], \[64]]}}, warp = [], cta = []>
// CHECK-DAG: #[[NARROW:layout[0-9]*]] = #fsm.layout<register = {{\[\[32], \[64], \[128]]}}, lane = {{\[\[1], \[2], \[4], \[8], \[16]]}}, warp = [], cta = []>
// CHECK-DAG: #fsm.layout<register = {{\[\[0, 32]]}}, lane = {{\[\[0, 1], \[0, 2], \[0, 4], \[0, 8], \[0, 16]]}}, warp = {{\[\[1, 0], \[2, 0]]}}, cta = []>
#wide = #fsm.layout<register = [[1], [2], [128]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
#narrow = #fsm.layout<register = [[32], [64], [128]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
#tile = #fsm.layout<register = [[0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]], cta = []>

// CHECK-LABEL: @layouts
// CHECK: fsm.convert_layout %{{.*}} : tensor<256xi32, #[[WIDE]]> -> tensor<256xi32, #[[NARROW]]>
// FOLD-LABEL: @layouts
// FOLD-COUNT-1: fsm.convert_layout
// FOLD-NOT: fsm.convert_layout
fsm.kernel @layouts(%p: !fsm.ptr<i32>) {
  %r = fsm.range 0, 256 : tensor<256xi32, #wide>
  %same = fsm.convert_layout %r : tensor<256xi32, #wide> -> tensor<256xi32, #wide>
  %n = fsm.convert_layout %same : tensor<256xi32, #wide> -> tensor<256xi32, #narrow>
  fsm.store %n, %p[%n] : tensor<256xi32, #narrow>, !fsm.ptr<i32>, tensor<256xi32, #narrow>
  fsm.return
}

// True extents stay in the type: 3 x 50 under a layout of 4 x 64.
// CHECK-LABEL: @odd_extents
fsm.kernel @odd_extents(%p: !fsm.ptr<f32>, %x: f32) {
  %v = fsm.splat %x : tensor<3x50xf32, #tile>
  %zero = arith.constant 0 : i32
  %o = fsm.splat %zero : tensor<3x50xi32, #tile>
  fsm.store %v, %p[%o] : tensor<3x50xf32, #tile>, !fsm.ptr<f32>, tensor<3x50xi32, #tile>
  fsm.return
}
