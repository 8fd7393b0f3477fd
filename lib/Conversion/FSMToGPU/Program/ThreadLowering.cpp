//===- ThreadLowering.cpp - A kernel's ops as one thread's ones ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadLowering.h"

#include "fsm/Analysis/ScratchSize.h"
#include "fsm/IR/Origins.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

ThreadLowering::ThreadLowering(DeviceProgram &program, mlir::gpu::GPUModuleOp module,
                               Value debugBuffer, const GpuFeatures &features)
    : program(program), builder(program.builder), module(module), debugBuffer(debugBuffer),
      features(features) {
  addAccessHandlers(table);
  addAtomicHandlers(table);
  addCombineHandlers(table);
  addConstantHandlers(table);
  addControlFlowHandlers(table);
  addConvertLayoutHandlers(table);
  addDebugHandlers(table);
  addDotHandlers(table);
  addProgramHandlers(table);
  addRenameHandlers(table);
  addRoleHandlers(table);
  addCopyHandlers(table);
  addScanHandlers(table);
  addSharedBlockHandlers(table);
}

SmallVector<Value> ThreadLowering::lookup(ValueRange range) {
  return llvm::map_to_vector(range, [&](Value value) { return lookup(value); });
}

LogicalResult ThreadLowering::setResult(Operation *op, Value result) {
  if (!result)
    return failure();
  values.map(op->getResult(0), result);
  return success();
}

/// Whether a type of result of `op` is spread over the threads that there are.
LogicalResult ThreadLowering::checkLayout(Operation *op, Type type) {
  auto block = dyn_cast<RankedTensorType>(type);
  if (!block || !checked.insert(block).second)
    return success();
  if (!layoutOf(block))
    return op->emitError() << "expected a block with '#fsm.layout', got " << block
                           << "; 'fsm-assign-layouts' gives each block one";
  if (std::optional<std::string> fault = layoutFault(op))
    return failWithOperands(op->emitError() << *fault, op);
  LinearLayout layout = linearLayoutOf(block);
  uint64_t ctas = uint64_t(1) << layout.from().bitsOf(Dim::Cta);
  if ((ctas << layout.from().bitsOf(Dim::Warp)) == program.numWarps() && ctas == program.numCtas())
    return success();
  bool areMany = ctas > 1 || program.numCtas() > 1;
  std::string clusters = areMany ? " on " + std::to_string(program.numCtas()) + " ctas" : "";
  return failBeside(op->emitError() << "expected layouts over the kernel's " << program.numWarps()
                                    << " warps" << clusters,
                    op->getParentOfType<KernelOp>(), "the kernel is here");
}

/// What the program does up to there hides the wait.
void ThreadLowering::setFirstMeeting(Operation *op) {
  firstMeeting = op;
  if (op)
    program.beginCluster();
}

LogicalResult ThreadLowering::lowerOp(Operation *op) {
  for (Type type : op->getResultTypes())
    if (failed(checkLayout(op, type)))
      return failure();
  auto handler = table.find(op->getName().getStringRef());
  return handler == table.end() ? lowerElementwise(*this, op) : handler->second(*this, op);
}

/// What `value` is computed from by arithmetic of blocks, in an order in which it can be.
static void collectArithmetic(Value value, llvm::SetVector<Operation *> &slice) {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  bool isArithmetic = op && isa<RankedTensorType>(value.getType()) &&
                      (isa<RangeOp>(op) || (isElementwise(op) && isPure(op)));
  if (!isArithmetic || slice.contains(op))
    return;
  for (Value operand : op->getOperands())
    collectArithmetic(operand, slice);
  slice.insert(op);
}

Value ThreadLowering::computedAgain(Value value) {
  llvm::SetVector<Operation *> slice;
  collectArithmetic(value, slice);
  SmallVector<Value> before;
  for (Operation *op : slice)
    before.push_back(lookup(op->getResult(0)));
  // They have been lowered before, without an error.
  for (Operation *op : slice)
    (void)lowerOp(op);
  Value again = lookup(value);
  for (auto [op, old] : llvm::zip_equal(slice, before))
    values.map(op->getResult(0), old);
  return again;
}

LogicalResult ThreadLowering::lowerBody(Block &body, StringRef known) {
  Location around = builder.getLoc();
  for (Operation &op : body.without_terminator()) {
    if (!known.empty() && op.hasAttr(known))
      continue;
    builder.setLoc(op.getLoc());
    if (&op == firstMeeting)
      program.awaitCluster();
    if (failed(lowerOp(&op)))
      return failure();
  }
  builder.setLoc(around);
  return success();
}
