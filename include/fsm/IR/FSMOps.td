//===- FSMOps.td - All operations of the fsm dialect -------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_FSMOPS_TD
#define FSM_IR_FSMOPS_TD

include "fsm/IR/AtomicOps.td"
include "fsm/IR/ClusterOps.td"
include "fsm/IR/DebugOps.td"
include "fsm/IR/DotOps.td"
include "fsm/IR/GatherOps.td"
include "fsm/IR/LayoutOps.td"
include "fsm/IR/MemoryOps.td"
include "fsm/IR/NumericOps.td"
include "fsm/IR/PartOps.td"
include "fsm/IR/PipelineOps.td"
include "fsm/IR/ProgramOps.td"
include "fsm/IR/ReduceOps.td"
include "fsm/IR/RoleOps.td"
include "fsm/IR/ShapeOps.td"
include "fsm/IR/SharedOps.td"
include "fsm/IR/SortOps.td"
include "fsm/IR/TensorOps.td"
include "fsm/IR/TileOps.td"

#endif // FSM_IR_FSMOPS_TD
