// A loop that counts what is left: from -1 - n up to -1, where no number needs more than 32 bits. Its own counter it carries behind all
// else. An address that is made at once is the pointer and a product of the sum in 32 bits.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#four = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// CHECK-LABEL: gpu.func @blocks(
// CHECK-SAME:    %[[N:[a-z0-9]+]]: i32)
// CHECK-DAG:     %[[WIDE:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK-DAG:     %[[FIRST:.*]] = arith.constant 0 : i64
// CHECK-DAG:     %[[STEP:.*]] = arith.constant 128 : i64
// CHECK:         %[[NONE:.*]] = arith.constant -1 : i32
// CHECK:         %[[END:.*]] = arith.trunci %[[WIDE]] overflow<nsw> : i64 to i32
// CHECK:         %[[LEFT:.*]] = arith.xori %[[END]], %[[NONE]] : i32
// CHECK:         scf.for %{{.*}} = %[[LEFT]] to %[[NONE]] step %{{.*}} iter_args(%[[COUNTER:.*]] = %[[FIRST]]) -> (i64) {{.*}}: i32 {
// CHECK:           arith.trunci %[[COUNTER]] : i64 to i32
// CHECK:           %[[NUMBER:.*]] = arith.trunci %[[COUNTER]] : i64 to i32
// CHECK-NEXT:      %[[OFFSET:.*]] = arith.addi %[[NUMBER]], %{{.*}} : i32
// CHECK:           %[[BASE:.*]] = llvm.inline_asm "mad.wide.s32 $0, $1, 4, $2;", "=l,r,l" %[[OFFSET]], %{{.*}} : (i32, !llvm.ptr<1>) -> !llvm.ptr<1>
// CHECK:           llvm.getelementptr %[[BASE]][32]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[COUNTER]], %[[STEP]] overflow<nsw> : i64
// CHECK:           scf.yield %[[NEXT]] : i64
fsm.kernel @blocks(%out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %step = arith.constant 128 : i64
  %end = arith.extsi %n : i32 to i64
  %range = fsm.range 0, 128 : tensor<128xi32, #four>
  %x = arith.constant dense<0.0> : tensor<128xf32, #four>
  scf.for %i = %zero to %end step %step : i64 {
    %number = arith.trunci %i overflow<nsw> : i64 to i32
    %starts = fsm.splat %number : tensor<128xi32, #four>
    %offs = arith.addi %starts, %range overflow<nsw> : tensor<128xi32, #four>
    fsm.store %x, %out[%offs] {fsm.offset_at_once} : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  } {fsm.counts_left}
  fsm.return
}
