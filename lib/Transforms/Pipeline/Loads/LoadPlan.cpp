//===- LoadPlan.cpp - How far the loads of a loop run ahead --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadPlan.h"

#include "EarlyLoads.h"

#include "fsm/Analysis/PipelinePlan.h"

using namespace mlir;
using namespace fsm;

LoadPlan LoadPlan::writtenIn(scf::ForOp loop) {
  PipelinePlan written = PipelinePlan::writtenIn(loop);
  LoadPlan plan;
  plan.loop = loop;
  plan.stages = written.stages();
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    auto buffer = load->getAttrOfType<LoadBufferAttr>(kBufferAttr);
    plan.loads.push_back(
        {load, buffer ? buffer.getValue() : LoadBuffer::None, written.stageOf(load)});
  }
  return plan;
}

void LoadPlan::write() const {
  Builder builder(loop->getContext());
  for (Entry entry : loads) {
    entry.load->setAttr(kBufferAttr, LoadBufferAttr::get(builder.getContext(), entry.buffer));
    if (iterationsAhead(entry) > 0)
      entry.load->setAttr(kStageAttr, builder.getI32IntegerAttr(entry.stage));
  }
  for (SharedDotOp product : inFlight)
    product->setAttr(kInFlightAttr, builder.getUnitAttr());
  if (stages > 1)
    loop->setAttr(kStagesAttr, builder.getI32IntegerAttr(stages));
  if (stages > 1 && takesLate)
    loop->setAttr(kTakesLateAttr, builder.getUnitAttr());
}

const LoadPlan::Entry *LoadPlan::find(Operation *load) const {
  return &*llvm::find_if(loads, [&](const Entry &entry) { return entry.load == load; });
}

std::optional<std::string> LoadPlan::faultOf(const Entry &entry) const {
  if (entry.stage >= stages)
    return "the loop has " + std::to_string(stages) + " stages, counted from 0";
  bool isEarly = iterationsAhead(entry) > 0;
  if (isEarly != (entry.buffer != LoadBuffer::None))
    return isEarly ? "nothing says where the elements wait"
                   : "it is the last, where no elements wait";
  if (!isEarly)
    return std::nullopt;
  if (std::optional<LoadReason> obstacle = obstacleTo(loop, entry.load))
    return obstacle->text();
  for (LoadOp awaited : sliceOf(loop, entry.load->getOperands()).loads) {
    const Entry *other = find(awaited);
    if (other->stage > entry.stage)
      return "its address needs a load of stage " + std::to_string(other->stage);
    if (other->buffer != LoadBuffer::Registers)
      return "its address needs a load that waits in shared memory";
  }
  return std::nullopt;
}

LogicalResult LoadPlan::verify() const {
  if (std::optional<LoadReason> obstacle = obstacleTo(loop))
    return emitError(loop->getLoc(), "the loop cannot have stages: ") << obstacle->text();
  for (Entry entry : loads)
    if (std::optional<std::string> why = faultOf(entry))
      return entry.load.emitError("stage ") << entry.stage << " is wrong here: " << *why;
  return success();
}
