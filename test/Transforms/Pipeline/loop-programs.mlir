// Programs that are started go on to others: a loop around the body, whose counter is the program's number.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-loop-programs{remarks=true}))' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-loop-programs{loop-programs=always}))' | FileCheck %s --check-prefixes=CHECK,ALWAYS
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-loop-programs{loop-programs=5}))' | FileCheck %s --check-prefix=FIVE
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-loop-programs{loop-programs=never}))' | FileCheck %s --check-prefix=NEVER
// NEVER-NOT: fsm.loop_programs
// NEVER-NOT: scf.for

// What is the same for all programs stays in front, and so does what they know of the other axes.
// CHECK-LABEL: fsm.kernel @copy
// CHECK-SAME:    attributes {fsm.loop_programs = 3 : i32}
// CHECK-DAG:   %[[FIRST:.*]] = fsm.program_id x
// CHECK-DAG:   %[[COUNT:.*]] = fsm.num_programs x
// CHECK-DAG:   %[[STEP:.*]] = fsm.program_step : i32
// CHECK-DAG:   %[[ROW:.*]] = fsm.program_id y
// CHECK-DAG:   %[[PLACES:.*]] = fsm.range 0, 8
// CHECK:       scf.for %[[P:.*]] = %[[FIRST]] to %[[COUNT]] step %[[STEP]] : i32 {
// CHECK-NEXT:    %[[BEGIN:.*]] = arith.muli %[[P]], %[[ROW]] overflow<nsw>
// CHECK-NEXT:    %[[TO:.*]] = fsm.offset %{{.*}}, %[[BEGIN]]
// CHECK-NEXT:    %[[X:.*]] = fsm.load %{{.*}}[%[[PLACES]]]
// CHECK-NEXT:    %[[PS:.*]] = fsm.splat %[[P]]
// CHECK-NEXT:    %[[Y:.*]] = arith.addi %[[X]], %[[PS]]
// CHECK-NEXT:    fsm.store %[[Y]], %[[TO]][%[[PLACES]]]
// CHECK-NEXT:  }
// CHECK-NEXT:  fsm.return
// REMARK: :[[@LINE+3]]:1: remark: each program that is started goes on to others
// FIVE-LABEL: fsm.kernel @copy
// FIVE-SAME:    attributes {fsm.loop_programs = 5 : i32}
fsm.kernel @copy(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>) attributes {fsm.loop_programs = 3 : i32} {
  %column = fsm.program_id x : i32
  %row = fsm.program_id y : i32
  %at = fsm.range 0, 8 : tensor<8xi32>
  %begin = arith.muli %column, %row overflow<nsw> : i32
  %to = fsm.offset %out, %begin : !fsm.ptr<i32>, i32
  %x = fsm.load %in[%at] : !fsm.ptr<i32>, tensor<8xi32> -> tensor<8xi32>
  %again = fsm.program_id x : i32
  %ids = fsm.splat %again : tensor<8xi32>
  %y = arith.addi %x, %ids : tensor<8xi32>
  fsm.store %y, %to[%at] : tensor<8xi32>, !fsm.ptr<i32>, tensor<8xi32>
  fsm.return
}

// Nobody asks for it.
// CHECK-LABEL: fsm.kernel @plain(
// ALWAYS-SAME:   attributes {fsm.loop_programs = 0 : i32}
// ALWAYS:        scf.for
fsm.kernel @plain(%out: !fsm.ptr<i32>) {
  %id = fsm.program_id x : i32
  %to = fsm.offset %out, %id : !fsm.ptr<i32>, i32
  fsm.store %id, %to : i32, !fsm.ptr<i32>
  fsm.return
}
