//===- PointerForms.cpp - How blocks of pointers are written ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointerForms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm;

bool fsm::isPointerBlock(Type type) {
  auto block = dyn_cast<RankedTensorType>(type);
  return block && isa<triton::PointerType>(block.getElementType());
}

OpFoldResult fsm::uniformOf(Value block) {
  if (auto splat = block.getDefiningOp<triton::SplatOp>())
    return splat.getSrc();
  DenseIntElementsAttr elements;
  if (matchPattern(block, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<Attribute>();
  return {};
}

//===----------------------------------------------------------------------===//
// How far offsets are from 0
//===----------------------------------------------------------------------===//

using Bound = std::optional<int64_t>;

/// Deeper sums and products are not looked at.
static constexpr unsigned kMostSteps = 16;

/// A bound of a number of 32 bits; nothing if that may have wrapped.
static Bound unwrapped(const APInt &bound) {
  return bound.ule(std::numeric_limits<int32_t>::max()) ? Bound(bound.getZExtValue())
                                                        : std::nullopt;
}

static Bound sum(Bound left, Bound right) {
  return left && right ? unwrapped(APInt(128, *left) + APInt(128, *right)) : std::nullopt;
}

static Bound product(Bound left, Bound right) {
  return left && right ? unwrapped(APInt(128, *left) * APInt(128, *right)) : std::nullopt;
}

static Bound boundOfConstant(Value value) {
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return unwrapped(number.sext(128).abs());
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  APInt bound(128, 0);
  for (const APInt &number : elements)
    bound = llvm::APIntOps::umax(bound, number.sext(128).abs());
  return unwrapped(bound);
}

/// How far the elements of an integer value are from 0 at most.
static Bound boundOf(Value value, unsigned steps = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || steps > kMostSteps)
    return std::nullopt;
  auto of = [&](unsigned operand) { return boundOf(op->getOperand(operand), steps + 1); };
  return TypeSwitch<Operation *, Bound>(op)
      .Case([&](arith::ConstantOp) { return boundOfConstant(value); })
      .Case([&](triton::MakeRangeOp range) {
        auto start = static_cast<int32_t>(range.getStart()),
             end = static_cast<int32_t>(range.getEnd());
        return std::max(std::abs(int64_t(start)), std::abs(int64_t(end)));
      })
      .Case<triton::SplatOp, triton::ExpandDimsOp, triton::BroadcastOp, triton::ReshapeOp,
            triton::TransOp>([&](Operation *) { return of(0); })
      .Case<arith::AddIOp, arith::SubIOp>([&](Operation *) { return sum(of(0), of(1)); })
      .Case([&](arith::MulIOp) { return product(of(0), of(1)); })
      .Default([](Operation *) { return Bound(); });
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static PointerForm addresses() { return {PointerForm::Addresses, PointerForm::I64, {}, {}}; }

/// The form of what may be either. Bounds of what differs are not followed: in a loop they grow.
static PointerForm either(const PointerForm &left, const PointerForm &right) {
  if (left.kind == PointerForm::Unknown)
    return right;
  if (right.kind == PointerForm::Unknown || left == right)
    return left;
  if (left.kind == PointerForm::Addresses || right.kind == PointerForm::Addresses ||
      left.base != right.base)
    return addresses();
  PointerForm form = left;
  form.width = std::max(left.width, right.width);
  form.bound = left.bound == right.bound ? left.bound : std::nullopt;
  return form;
}

PointerForms::PointerForms(triton::FuncOp function) : function(function), dominance(function) {
  for (BlockArgument argument : function.getArguments())
    if (isPointerBlock(argument.getType()))
      forms[argument] = addresses();
  // Each step takes a form further from Unknown, of which there are few steps.
  do {
    changed = false;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

void PointerForms::set(Value pointers, const PointerForm &form) {
  if (!isPointerBlock(pointers.getType()) || of(pointers) == form)
    return;
  forms[pointers] = form;
  changed = true;
}

void PointerForms::join(Operation *op, Value to, ValueRange from) {
  if (!isPointerBlock(to.getType()))
    return;
  PointerForm form = of(to);
  for (Value value : from)
    form = either(form, of(value));
  if (form.kind == PointerForm::Based && !dominance.properlyDominates(form.base, op))
    form = addresses();
  set(to, form);
}

void PointerForms::visitAdd(triton::AddPtrOp op) {
  PointerForm form = of(op.getPtr());
  if (form.kind != PointerForm::Based || uniformOf(op.getOffset()))
    return set(op.getResult(), form);
  auto offsets = dyn_cast<RankedTensorType>(op.getOffset().getType());
  PointerForm::Width width =
      offsets && offsets.getElementType().isInteger(64) ? PointerForm::I64 : PointerForm::I32;
  Bound bound = boundOf(op.getOffset());
  if (form.width == PointerForm::None) {
    form.width = width;
    form.bound = bound;
    return set(op.getResult(), form);
  }
  form.bound = sum(form.bound, bound);
  if (!form.bound || width == PointerForm::I64)
    form.width = PointerForm::I64;
  set(op.getResult(), form);
}

/// The bytes between one element and the next that a pointer points to.
static unsigned strideOf(Type pointers) {
  Type pointee = cast<triton::PointerType>(getElementTypeOrSelf(pointers)).getPointeeType();
  return pointee.isIntOrFloat() ? (pointee.getIntOrFloatBitWidth() + 7) / 8 : 8;
}

void PointerForms::visit(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([&](triton::SplatOp splat) {
        set(splat.getResult(), {PointerForm::Based, PointerForm::None, splat.getSrc(), 0});
      })
      .Case<triton::ExpandDimsOp, triton::BroadcastOp, triton::ReshapeOp, triton::TransOp>(
          [&](auto shape) { set(shape.getResult(), of(shape.getSrc())); })
      .Case([&](triton::AddPtrOp add) { visitAdd(add); })
      .Case([&](triton::BitcastOp cast) {
        if (isPointerBlock(cast.getType()) && isPointerBlock(cast.getSrc().getType()))
          set(cast.getResult(), strideOf(cast.getType()) == strideOf(cast.getSrc().getType())
                                    ? of(cast.getSrc())
                                    : addresses());
      })
      .Case([&](arith::SelectOp select) {
        join(op, select.getResult(), {select.getTrueValue(), select.getFalseValue()});
        // What moves all elements moves some of them only, where they are chosen one by one.
        PointerForm form = of(select.getResult());
        if (isa<RankedTensorType>(select.getCondition().getType()) &&
            form.kind == PointerForm::Based)
          form.width = PointerForm::I64;
        set(select.getResult(), form);
      })
      .Case([&](scf::ForOp loop) {
        for (unsigned i = 0; i < loop.getNumResults(); ++i) {
          Value next = loop.getBody()->getTerminator()->getOperand(i);
          join(op, loop.getRegionIterArg(i), {loop.getInitArgs()[i], next});
          set(loop.getResult(i), of(loop.getRegionIterArg(i)));
        }
      })
      .Case([&](scf::WhileOp loop) {
        scf::YieldOp next = loop.getYieldOp();
        for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments()))
          join(op, argument, {loop.getInits()[i], next.getOperand(i)});
        for (auto [i, argument] : llvm::enumerate(loop.getAfterArguments())) {
          join(op, argument, {loop.getConditionOp().getArgs()[i]});
          set(loop.getResult(i), of(argument));
        }
      })
      .Case<scf::IfOp, scf::IndexSwitchOp>([&](auto branch) {
        for (Region &region : branch->getRegions())
          for (auto [i, result] : llvm::enumerate(branch->getResults()))
            if (!region.empty())
              join(op, result, {region.front().getTerminator()->getOperand(i)});
      })
      .Case([](ub::PoisonOp) {})
      .Default([&](Operation *) {
        for (Value result : op->getResults())
          set(result, addresses());
      });
}

void PointerForms::print(llvm::raw_ostream &os) const {
  auto line = [&](Value value) {
    PointerForm form = of(value);
    if (!isPointerBlock(value.getType()))
      return;
    value.printAsOperand(os, OpPrintingFlags());
    if (form.kind == PointerForm::Unknown)
      os << ": unknown\n";
    else if (form.kind == PointerForm::Addresses)
      os << ": addresses\n";
    else {
      static constexpr StringLiteral widths[] = {"", " + i32", " + i64"};
      form.base.printAsOperand(os << ": ", OpPrintingFlags());
      os << widths[form.width] << "\n";
    }
  };
  triton::FuncOp(function)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      line(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          line(argument);
  });
}
