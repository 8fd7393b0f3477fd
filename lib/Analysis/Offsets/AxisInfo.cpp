//===- AxisInfo.cpp - How numbers vary along the axes of a block ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/AxisInfo.h"

#include "AxisInfoRules.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace fsm;
using namespace fsm::axis;

//===----------------------------------------------------------------------===//
// AxisInfo
//===----------------------------------------------------------------------===//

int64_t AxisInfo::elementDivisor() const {
  int64_t divisor = 1;
  for (const AxisGroups &axis : dims)
    divisor = std::max(divisor, axis.start(1));
  return divisor;
}

AxisInfo AxisInfo::pessimistic(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  AxisInfo info;
  info.dims.assign(axisExtents(type).size(),
                   {1, pointer ? bytesOf(pointer.getPointeeType()) : 1, 1});
  return info;
}

AxisInfo AxisInfo::ofConstant(Type type, int64_t number) {
  AxisInfo info;
  for (int64_t extent : axisExtents(type))
    info.dims.push_back({1, powerOfTwoIn(number), wholeGroup(extent)});
  info.constant = number;
  info.isNonNegative = bitsOf(number, widthOf(type)).isNonNegative();
  return info;
}

/// One form of the same knowledge: groups that are no larger than those of equal truths say nothing.
static AxisGroups withEnding(AxisGroups axis, int64_t ending) {
  axis.ending = ending > axis.constancy ? ending : 1;
  return axis;
}

AxisInfo AxisInfo::join(const AxisInfo &left, const AxisInfo &right) {
  if (left.rank() == 0 || right.rank() == 0)
    return left.rank() == 0 ? right : left;
  AxisInfo result;
  for (auto [x, y] : llvm::zip_equal(left.dims, right.dims)) {
    int64_t group = std::min(x.contiguity, y.contiguity);
    result.dims.push_back(withEnding(
        {group, std::min(x.start(group), y.start(group)), std::min(x.constancy, y.constancy)},
        std::min(x.endingGroup(), y.endingGroup())));
  }
  if (left.constant == right.constant)
    result.constant = left.constant;
  result.isNonNegative = left.isNonNegative && right.isNonNegative;
  return result;
}

AxisInfo axis::meet(const AxisInfo &left, const AxisInfo &right) {
  AxisInfo result;
  // The first elements of large groups are some of those of small ones.
  for (auto [x, y] : llvm::zip_equal(left.dims, right.dims))
    result.dims.push_back(withEnding({std::max(x.contiguity, y.contiguity),
                                      std::max(x.divisibility, y.divisibility),
                                      std::max(x.constancy, y.constancy)},
                                     std::max(x.ending, y.ending)));
  result.constant = left.constant ? left.constant : right.constant;
  result.isNonNegative = left.isNonNegative || right.isNonNegative;
  return result;
}

bool AxisInfo::operator==(const AxisInfo &other) const {
  return dims == other.dims && constant == other.constant && isNonNegative == other.isNonNegative;
}

void AxisInfo::print(raw_ostream &os) const {
  auto printAll = [&](StringRef name, int64_t AxisGroups::*number) {
    os << name << " [";
    llvm::interleaveComma(dims, os, [&](const AxisGroups &axis) { os << axis.*number; });
    os << "]";
  };
  printAll("contiguity", &AxisGroups::contiguity);
  printAll(", divisibility", &AxisGroups::divisibility);
  printAll(", constancy", &AxisGroups::constancy);
  if (llvm::any_of(dims, [](const AxisGroups &axis) { return axis.ending > axis.constancy; }))
    printAll(", ending", &AxisGroups::ending);
  if (constant)
    os << ", constant " << *constant;
  else if (isNonNegative)
    os << ", not negative";
}

//===----------------------------------------------------------------------===//
// The transfer function
//===----------------------------------------------------------------------===//

/// Groups are no larger than the block; what divides all elements does so along
/// each dimension.
static AxisInfo normalized(AxisInfo info, Type type) {
  for (auto [axis, extent] : llvm::zip_equal(info.dims, axisExtents(type))) {
    axis.contiguity = std::min(axis.contiguity, wholeGroup(extent));
    axis.constancy = std::min(axis.constancy, wholeGroup(extent));
    axis = withEnding(axis, std::min(axis.ending, wholeGroup(extent)));
  }
  int64_t common = info.elementDivisor();
  for (AxisGroups &axis : info.dims)
    if (axis.contiguity == 1)
      axis.divisibility = std::max(axis.divisibility, common);
  return info;
}

AxisInfo fsm::inferAxisInfo(Operation *op, ArrayRef<const AxisInfo *> operands, unsigned result) {
  Type type = op->getResult(result).getType();
  std::optional<AxisInfo> info = inferShape(op, operands, result);
  if (!info)
    info = inferArithmetic(op, operands);
  return info ? normalized(std::move(*info), type) : AxisInfo::pessimistic(type);
}

namespace {
struct AxisLattice : dataflow::Lattice<AxisInfo> {
  using Lattice::Lattice;
};

/// Runs the transfer function until nothing changes. A value that no visited op
/// defines keeps rank 0.
struct AxisPropagation : dataflow::SparseForwardDataFlowAnalysis<AxisLattice> {
  AxisPropagation(DataFlowSolver &solver, KernelOp kernel)
      : SparseForwardDataFlowAnalysis(solver), kernel(kernel), assumed(assumptionsOf(kernel)) {}

  LogicalResult visitOperation(Operation *op, ArrayRef<const AxisLattice *> operands,
                               ArrayRef<AxisLattice *> results) override {
    SmallVector<const AxisInfo *> infos;
    for (const AxisLattice *operand : operands) {
      // It will be visited again when more is known.
      if (operand->getValue().rank() == 0)
        return success();
      infos.push_back(&operand->getValue());
    }
    if (results.size() != 1 && !isa<LayoutTransfer>(op))
      setAllToEntryStates(results);
    else
      for (auto [index, result] : llvm::enumerate(results))
        add(result, inferAxisInfo(op, infos, static_cast<unsigned>(index)));
    return success();
  }

  void setToEntryState(AxisLattice *lattice) override {
    auto argument = dyn_cast<BlockArgument>(lattice->getAnchor());
    bool isKernels = argument && argument.getOwner()->getParentOp() == kernel;
    add(lattice, isKernels ? axisInfoOfArgument(kernel, argument.getArgNumber())
                           : AxisInfo::pessimistic(lattice->getAnchor().getType()));
  }

  /// An induction variable is the lower bound and some steps.
  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor,
                                    ArrayRef<AxisLattice *> arguments,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, arguments,
                                                                         firstIndex);
    ProgramPoint *point = getProgramPointBefore(loop.getBody());
    const AxisInfo &first = getLatticeElementFor(point, loop.getLowerBound())->getValue();
    const AxisInfo &step = getLatticeElementFor(point, loop.getStep())->getValue();
    if (first.rank() == 0 || step.rank() == 0)
      return;
    AxisInfo info;
    info.dims.push_back({1, std::min(first.dims[0].divisibility, step.dims[0].divisibility), 1});
    info.isNonNegative = first.isNonNegative && !loop.getUnsignedCmp();
    add(arguments.front(), info);
  }

private:
  void add(AxisLattice *lattice, AxisInfo info) {
    auto fact = assumed.find(lattice->getAnchor());
    if (fact != assumed.end())
      info = meet(info, fact->second);
    propagateIfChanged(lattice, lattice->join(info));
  }

  KernelOp kernel;
  llvm::DenseMap<Value, AxisInfo> assumed;
};
} // namespace

//===----------------------------------------------------------------------===//
// AxisInfoAnalysis
//===----------------------------------------------------------------------===//

AxisInfoAnalysis::AxisInfoAnalysis(KernelOp kernel)
    : solver(std::make_unique<DataFlowSolver>(DataFlowConfig().setInterprocedural(false))) {
  dataflow::loadBaselineAnalyses(*solver);
  solver->load<AxisPropagation>(kernel);
  // Without an answer everything is unknown, which is always right.
  if (failed(solver->initializeAndRun(kernel)))
    solver = std::make_unique<DataFlowSolver>();
}

AxisInfoAnalysis::~AxisInfoAnalysis() = default;
AxisInfoAnalysis::AxisInfoAnalysis(AxisInfoAnalysis &&) noexcept = default;
AxisInfoAnalysis &AxisInfoAnalysis::operator=(AxisInfoAnalysis &&) noexcept = default;

const AxisInfo &AxisInfoAnalysis::of(Value value) {
  const auto *lattice = solver->lookupState<AxisLattice>(value);
  if (lattice && lattice->getValue().rank() != 0)
    return lattice->getValue();
  std::unique_ptr<AxisInfo> &info = unknown[value];
  if (!info)
    info = std::make_unique<AxisInfo>(AxisInfo::pessimistic(value.getType()));
  return *info;
}

/// Whether accesses may be so wide that their mask ends within one: where elements are narrower than
/// asynchronous copies, which take the number of bytes that are there, and rows of matrices end. Such
/// a copy fills up with zeros.
static bool mayEndWithin(Operation *op, uint64_t bytes) {
  if (bytes >= kMinCopyBytes || !isa<LoadOp, StoreOp, AtomicRMWOp>(op))
    return false;
  // What memory held would have to come from two instructions.
  if (isa<AtomicRMWOp>(op))
    return op->use_empty();
  auto load = dyn_cast<LoadOp>(op);
  if (!load || !load.getOther())
    return true;
  return matchPattern(load.getOther(), m_PosZeroFloat()) || matchPattern(load.getOther(), m_Zero());
}

AccessAxis AxisInfoAnalysis::accessOf(Operation *op) {
  auto access = dyn_cast<GlobalAccess>(op);
  if (!access)
    return {};
  Value pointer = access.getPointer(), offsets = access.getOffsets(), mask = access.getMask();
  int64_t base = of(pointer).dims[0].divisibility;
  if (!offsets)
    return {{1}, {1}, {base}};
  int64_t bytes = bytesOf(cast<PointerType>(pointer.getType()).getPointeeType());
  bool hasMaskBlock = mask && isa<RankedTensorType>(mask.getType());
  bool mayEnd = of(offsets).rank() > 1 && mayEndWithin(op, static_cast<uint64_t>(bytes));
  AccessAxis result;
  for (auto [dim, axis] : llvm::enumerate(of(offsets).dims)) {
    int64_t group = axis.contiguity;
    AxisGroups truths;
    if (hasMaskBlock)
      truths = of(mask).dims[dim];
    result.constancy.push_back(hasMaskBlock ? truths.constancy : group);
    if (hasMaskBlock)
      group = std::min(group, mayEnd ? truths.endingGroup() : truths.constancy);
    result.contiguity.push_back(group);
    result.alignment.push_back(std::min(base, axis.start(group) * bytes));
  }
  return result;
}

/// The only dimension along which a block has several elements; none where there are more.
static std::optional<unsigned> onlyDim(Value block) {
  std::optional<unsigned> only;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(block.getType())))
    if (extent > 1) {
      if (only)
        return std::nullopt;
      only = static_cast<unsigned>(dim);
    }
  return only;
}

SmallVector<int64_t> AxisInfoAnalysis::stepsOf(Value offsets) {
  SmallVector<int64_t> divisors(shapeOf(offsets.getType()).size(), 0);
  SmallVector<Value> waiting = {offsets};
  while (!waiting.empty()) {
    Value part = waiting.pop_back_val();
    Operation *op = part.getDefiningOp();
    auto broadcast = dyn_cast_if_present<BroadcastOp>(op);
    if (isa_and_present<SplatOp>(op))
      continue;
    std::optional<unsigned> dim = onlyDim(part);
    if (dim)
      divisors[*dim] = std::gcd(divisors[*dim], of(part).dims[*dim].start(1));
    else if (isa_and_present<arith::AddIOp, arith::ExtSIOp>(op) || (broadcast && !broadcast.getDims()))
      llvm::append_range(waiting, op->getOperands());
    else
      return {};
  }
  return divisors;
}
