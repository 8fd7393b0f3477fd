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

/// The asserts of a region. A region has no effects, so a truth for each goes through the
/// combination beside the elements: whether the assert has held wherever two tuples were combined.
/// It is asserted of the result.
static SmallVector<triton::AssertOp> assertsOf(Operation *op) {
  return llvm::to_vector(op->getRegion(0).front().getOps<triton::AssertOp>());
}

/// The arguments of a region of two tuples, with a truth behind each tuple for each assert.
static void addArguments(Importer &importer, Block &from, Block &to, size_t asserts) {
  unsigned half = from.getNumArguments() / 2;
  for (auto [index, argument] : llvm::enumerate(from.getArguments())) {
    importer.set(argument, to.addArgument(argument.getType(), argument.getLoc()));
    if (index + 1 == half || index + 1 == 2 * half)
      for (size_t i = 0; i != asserts; ++i)
        to.addArgument(importer.getI1Type(), argument.getLoc());
  }
}

/// Yields whether each assert holds of these tuples and has held of what they are made of.
static void yieldAsserts(Importer &importer, ArrayRef<triton::AssertOp> asserts, Block &region) {
  Operation *end = region.getTerminator();
  importer.setInsertionPoint(end);
  unsigned half = region.getNumArguments() / 2, first = half - asserts.size();
  SmallVector<Value> yielded(end->getOperands());
  for (triton::AssertOp op : asserts) {
    importer.setLoc(op.getLoc());
    Value before = arith::AndIOp::create(importer, region.getArgument(first),
                                         region.getArgument(half + first));
    yielded.push_back(arith::AndIOp::create(importer, before, importer.get(op.getCondition())));
    ++first;
  }
  end->setOperands(yielded);
}

template <typename Return>
static LogicalResult importCombiner(Importer &importer, Operation *op, Region &to) {
  Block &from = op->getRegion(0).front();
  auto end = dyn_cast<Return>(from.back());
  if (!end || from.getNumArguments() % 2 != 0)
    return refuse(op) << "expected a region of two tuples that ends with '"
                      << Return::getOperationName() << "'";
  OpBuilder::InsertionGuard guard(importer);
  SmallVector<triton::AssertOp> asserts = assertsOf(op);
  Block *block = importer.createBlock(&to);
  addArguments(importer, from, *block, asserts.size());
  FailureOr<SmallVector<Value>> captures = capturesOf(from);
  if (failed(captures))
    return failure();
  SmallVector<Value> outside =
      llvm::map_to_vector(*captures, [&](Value value) { return importer.get(value); });
  for (Value value : *captures)
    importer.clone(value.getDefiningOp());
  LogicalResult result = importer.importOps(from);
  if (succeeded(result))
    yieldAsserts(importer, asserts, *block);
  for (auto [value, imported] : llvm::zip_equal(*captures, outside))
    importer.set(value, imported);
  return result;
}

/// What a region makes of two tuples of scalars.
template <typename Op, typename With, typename Return>
static LogicalResult importByRegion(Importer &importer, Op op,
                                    ArrayRef<NamedAttribute> attributes) {
  if (llvm::any_of(op->getOperandTypes(), isPointerBlock))
    return refuse(op) << "pointers are not combined";
  SmallVector<Value> sources =
      llvm::map_to_vector(op.getSrcs(), [&](Value source) { return importer.get(source); });
  SmallVector<Type> types(op->getResultTypes());
  SmallVector<triton::AssertOp> asserts = assertsOf(op);
  Type truth = importer.getI1Type();
  for (size_t i = 0; i != asserts.size(); ++i) {
    auto shape = cast<RankedTensorType>(sources.front().getType()).getShape();
    sources.push_back(SplatOp::create(importer, RankedTensorType::get(shape, truth),
                                      importer.integer(1, truth)));
    auto block = dyn_cast<RankedTensorType>(types.front());
    types.push_back(block ? Type(block.clone(truth)) : truth);
  }
  OperationState state(op.getLoc(), With::getOperationName(), sources, types, attributes);
  Region *region = state.addRegion();
  if (failed(importCombiner<Return>(importer, op, *region)))
    return failure();
  ResultRange results = importer.create(state)->getResults();
  for (auto [source, result] : llvm::zip(op->getResults(), results))
    importer.set(source, result);
  for (auto [assertOp, holds] : llvm::zip_equal(asserts, results.take_back(asserts.size()))) {
    importer.setLoc(assertOp.getLoc());
    AssertOp::create(importer, holds, assertOp.getMessageAttr());
  }
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
  int64_t pack = op.getPack();
  SmallVector<int64_t> shape(cast<RankedTensorType>(op.getResultTypes().front()).getShape());
  if (pack < 1 || !llvm::isPowerOf2_64(pack) || shape.back() % pack != 0)
    return refuse(op) << "expected a power of two that divides " << shape.back()
                      << " elements to be taken at once, got " << pack;
  shape.back() /= pack;
  Block &region = op.getScalarOp().front();
  auto end = dyn_cast<triton::MapElementwiseReturnOp>(region.back());
  size_t elements = op.getSrcs().size() * pack, results = op.getNumResults() * pack;
  if (!end || region.getNumArguments() != elements || end.getNumOperands() != results)
    return refuse(op) << "expected a region of " << elements << " elements that gives " << results;
  FailureOr<SmallVector<Value>> captures = capturesOf(region);
  if (failed(captures))
    return failure();
  SmallVector<Value> outside, sources;
  for (Value value : *captures) {
    outside.push_back(importer.get(value));
    importer.set(value, SplatOp::create(importer, RankedTensorType::get(shape, value.getType()),
                                        outside.back()));
  }
  for (Value source : op.getSrcs())
    llvm::append_range(sources, importer.unpacked(importer.get(source), pack));
  for (auto [argument, source] : llvm::zip_equal(region.getArguments(), sources))
    importer.set(argument, source);
  LogicalResult result = mapBlock(importer, region, shape);
  importer.setLoc(op.getLoc());
  if (succeeded(result))
    for (auto [index, source] : llvm::enumerate(op->getResults())) {
      SmallVector<Value> made =
          llvm::map_to_vector(end->getOperands().slice(index * pack, pack),
                              [&](Value value) { return importer.get(value); });
      importer.set(source, importer.packed(made));
    }
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
