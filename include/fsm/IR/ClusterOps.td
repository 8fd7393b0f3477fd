//===- ClusterOps.td - Programs that are a cluster ----------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_CLUSTEROPS_TD
#define FSM_IR_CLUSTEROPS_TD

include "fsm/IR/Interfaces.td"
include "fsm/IR/SharedOps.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// In a kernel with `fsm.cluster`, as many programs, neighbours along x, are a cluster. Each has shared
// memory of its own, and reaches the others'.

def FSM_ClusterArriveOp : FSM_PlanOp<"cluster_arrive", [
    MemoryEffects<[MemRead<FSM_SharedMemory>, MemWrite<FSM_SharedMemory>]>]> {
  let summary = "Says that a program has come so far";
  let description = [{
    Each thread that runs it does not wait. The next `fsm.cluster_wait` of all programs of the cluster is
    for this. Others learn of the mbarriers that the thread has made, of nothing else.

    ```mlir
    fsm.cluster_arrive
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FSM_ClusterWaitOp : FSM_PlanOp<"cluster_wait", [
    MemoryEffects<[MemRead<FSM_SharedMemory>, MemWrite<FSM_SharedMemory>]>]> {
  let summary = "Waits until all programs of a cluster have come so far";
  let description = [{
    Behind it all threads of the cluster have run the `fsm.cluster_arrive` in front of it, or have ended.

    ```mlir
    fsm.cluster_wait
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // FSM_IR_CLUSTEROPS_TD
