//===- ArgumentPromises.cpp - What a kernel is promised of its arguments --===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult fsm::verifyPositiveNumber(Operation *op, NamedAttribute attribute,
                                        const Twine &where) {
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  bool isInteger =
      number && (number.getType().isSignlessInteger(32) || number.getType().isSignlessInteger(64));
  if (!isInteger || number.getInt() < 1 || number.getInt() > std::numeric_limits<int32_t>::max())
    return op->emitError() << "expected '" << attribute.getName().getValue() << "'" << where
                           << " to be a positive i32 or i64 below 2^31, got "
                           << attribute.getValue();
  return success();
}

/// Ends an error with a note at the argument of a function that has a body.
static LogicalResult failAtArgument(FunctionOpInterface function, unsigned argument,
                                    InFlightDiagnostic error) {
  if (!function.isExternal())
    error.attachNote(function.getArgument(argument).getLoc()) << "the argument is here";
  return error;
}

static std::string knownPromises() {
  StringRef names[] = {kAlignAttr,   kDivisibleAttr, kEqualToAttr,  kAtLeastAttr,
                       kAtMostAttr,  kNoAliasAttr,   kReadOnlyAttr, kLargeAttr};
  return "'" + llvm::join(ArrayRef(names), "', '") + "'";
}

LogicalResult FSMDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || argument >= function.getNumArguments())
    return op->emitError() << "'" << name << "' belongs on the argument of a kernel";
  Type type = function.getArgumentTypes()[argument];
  bool forPointer =
      name == kAlignAttr || name == kNoAliasAttr || name == kReadOnlyAttr || name == kLargeAttr;
  bool forInteger = name == kDivisibleAttr || name == kEqualToAttr || name == kAtLeastAttr || name == kAtMostAttr;
  if (!forPointer && !forInteger)
    return op->emitError() << "unknown argument attribute '" << name << "'; known are "
                           << knownPromises();
  if (forPointer && !isa<PointerType>(type))
    return failAtArgument(function, argument,
                          op->emitError()
                              << "'" << name << "' promises something of a pointer, but argument "
                              << argument << " is " << type);
  if (forInteger && !type.isSignlessInteger())
    return failAtArgument(function, argument,
                          op->emitError()
                              << "'" << name << "' promises something of an integer, but argument "
                              << argument << " is " << type);
  std::string where = " of argument " + std::to_string(argument);
  if (name == kNoAliasAttr || name == kReadOnlyAttr || name == kLargeAttr) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitError() << "expected '" << name << "'" << where << " to carry no value, got "
                             << attribute.getValue();
    return success();
  }
  if (failed(verifyPositiveNumber(op, attribute, where)))
    return failure();
  uint64_t number = cast<IntegerAttr>(attribute.getValue()).getInt();
  if (name == kAlignAttr && !llvm::isPowerOf2_64(number))
    return op->emitError() << "expected '" << name << "'" << where << " to be a power of two, got "
                           << number;
  return success();
}

/// How FSM writes what an attribute of another language promises of an argument of that type;
/// empty if it does not know.
static std::string meantBy(NamedAttribute foreign, Type type) {
  StringRef name = foreign.getName().getValue();
  bool isPointer = isa<PointerType>(type);
  if (isPointer && name == "llvm.noalias")
    return kNoAliasAttr.str();
  if (isPointer && name == "llvm.readonly")
    return kReadOnlyAttr.str();
  auto number = dyn_cast<IntegerAttr>(foreign.getValue());
  if (!number || (name != "tt.divisibility" && (name != "llvm.align" || !isPointer)))
    return "";
  StringRef meant = isPointer ? kAlignAttr : kDivisibleAttr;
  return (meant + " = " + llvm::toString(number.getValue(), 10, /*Signed=*/true)).str();
}

LogicalResult fsm::verifyArgumentAttributes(KernelOp kernel) {
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    for (NamedAttribute attribute : function_interface_impl::getArgAttrs(kernel, index)) {
      if (attribute.getNameDialect() == kernel->getDialect())
        continue;
      std::string meant = meantBy(attribute, type);
      if (meant.empty())
        meant = "one of " + knownPromises();
      else
        meant = "'" + meant + "'";
      return failAtArgument(kernel, index,
                            kernel.emitOpError()
                                << "expected promises of argument " << index << " in words of fsm, "
                                << meant << ", got '" << attribute.getName().getValue() << "'");
    }
  return success();
}

//===----------------------------------------------------------------------===//
// fsm.readonly
//===----------------------------------------------------------------------===//

namespace {
/// The pointers, and addresses, that may come from an argument.
class DerivedPointers {
public:
  /// With `callsWrite`, what is handed to a function counts as written through.
  DerivedPointers(Value argument, bool callsWrite) : callsWrite(callsWrite) {
    pointers.insert(argument);
  }

  /// The first write through one of them, or null.
  Operation *findWrite() {
    for (size_t i = 0; i < pointers.size(); ++i)
      for (OpOperand &use : pointers[i].getUses())
        if (follow(use))
          return use.getOwner();
    return nullptr;
  }

private:
  /// Adds what a use makes of a pointer. Whether the use writes through it.
  bool follow(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto access = dyn_cast<GlobalAccess>(op))
      return access.writes() && access.getPointer() == use.get();
    if (isa<CallOpInterface>(op))
      return callsWrite;
    if (isa<OffsetOp, DescriptorOp, arith::SelectOp, PtrToIntOp, IntToPtrOp>(op))
      pointers.insert(op->getResult(0));
    else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      followInit(loop, use);
    else if (auto condition = dyn_cast<scf::ConditionOp>(op))
      followLeft(condition, use);
    else if (isa<scf::YieldOp>(op))
      followYield(op->getParentOp(), use.getOperandNumber());
    return false;
  }

  void followInit(LoopLikeOpInterface loop, OpOperand &use) {
    if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use))
      pointers.insert(carried);
    if (OpResult result = loop.getTiedLoopResult(&use); result && isa<scf::ForOp>(loop))
      pointers.insert(result);
  }

  /// What the first region of a loop leaves.
  void followLeft(scf::ConditionOp condition, OpOperand &use) {
    unsigned index = use.getOperandNumber();
    if (index == 0)
      return;
    auto loop = cast<scf::WhileOp>(condition->getParentOp());
    pointers.insert(loop.getAfterArguments()[index - 1]);
    pointers.insert(loop.getResult(index - 1));
  }

  void followYield(Operation *parent, unsigned index) {
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      pointers.insert(loop.getBeforeArguments()[index]);
      return;
    }
    pointers.insert(parent->getResult(index));
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      pointers.insert(loop.getRegionIterArg(index));
  }

  llvm::SetVector<Value> pointers;
  bool callsWrite;
};
} // namespace

Operation *fsm::findWriteThrough(BlockArgument argument) {
  return DerivedPointers(argument, /*callsWrite=*/true).findWrite();
}

LogicalResult fsm::verifyReadOnlyArguments(KernelOp kernel) {
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!kernel.getArgAttr(index, kReadOnlyAttr))
      continue;
    if (Operation *write = DerivedPointers(argument, /*callsWrite=*/false).findWrite())
      return failAtArgument(kernel, index,
                            write->emitOpError()
                                << "expected a pointer that may be written through, got one that "
                                << "may come from argument " << index << ", which promises '"
                                << kReadOnlyAttr << "'");
  }
  return success();
}
