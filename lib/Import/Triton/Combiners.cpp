//===- Combiners.cpp - Reductions, scans and regions of scalars ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;

namespace {
/// A combination that has a name.
struct KnownCombination {
  ReduceKind kind;
  bool propagatesNaN = false;
};
} // namespace

static std::optional<KnownCombination> combinationOf(Operation *op) {
  static const llvm::StringMap<KnownCombination> names = {
      {"arith.addf", {ReduceKind::Sum}},           {"arith.addi", {ReduceKind::Sum}},
      {"arith.mulf", {ReduceKind::Prod}},          {"arith.muli", {ReduceKind::Prod}},
      {"arith.maxsi", {ReduceKind::Max}},          {"arith.minsi", {ReduceKind::Min}},
      {"arith.maxui", {ReduceKind::UMax}},         {"arith.minui", {ReduceKind::UMin}},
      {"arith.maxnumf", {ReduceKind::Max}},        {"arith.minnumf", {ReduceKind::Min}},
      {"arith.maximumf", {ReduceKind::Max, true}}, {"arith.minimumf", {ReduceKind::Min, true}},
      {"arith.andi", {ReduceKind::And}},           {"arith.ori", {ReduceKind::Or}},
      {"arith.xori", {ReduceKind::Xor}},
  };
  auto found = names.find(op->getName().getStringRef());
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

/// The combination that a region of one tensor is, if it is nothing but one with a name.
static std::optional<KnownCombination> combinationOf(Block &region) {
  if (region.getNumArguments() != 2 || !llvm::hasNItems(region, 2))
    return std::nullopt;
  Operation &op = region.front(), &end = region.back();
  if (op.getNumOperands() != 2 || op.getNumResults() != 1 || end.getNumOperands() != 1 ||
      end.getOperand(0) != op.getResult(0))
    return std::nullopt;
  Value left = region.getArgument(0), right = region.getArgument(1);
  Value first = op.getOperand(0), second = op.getOperand(1);
  if (!(first == left && second == right) && !(first == right && second == left))
    return std::nullopt;
  return combinationOf(&op);
}

/// What constants of outside are in the region, which sees nothing else of it.
static FailureOr<SmallVector<Value>> capturesOf(Block &region) {
  llvm::SetVector<Value> captured;
  region.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!region.getParent()->isAncestor(operand.getParentRegion()))
        captured.insert(operand);
  });
  for (Value value : captured)
    if (!matchPattern(value, m_Constant()))
      return refuse(region.getParentOp()) << "its region uses a value of outside";
  return SmallVector<Value>(captured.begin(), captured.end());
}

template <typename Return>
static LogicalResult importCombiner(Importer &importer, Operation *op, Region &to) {
  Block &from = op->getRegion(0).front();
  auto end = dyn_cast<Return>(from.back());
  if (!end)
    return refuse(op) << "expected its region to end with '" << Return::getOperationName() << "'";
  OpBuilder::InsertionGuard guard(importer);
  SmallVector<Location> places = llvm::map_to_vector(
      from.getArguments(), [](BlockArgument argument) { return argument.getLoc(); });
  Block *block = importer.createBlock(&to, {}, from.getArgumentTypes(), places);
  for (auto [source, imported] : llvm::zip_equal(from.getArguments(), block->getArguments()))
    importer.set(source, imported);
  FailureOr<SmallVector<Value>> captures = capturesOf(from);
  if (failed(captures))
    return failure();
  SmallVector<Value> outside =
      llvm::map_to_vector(*captures, [&](Value value) { return importer.get(value); });
  for (Value value : *captures)
    importer.clone(value.getDefiningOp());
  LogicalResult result = importer.importOps(from);
  for (auto [value, imported] : llvm::zip_equal(*captures, outside))
    importer.set(value, imported);
  return result;
}

/// What a region makes of two tuples of scalars.
template <typename Op, typename With, typename Return>
static LogicalResult importByRegion(Importer &importer, Op op,
                                    ArrayRef<NamedAttribute> attributes) {
  SmallVector<Value> sources =
      llvm::map_to_vector(op.getSrcs(), [&](Value source) { return importer.get(source); });
  if (llvm::any_of(op->getOperandTypes(), isPointerBlock))
    return refuse(op) << "pointers are not combined";
  OperationState state(op.getLoc(), With::getOperationName(), sources, op->getResultTypes(),
                       attributes);
  Region *region = state.addRegion();
  if (failed(importCombiner<Return>(importer, op, *region)))
    return failure();
  for (auto [source, result] :
       llvm::zip_equal(op->getResults(), importer.create(state)->getResults()))
    importer.set(source, result);
  return success();
}

static LogicalResult importReduce(Importer &importer, triton::ReduceOp op) {
  std::optional<KnownCombination> known = combinationOf(op.getCombineOp().front());
  if (!known || op.getSrcs().size() != 1 || op->getNumResults() != 1)
    return importByRegion<triton::ReduceOp, ReduceWithOp, triton::ReduceReturnOp>(
        importer, op, importer.getNamedAttr("axis", op.getAxisAttr()));
  importer.set(op->getResult(0), ReduceOp::create(importer, op->getResult(0).getType(), known->kind,
                                                  importer.get(op.getSrcs().front()), op.getAxis(),
                                                  known->propagatesNaN, /*exchangeCount=*/0));
  return success();
}

static LogicalResult importScan(Importer &importer, triton::ScanOp op) {
  std::optional<KnownCombination> known = combinationOf(op.getCombineOp().front());
  if (!known || op.getSrcs().size() != 1 || op->getNumResults() != 1) {
    SmallVector<NamedAttribute> attributes = {importer.getNamedAttr("axis", op.getAxisAttr())};
    if (op.getReverse())
      attributes.push_back(importer.getNamedAttr("reverse", importer.getUnitAttr()));
    return importByRegion<triton::ScanOp, ScanWithOp, triton::ScanReturnOp>(importer, op,
                                                                            attributes);
  }
  importer.set(op->getResult(0),
               ScanOp::create(importer, op->getResult(0).getType(), known->kind,
                              importer.get(op.getSrcs().front()), op.getAxis(), op.getReverse(),
                              known->propagatesNaN, /*exchangeCount=*/0));
  return success();
}

template <typename Return>
static LogicalResult importYield(Importer &importer, Return op) {
  YieldOp::create(importer, llvm::map_to_vector(op.getResult(),
                                                [&](Value value) { return importer.get(value); }));
  return success();
}

//===----------------------------------------------------------------------===//
// Regions for each element
//===----------------------------------------------------------------------===//

static LogicalResult mapBlock(Importer &importer, Block &block, ArrayRef<int64_t> shape);

/// Both regions are computed for all elements: nothing in them can do harm.
static LogicalResult mapChoice(Importer &importer, scf::IfOp op, ArrayRef<int64_t> shape) {
  if (failed(mapBlock(importer, *op.thenBlock(), shape)) ||
      (op.elseBlock() && failed(mapBlock(importer, *op.elseBlock(), shape))))
    return failure();
  for (auto [index, result] : llvm::enumerate(op.getResults()))
    importer.set(result, arith::SelectOp::create(importer, importer.get(op.getCondition()),
                                                 importer.get(op.thenYield().getOperand(index)),
                                                 importer.get(op.elseYield().getOperand(index))));
  return success();
}

/// The ops of a block on blocks of elements.
static LogicalResult mapBlock(Importer &importer, Block &block, ArrayRef<int64_t> shape) {
  for (Operation &op : block.without_terminator()) {
    importer.setLoc(op.getLoc());
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      if (failed(mapChoice(importer, choice, shape)))
        return failure();
      continue;
    }
    bool isArithmetic =
        isa_and_present<arith::ArithDialect, math::MathDialect, ub::UBDialect>(op.getDialect());
    if (!isArithmetic || op.getNumResults() != 1)
      return refuse(&op) << "expected arithmetic in a region of scalars";
    Value result = op.getResult(0);
    if (matchPattern(&op, m_Constant())) {
      Value scalar = importer.clone(&op)->getResult(0);
      importer.set(result, SplatOp::create(importer, RankedTensorType::get(shape, scalar.getType()),
                                           scalar));
    } else {
      Value mapped = importer.clone(&op)->getResult(0);
      mapped.setType(RankedTensorType::get(shape, mapped.getType()));
    }
  }
  return success();
}

static LogicalResult importMap(Importer &importer, triton::MapElementwiseOp op) {
  if (op.getPack() != 1)
    return refuse(op) << "expected 1 element of each tensor at once, got " << op.getPack();
  Block &region = op.getScalarOp().front();
  auto end = dyn_cast<triton::MapElementwiseReturnOp>(region.back());
  size_t elements = op.getSrcs().size(), results = op.getNumResults();
  if (!end || region.getNumArguments() != elements || end.getNumOperands() != results)
    return refuse(op) << "expected a region of " << elements << " elements that gives " << results;
  FailureOr<SmallVector<Value>> captures = capturesOf(region);
  if (failed(captures))
    return failure();
  auto shape = cast<RankedTensorType>(op.getResultTypes().front()).getShape();
  SmallVector<Value> outside;
  for (Value value : *captures) {
    outside.push_back(importer.get(value));
    importer.set(value, SplatOp::create(importer, RankedTensorType::get(shape, value.getType()),
                                        outside.back()));
  }
  for (auto [argument, source] : llvm::zip_equal(region.getArguments(), op.getSrcs()))
    importer.set(argument, importer.get(source));
  LogicalResult result = mapBlock(importer, region, shape);
  if (succeeded(result))
    for (auto [source, mapped] : llvm::zip_equal(op->getResults(), end.getOperands()))
      importer.set(source, importer.get(mapped));
  for (auto [value, imported] : llvm::zip_equal(*captures, outside))
    importer.set(value, imported);
  return result;
}

void fsm::addCombinerRewrites(RewriteTable &table) {
  table.on(importReduce);
  table.on(importScan);
  table.on(importYield<triton::ReduceReturnOp>);
  table.on(importYield<triton::ScanReturnOp>);
  table.on(importMap);
}
