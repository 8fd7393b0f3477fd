//===- TensorMaps.cpp - Tensor maps that a launch makes -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/TensorMaps.h"

#include "fsm/IR/ElementTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Longer ones are no sizes of tensors.
static constexpr unsigned kMostDepth = 16;

static bool addSteps(Value value, LaunchExpression &to, unsigned depth) {
  using Kind = LaunchStep::Kind;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    to.push_back({Kind::Argument, argument.getArgNumber()});
    return isa<KernelOp>(argument.getOwner()->getParentOp()) && !isa<PointerType>(value.getType());
  }
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    to.push_back({Kind::Number, number.getSExtValue()});
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (depth == kMostDepth)
    return false;
  if (isa<arith::ExtSIOp>(op))
    return addSteps(op->getOperand(0), to, depth + 1);
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (!flags || !flags.hasNoSignedWrap())
    return false;
  if (isa<arith::TruncIOp>(op))
    return addSteps(op->getOperand(0), to, depth + 1);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
      !addSteps(op->getOperand(0), to, depth + 1) || !addSteps(op->getOperand(1), to, depth + 1))
    return false;
  to.push_back({isa<arith::AddIOp>(op)   ? Kind::Add
                : isa<arith::SubIOp>(op) ? Kind::Subtract
                                         : Kind::Multiply,
                0});
  return true;
}

std::optional<LaunchExpression> fsm::launchExpressionOf(Value value) {
  LaunchExpression expression;
  return addSteps(value, expression, 0) ? std::optional(expression) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

TensorMapPlan fsm::tensorMapPlanOf(TensorMapOp op) {
  TensorMapType type = op.getType();
  TensorMapPlan plan;
  plan.pointer = cast<BlockArgument>(op.getPointer()).getArgNumber();
  plan.type = *findScalarType(type.getElementType());
  for (Value size : op.getSizes())
    plan.sizes.push_back(*launchExpressionOf(size));
  for (Value stride : op.getStrides())
    plan.strides.push_back(*launchExpressionOf(stride));
  for (int64_t extent : type.getBox())
    plan.box.push_back(static_cast<uint32_t>(extent));
  plan.swizzle = type.getSwizzle();
  plan.boxEnds = op.getBoxEnds();
  return plan;
}

static Attribute attributeOf(Builder &builder, const TensorMapPlan &plan) {
  auto texts = [&](const std::vector<LaunchExpression> &list) {
    SmallVector<std::string> words;
    for (const LaunchExpression &expression : list)
      words.push_back(launchExpressionText(expression));
    return builder.getStrArrayAttr(SmallVector<StringRef>(words.begin(), words.end()));
  };
  auto number = [&](uint32_t value) {
    return builder.getI32IntegerAttr(static_cast<int32_t>(value));
  };
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("pointer", number(plan.pointer)),
       builder.getNamedAttr("element", builder.getStringAttr(scalarTypeInfo(plan.type).name)),
       builder.getNamedAttr("sizes", texts(plan.sizes)),
       builder.getNamedAttr("strides", texts(plan.strides)),
       builder.getNamedAttr("box", builder.getDenseI64ArrayAttr(
                                       SmallVector<int64_t>(plan.box.begin(), plan.box.end()))),
       builder.getNamedAttr("swizzle", number(plan.swizzle)),
       builder.getNamedAttr("box_ends", builder.getBoolAttr(plan.boxEnds))});
}

static bool readList(ArrayAttr texts, std::vector<LaunchExpression> &to) {
  return texts && llvm::all_of(texts, [&](Attribute entry) {
           auto text = dyn_cast<StringAttr>(entry);
           auto expression = text ? parseLaunchExpression({text.data(), text.size()})
                                  : std::nullopt;
           if (expression)
             to.push_back(*expression);
           return expression.has_value();
         });
}

static std::optional<TensorMapPlan> readPlan(Attribute attribute) {
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  if (!entries)
    return std::nullopt;
  auto pointer = entries.getAs<IntegerAttr>("pointer"),
       swizzle = entries.getAs<IntegerAttr>("swizzle");
  auto element = entries.getAs<StringAttr>("element");
  auto box = entries.getAs<DenseI64ArrayAttr>("box");
  auto boxEnds = entries.getAs<BoolAttr>("box_ends");
  std::optional<ScalarType> type = element ? scalarTypeNamed(element.getValue()) : std::nullopt;
  TensorMapPlan plan;
  if (!pointer || !swizzle || !type || !box ||
      !readList(entries.getAs<ArrayAttr>("sizes"), plan.sizes) ||
      !readList(entries.getAs<ArrayAttr>("strides"), plan.strides))
    return std::nullopt;
  plan.pointer = static_cast<uint32_t>(pointer.getInt());
  plan.swizzle = static_cast<uint32_t>(swizzle.getInt());
  plan.type = *type;
  plan.boxEnds = boxEnds && boxEnds.getValue();
  plan.box.assign(box.asArrayRef().begin(), box.asArrayRef().end());
  return plan;
}

void fsm::setTensorMaps(Operation *function, ArrayRef<TensorMapPlan> maps) {
  if (maps.empty())
    return;
  Builder builder(function->getContext());
  function->setAttr(kTensorMapsAttr,
                    builder.getArrayAttr(llvm::map_to_vector(maps, [&](const TensorMapPlan &plan) {
                      return attributeOf(builder, plan);
                    })));
}

std::vector<TensorMapPlan> fsm::tensorMapsOf(Operation *function) {
  std::vector<TensorMapPlan> maps;
  if (auto list = function->getAttrOfType<ArrayAttr>(kTensorMapsAttr))
    for (Attribute entry : list)
      if (std::optional<TensorMapPlan> plan = readPlan(entry))
        maps.push_back(std::move(*plan));
  return maps;
}

bool fsm::isTensorMapList(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && llvm::all_of(list, [](Attribute entry) { return readPlan(entry).has_value(); });
}
