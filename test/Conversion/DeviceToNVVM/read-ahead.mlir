// The wait, the barrier and the first reads of an iteration stand in front of the last multiply-adds of the one before, behind its other
// reads; the copies in the middle. In front of the loop they stand for the first iteration.

// RUN: split-file %s %t
// RUN: %python %t/loop.py fsm.read_ahead > %t/loop.mlir
// RUN: %fsm_opt %t/loop.mlir --fsm-read-ahead | FileCheck %s
// One that nobody has asked it of, that stores besides, waits twice, or meets twice.
// RUN: %python %t/loop.py fsm.no_unroll | %fsm_opt - --fsm-read-ahead | FileCheck %s --check-prefix=STAYS
// RUN: %python %t/loop.py fsm.read_ahead "llvm.store %%slot, %%shared : i32, !llvm.ptr<3>" | %fsm_opt - --fsm-read-ahead | FileCheck %s --check-prefix=STAYS
// RUN: %python %t/loop.py fsm.read_ahead nvvm.barrier0 | %fsm_opt - --fsm-read-ahead | FileCheck %s --check-prefix=STAYS
// RUN: %python %t/loop.py fsm.read_ahead "nvvm.cp.async.wait.group 0" | %fsm_opt - --fsm-read-ahead | FileCheck %s --check-prefix=STAYS

// CHECK:       gpu.func @kernel
// CHECK:         nvvm.cp.async.wait.group 1
// CHECK-NEXT:    nvvm.barrier0
// CHECK-NEXT:    %[[PLACE:.*]] = llvm.getelementptr %{{.*}}[%[[FIRST:.*]]] :
// CHECK:         %[[SOME:.*]] = arith.cmpi slt, %[[BEGIN:.*]], %[[END:.*]] : i32
// CHECK:         %[[READ:.*]] = scf.if %[[SOME]] -> (f32) {
// CHECK-NEXT:      llvm.load %[[PLACE]] : !llvm.ptr<3> -> f32
// CHECK:         } else {
// CHECK-NEXT:      llvm.mlir.zero : f32
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]] step %[[STEP:.*]] iter_args(%{{.*}} = %{{.*}}, %[[SLOT:.*]] = %[[FIRST]], %[[X:.*]] = %[[READ]])
// CHECK-NOT:       nvvm
// CHECK:           math.fma %[[X]],
// CHECK-NOT:       nvvm
// CHECK:           llvm.load
// CHECK-NOT:       nvvm
// CHECK:           %[[TWO:.*]] = llvm.load
// CHECK-NEXT:      scf.if
// CHECK:             nvvm.cp.async.shared.global
// CHECK:           nvvm.cp.async.commit.group
// CHECK-NEXT:      math.fma %[[TWO]],
// CHECK:           %[[LAST:.*]] = llvm.load
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK:           %[[IS:.*]] = arith.cmpi slt, %[[NEXT]], %[[END]]
// CHECK:           %[[THERE:.*]] = arith.select %[[IS]], %{{.*}}, %[[SLOT]] : i32
// CHECK-NEXT:      nvvm.cp.async.wait.group 1
// CHECK-NEXT:      nvvm.barrier0
// CHECK-NEXT:      %[[FROM:.*]] = llvm.getelementptr %{{.*}}[%[[THERE]]]
// CHECK-NEXT:      %[[AHEAD:.*]] = llvm.load %[[FROM]]
// CHECK-NEXT:      math.fma %[[LAST]],
// CHECK-NOT:       nvvm
// CHECK:           scf.yield %{{.*}}, %{{.*}}, %[[AHEAD]]

// STAYS:       scf.for
// STAYS-NEXT:    nvvm.cp.async.wait.group 1
// STAYS-NEXT:    nvvm.barrier0
// STAYS-NEXT:    arith.cmpi
// STAYS-NEXT:    scf.if

//--- loop.py
import sys

attribute, besides = sys.argv[1], sys.argv[2].replace("%%", "%") if len(sys.argv) > 2 else ""
body, total = [], "%sum"
for step in range(4):
    place = "%at" if step == 0 else f"%p{step}"
    if step:
        body.append(f"{place} = llvm.getelementptr %at[{step}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32")
    body.append(f"%x{step} = llvm.load {place} : !llvm.ptr<3> -> f32")
    for add in range(2):
        body.append(f"%s{step}_{add} = math.fma %x{step}, %f, {total} : f32")
        total = f"%s{step}_{add}"
print("""gpu.module @kernels {
  gpu.func @kernel(%shared: !llvm.ptr<3>, %from: !llvm.ptr<1>, %n: i32, %f: f32, %out: !llvm.ptr<1>) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %f, %slot = %c0) -> (f32, i32) : i32 {
      nvvm.cp.async.wait.group 1
      nvvm.barrier0
      %more = arith.cmpi slt, %i, %c3 : i32
      scf.if %more {
        nvvm.cp.async.shared.global %shared, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      }
      nvvm.cp.async.commit.group
      %at = llvm.getelementptr %shared[%slot] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
""" + "\n".join(body) + "\n" + besides + f"""
      %up = arith.addi %slot, %c1 : i32
      %is = arith.cmpi eq, %up, %c3 : i32
      %next = arith.select %is, %c0, %up : i32
      scf.yield {total}, %next : f32, i32
    }} {{{attribute}}}
    llvm.store %r#0, %out : f32, !llvm.ptr<1>
    gpu.return
  }}
}}""")
