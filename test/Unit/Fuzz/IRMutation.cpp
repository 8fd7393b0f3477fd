//===- IRMutation.cpp - Changes of operands, types and ops ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRMutation.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fsm::fuzz;

namespace {
/// Everything in a module one may point at.
struct Inventory {
  SmallVector<Operation *> ops;
  SmallVector<Value> values;

  explicit Inventory(ModuleOp module) {
    module->walk([&](Operation *op) {
      if (op != module)
        ops.push_back(op);
      llvm::append_range(values, op->getResults());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::append_range(values, block.getArguments());
    });
  }
};
} // namespace

static Type anyElement(MLIRContext *context, Dice &dice) {
  Builder builder(context);
  const Type list[] = {builder.getI1Type(),
                       builder.getI8Type(),
                       builder.getIntegerType(16),
                       builder.getI32Type(),
                       builder.getI64Type(),
                       builder.getIntegerType(128),
                       builder.getIntegerType(32, true),
                       builder.getIndexType(),
                       builder.getF16Type(),
                       builder.getBF16Type(),
                       builder.getF32Type(),
                       builder.getF64Type(),
                       Float8E4M3FNType::get(context),
                       Float8E5M2Type::get(context),
                       Float80Type::get(context),
                       ComplexType::get(builder.getF32Type())};
  return dice.pick(list);
}

static SmallVector<int64_t> anyShape(ArrayRef<int64_t> from, Dice &dice) {
  SmallVector<int64_t> shape(from);
  const int64_t extents[] = {0,         1,
                             2,         3,
                             16,        64,
                             1023,      1 << 20,
                             1 << 21,   int64_t(1) << 40,
                             INT64_MAX, ShapedType::kDynamic};
  switch (dice.below(4)) {
  case 0:
    shape.insert(shape.begin() + dice.below(shape.size() + 1), dice.pick(extents));
    break;
  case 1:
    if (!shape.empty())
      shape.erase(shape.begin() + dice.below(shape.size()));
    break;
  case 2:
    if (shape.size() > 1)
      std::swap(shape.front(), shape.back());
    break;
  default:
    if (!shape.empty())
      shape[dice.below(shape.size())] = dice.pick(extents);
  }
  return shape;
}

/// A type near the given one.
static Type neighbour(Type type, Dice &dice) {
  MLIRContext *context = type.getContext();
  auto block = dyn_cast<RankedTensorType>(type);
  if (!block) {
    if (dice.oneIn(4))
      return fsm::PointerType::get(Builder(context).getF32Type());
    Type element = anyElement(context, dice);
    return dice.oneIn(4) ? RankedTensorType::get({64}, element) : element;
  }
  switch (dice.below(6)) {
  case 0:
    return block.getElementType();
  case 1:
    return UnrankedTensorType::get(block.getElementType());
  case 2:
    return RankedTensorType::get(block.getShape(), block.getElementType(),
                                 Builder(context).getI32IntegerAttr(1));
  case 3:
    return RankedTensorType::get(anyShape(block.getShape(), dice), block.getElementType());
  default:
    return RankedTensorType::get(block.getShape(), anyElement(context, dice));
  }
}

static Value otherValue(Value value, const Inventory &inventory, Dice &dice) {
  SmallVector<Value> alike;
  for (Value candidate : inventory.values)
    if (candidate.getType() == value.getType() && candidate != value)
      alike.push_back(candidate);
  return alike.empty() || dice.oneIn(3) ? dice.pick(inventory.values) : dice.pick(alike);
}

static void mutateOperands(Operation *op, const Inventory &inventory, Dice &dice) {
  unsigned count = op->getNumOperands();
  if (count == 0)
    return op->setOperands({dice.pick(inventory.values)});
  unsigned at = dice.below(count);
  SmallVector<Value> operands(op->getOperands());
  switch (dice.below(6)) {
  case 0:
    operands.erase(operands.begin() + at);
    break;
  case 1:
    operands.insert(operands.begin() + at, dice.pick(inventory.values));
    break;
  case 2:
    std::swap(operands[at], operands[dice.below(count)]);
    break;
  default:
    operands[at] = otherValue(operands[at], inventory, dice);
  }
  op->setOperands(operands);
}

static void eraseOp(Operation *op, const Inventory &inventory, Dice &dice) {
  SmallVector<Value> outside, inside;
  for (Value value : inventory.values) {
    Operation *owner =
        value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
    (op->isAncestor(owner) ? inside : outside).push_back(value);
  }
  if (outside.empty())
    return;
  for (Value value : inside)
    value.replaceAllUsesWith(dice.pick(outside));
  op->erase();
}

static void moveOp(Operation *op, const Inventory &inventory, Dice &dice) {
  Operation *target = dice.pick(inventory.ops);
  if (op->isAncestor(target))
    return;
  if (dice.oneIn(2))
    op->moveBefore(target);
  else
    op->moveAfter(target);
}

/// A copy of the op in the body of another op, or behind itself.
static void duplicateOp(Operation *op, const Inventory &inventory, Dice &dice) {
  Operation *copy = op->clone();
  Operation *target = dice.oneIn(2) ? op : dice.pick(inventory.ops);
  target->getBlock()->getOperations().insertAfter(Block::iterator(target), copy);
}

/// Swaps two regions, empties one, gives one another block or nests the op in
/// an `scf.if` or in itself.
static void mutateRegions(Operation *op, const Inventory &inventory, Dice &dice) {
  if (op->getNumRegions() == 0 || dice.oneIn(3)) {
    OpBuilder builder(op);
    Value condition = dice.pick(inventory.values);
    OperationState state(op->getLoc(), dice.oneIn(4) ? "scf.while" : "scf.if");
    state.addOperands(condition);
    Region *body = state.addRegion();
    body->emplaceBlock();
    state.addRegion();
    Operation *outer = builder.create(state);
    op->moveBefore(&outer->getRegion(0).front(), outer->getRegion(0).front().end());
    builder.setInsertionPointToEnd(&outer->getRegion(0).front());
    scf::YieldOp::create(builder, op->getLoc());
    return;
  }
  Region &region = op->getRegion(dice.below(op->getNumRegions()));
  Operation *other = dice.pick(inventory.ops);
  switch (dice.below(3)) {
  case 0:
    region.push_back(new Block());
    return;
  case 1:
    if (!region.empty())
      region.front().addArgument(dice.pick(inventory.values).getType(), op->getLoc());
    return;
  default:
    if (other->getNumRegions() == 0 || op->isAncestor(other) || other->isAncestor(op))
      return;
    Region spare;
    spare.takeBody(region);
    region.takeBody(other->getRegion(0));
    other->getRegion(0).takeBody(spare);
  }
}

static void mutateAttributes(Operation *op, const Inventory &inventory, Dice &dice) {
  Builder builder(op->getContext());
  const StringRef names[] = {fsm::kNumStagesAttr,  fsm::kHostLoopAttr,   fsm::kHostUnrollAttr,
                             fsm::kHostBufferAttr, fsm::kHostStrideAttr, fsm::kHostScratchAttr,
                             fsm::kAlignAttr,      "overflowFlags",      "fastmath",
                             "llvm.noalias"};
  const Attribute values[] = {
      builder.getI32IntegerAttr(2),     builder.getI32IntegerAttr(-1),
      builder.getI64IntegerAttr(1),     builder.getUnitAttr(),
      builder.getStringAttr("x"),       builder.getDenseI64ArrayAttr({0}),
      builder.getDenseI64ArrayAttr({}), builder.getDenseI64ArrayAttr({-1, INT64_MAX})};
  op->setDiscardableAttr(dice.pick(names), dice.pick(values));
}

void fsm::fuzz::mutateIR(ModuleOp module, Dice &dice) {
  for (size_t count = 1 + dice.below(3); count; --count) {
    Inventory inventory(module);
    if (inventory.ops.empty() || inventory.values.empty())
      return;
    Operation *op = dice.pick(inventory.ops);
    switch (dice.below(9)) {
    case 0:
    case 1:
    case 2:
      mutateOperands(op, inventory, dice);
      break;
    case 3:
    case 4: {
      Value value = dice.pick(inventory.values);
      value.setType(neighbour(value.getType(), dice));
      break;
    }
    case 5:
      eraseOp(op, inventory, dice);
      break;
    case 6:
      moveOp(op, inventory, dice);
      break;
    case 7:
      duplicateOp(op, inventory, dice);
      break;
    default:
      dice.oneIn(2) ? mutateRegions(op, inventory, dice) : mutateAttributes(op, inventory, dice);
    }
  }
}
