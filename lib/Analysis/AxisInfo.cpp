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

using namespace mlir;
using namespace fsm;
using namespace fsm::axis;

//===----------------------------------------------------------------------===//
// AxisInfo
//===----------------------------------------------------------------------===//

int64_t AxisInfo::startDivisor(unsigned dim, int64_t group) const {
  return Dimension::of(*this, dim).start(group);
}

int64_t AxisInfo::elementDivisor() const {
  int64_t divisor = 1;
  for (unsigned dim = 0; dim < rank(); ++dim)
    divisor = std::max(divisor, startDivisor(dim, 1));
  return divisor;
}

AxisInfo AxisInfo::pessimistic(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  AxisInfo info;
  for (size_t dims = axisExtents(type).size(); dims > 0; --dims)
    append(info, {1, pointer ? bytesOf(pointer.getPointeeType()) : 1, 1});
  return info;
}

AxisInfo AxisInfo::ofConstant(Type type, int64_t number) {
  AxisInfo info;
  for (int64_t extent : axisExtents(type))
    append(info, {1, powerOfTwoIn(number), wholeGroup(extent)});
  info.constant = number;
  info.isNonNegative = bitsOf(number, widthOf(type)).isNonNegative();
  return info;
}

AxisInfo AxisInfo::join(const AxisInfo &left, const AxisInfo &right) {
  if (left.rank() == 0 || right.rank() == 0)
    return left.rank() == 0 ? right : left;
  AxisInfo result;
  for (unsigned dim = 0; dim < left.rank(); ++dim) {
    Dimension x = Dimension::of(left, dim), y = Dimension::of(right, dim);
    int64_t group = std::min(x.contiguity, y.contiguity);
    append(result,
           {group, std::min(x.start(group), y.start(group)), std::min(x.constancy, y.constancy)});
  }
  if (left.constant == right.constant)
    result.constant = left.constant;
  result.isNonNegative = left.isNonNegative && right.isNonNegative;
  return result;
}

AxisInfo axis::meet(const AxisInfo &left, const AxisInfo &right) {
  AxisInfo result;
  for (unsigned dim = 0; dim < left.rank(); ++dim) {
    Dimension x = Dimension::of(left, dim), y = Dimension::of(right, dim);
    // The first elements of large groups are some of those of small ones.
    Dimension both{std::max(x.contiguity, y.contiguity), std::max(x.divisibility, y.divisibility),
                   std::max(x.constancy, y.constancy)};
    append(result, both);
  }
  result.constant = left.constant ? left.constant : right.constant;
  result.isNonNegative = left.isNonNegative || right.isNonNegative;
  return result;
}

bool AxisInfo::operator==(const AxisInfo &other) const {
  return contiguity == other.contiguity && divisibility == other.divisibility &&
         constancy == other.constancy && constant == other.constant &&
         isNonNegative == other.isNonNegative;
}

static void printNumbers(raw_ostream &os, StringRef name, ArrayRef<int64_t> numbers) {
  os << name << " [";
  llvm::interleaveComma(numbers, os);
  os << "]";
}

void AxisInfo::print(raw_ostream &os) const {
  printNumbers(os, "contiguity", contiguity);
  printNumbers(os, ", divisibility", divisibility);
  printNumbers(os, ", constancy", constancy);
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
  for (auto [dim, extent] : llvm::enumerate(axisExtents(type))) {
    info.contiguity[dim] = std::min(info.contiguity[dim], wholeGroup(extent));
    info.constancy[dim] = std::min(info.constancy[dim], wholeGroup(extent));
  }
  int64_t common = info.elementDivisor();
  for (unsigned dim = 0; dim < info.rank(); ++dim)
    if (info.contiguity[dim] == 1)
      info.divisibility[dim] = std::max(info.divisibility[dim], common);
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
    append(info, {1, std::min(first.divisibility[0], step.divisibility[0]), 1});
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

AccessAxis AxisInfoAnalysis::accessOf(Operation *op) {
  auto access = dyn_cast<GlobalAccess>(op);
  if (!access)
    return {};
  Value pointer = access.getPointer(), offsets = access.getOffsets(), mask = access.getMask();
  int64_t base = of(pointer).divisibility[0];
  if (!offsets)
    return {{1}, {base}};
  int64_t bytes = bytesOf(cast<PointerType>(pointer.getType()).getPointeeType());
  const AxisInfo &numbers = of(offsets);
  bool hasMaskBlock = mask && isa<RankedTensorType>(mask.getType());
  AccessAxis result;
  for (unsigned dim = 0; dim < numbers.rank(); ++dim) {
    int64_t group = numbers.contiguity[dim];
    if (hasMaskBlock)
      group = std::min(group, of(mask).constancy[dim]);
    result.contiguity.push_back(group);
    result.alignment.push_back(std::min(base, numbers.startDivisor(dim, group) * bytes));
  }
  return result;
}
