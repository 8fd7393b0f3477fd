//===- Structure.cpp - Functions and control flow -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/CFGToSCF.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Branches to scf
//===----------------------------------------------------------------------===//

namespace {
/// Upstream's, for functions of Triton.
struct ToStructured : ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &, Region &) override {
    return emitError(loc, "expected a loop that ends");
  }
};
} // namespace

static LogicalResult structureBranches(Operation *op, Region &region) {
  if (llvm::hasNItemsOrLess(region, 1))
    return success();
  ToStructured interface;
  DominanceInfo dominance(op);
  if (failed(transformCFGToSCF(region, interface, dominance)))
    return failure();
  if (!llvm::hasSingleElement(region))
    return op->emitError("expected branches that end where the function does");
  return success();
}

LogicalResult fsm::structureBranches(triton::FuncOp function) {
  WalkResult maps = function.walk([](triton::MapElementwiseOp op) {
    return WalkResult(::structureBranches(op, op.getScalarOp()));
  });
  if (maps.wasInterrupted())
    return failure();
  return ::structureBranches(function, function.getBody());
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

static SmallVector<Location> placesOf(Importer &importer, TypeRange types) {
  return SmallVector<Location>(types.size(), importer.getLoc());
}

/// How many stages a loop is to have, which only loops are asked for that hold a product.
static std::optional<int64_t> stagesOf(Importer &importer, scf::ForOp op) {
  if (auto asked = op->getAttrOfType<IntegerAttr>("tt.num_stages"))
    return asked.getInt();
  bool hasDot = op.getBody()
                    ->walk([](Operation *inner) {
                      return isa<triton::DotOp, triton::DotScaledOp>(inner)
                                 ? WalkResult::interrupt()
                                 : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (hasDot && importer.options.numStages > 0)
    return importer.options.numStages;
  return std::nullopt;
}

static LogicalResult importFor(Importer &importer, scf::ForOp op) {
  if (op.getUnsignedCmp())
    return refuse(op) << "expected a loop over signed numbers";
  SmallVector<Value> inits = importer.joinedValues(op.getInitArgs(), op.getRegionIterArgs());
  auto loop = scf::ForOp::create(importer, importer.get(op.getLowerBound()),
                                 importer.get(op.getUpperBound()), importer.get(op.getStep()),
                                 inits, [](OpBuilder &, Location, Value, ValueRange) {});
  if (std::optional<int64_t> stages = stagesOf(importer, op); stages && *stages >= 1)
    loop->setAttr(kNumStagesAttr,
                  importer.getI32IntegerAttr(std::min<int64_t>(*stages, kMaxSlots)));
  {
    OpBuilder::InsertionGuard guard(importer);
    importer.setInsertionPointToEnd(loop.getBody());
    importer.set(op.getInductionVar(), loop.getInductionVar());
    importer.setJoined(op.getRegionIterArgs(), loop.getRegionIterArgs());
    // The first argument is the counter.
    for (BlockArgument argument : op.getBody()->getArguments())
      importer.importHints(op, argument, "_arg" + Twine(argument.getArgNumber()));
    if (failed(importer.importOps(*op.getBody())))
      return failure();
  }
  importer.setJoined(op.getResults(), loop.getResults());
  return success();
}

static LogicalResult importIf(Importer &importer, scf::IfOp op) {
  auto branch = scf::IfOp::create(importer, importer.joinedTypes(op.getResults()),
                                  importer.get(op.getCondition()), /*addThenBlock=*/true,
                                  /*addElseBlock=*/!op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(importer);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    importer.setInsertionPointToEnd(&to.front());
    if (failed(importer.importOps(from.front())))
      return failure();
  }
  importer.setJoined(op.getResults(), branch.getResults());
  return success();
}

/// Which region runs is asked for one number after the other.
static LogicalResult importCases(Importer &importer, scf::IndexSwitchOp op, unsigned index,
                                 ArrayRef<Type> types, SmallVectorImpl<Value> &results) {
  if (index == op.getNumCases()) {
    Block &block = op.getDefaultBlock();
    if (failed(importer.importOps(block)))
      return failure();
    return success();
  }
  importer.setLoc(op.getLoc());
  Value flag = importer.get(op.getArg());
  Value number = importer.integer(op.getCases()[index], flag.getType());
  Value chosen = arith::CmpIOp::create(importer, arith::CmpIPredicate::eq, flag, number);
  auto branch = scf::IfOp::create(importer, types, chosen, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(importer);
  importer.setInsertionPointToEnd(branch.thenBlock());
  if (failed(importer.importOps(op.getCaseBlock(index))))
    return failure();
  importer.setInsertionPointToEnd(branch.elseBlock());
  SmallVector<Value> others;
  if (failed(importCases(importer, op, index + 1, types, others)))
    return failure();
  // The last region yields itself.
  if (index + 1 < op.getNumCases())
    scf::YieldOp::create(importer, others);
  results.assign(branch.getResults().begin(), branch.getResults().end());
  return success();
}

static LogicalResult importSwitch(Importer &importer, scf::IndexSwitchOp op) {
  SmallVector<Value> results;
  if (op.getNumCases() == 0)
    return refuse(op) << "expected a choice";
  if (failed(importCases(importer, op, 0, importer.joinedTypes(op.getResults()), results)))
    return failure();
  importer.setJoined(op.getResults(), results);
  return success();
}

/// The number of a choice keeps its type.
static LogicalResult importIndexCast(Importer &importer, arith::IndexCastUIOp op) {
  importer.set(op, importer.get(op.getIn()));
  return success();
}

static LogicalResult importWhile(Importer &importer, scf::WhileOp op) {
  SmallVector<Value> inits = importer.joinedValues(op.getInits(), op.getBeforeArguments());
  SmallVector<Type> types = importer.joinedTypes(op.getResults());
  auto loop = scf::WhileOp::create(importer, types, inits);
  OpBuilder::InsertionGuard guard(importer);
  auto importRegion = [&](Block &from, Region &to, TypeRange arguments) {
    importer.setLoc(op.getLoc());
    Block *block = importer.createBlock(&to, {}, arguments, placesOf(importer, arguments));
    importer.setJoined(from.getArguments(), block->getArguments());
    return importer.importOps(from);
  };
  if (failed(importRegion(*op.getBeforeBody(), loop.getBefore(), ValueRange(inits).getTypes())) ||
      failed(importRegion(*op.getAfterBody(), loop.getAfter(), types)))
    return failure();
  importer.setJoined(op.getResults(), loop.getResults());
  return success();
}

static LogicalResult importYield(Importer &importer, scf::YieldOp op) {
  Operation *parent = op->getParentOp();
  ValueRange joined = parent->getResults();
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    joined = loop.getBeforeArguments();
  scf::YieldOp::create(importer, importer.joinedValues(op.getOperands(), joined));
  return success();
}

static LogicalResult importCondition(Importer &importer, scf::ConditionOp op) {
  Value condition = importer.get(op.getCondition());
  scf::ConditionOp::create(importer, condition,
                           importer.joinedValues(op.getArgs(), op->getParentOp()->getResults()));
  return success();
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// The enumerations have the same numbers.
static GridAxis axisOf(triton::Axis axis) { return static_cast<GridAxis>(axis); }

static LogicalResult importProgramId(Importer &importer, triton::GetProgramIdOp op) {
  importer.set(op, ProgramIdOp::create(importer, op.getType(), axisOf(op.getAxis())));
  return success();
}

static LogicalResult importNumPrograms(Importer &importer, triton::GetNumProgramsOp op) {
  importer.set(op, NumProgramsOp::create(importer, op.getType(), axisOf(op.getAxis())));
  return success();
}

static LogicalResult importAssert(Importer &importer, triton::AssertOp op) {
  // What combines says it behind.
  if (isa<triton::ReduceOp, triton::ScanOp>(op->getParentOp()))
    return success();
  AssertOp::create(importer, importer.get(op.getCondition()), op.getMessageAttr());
  return success();
}

static LogicalResult importAssume(Importer &importer, LLVM::AssumeOp op) {
  AssumeOp::create(importer, importer.get(op.getCond()));
  return success();
}

static LogicalResult importBarrier(Importer &importer, gpu::BarrierOp op) {
  BarrierOp::create(importer);
  return success();
}

/// An unsigned number as a signed one that is wide enough.
static Value widened(Importer &importer, Value value) {
  Type type = value.getType(), wide = importer.getI64Type();
  if (auto block = dyn_cast<RankedTensorType>(type))
    wide = block.clone(wide);
  return arith::ExtUIOp::create(importer, wide, value);
}

static LogicalResult importPrint(Importer &importer, triton::PrintOp op) {
  ArrayRef<int32_t> areSigned = op.getIsSigned();
  if (op.getArgs().empty())
    PrintOp::create(importer, op.getPrefixAttr(), op.getHex(), ValueRange());
  for (auto [index, argument] : llvm::enumerate(op.getArgs())) {
    Value value = importer.get(argument);
    Type element = getElementTypeOrSelf(value.getType());
    bool isUnsigned = element.isInteger() && !element.isInteger(1) &&
                      !triton::isPointers(argument.getType()) && index < areSigned.size() &&
                      !areSigned[index] && !op.getHex();
    if (isUnsigned && element.getIntOrFloatBitWidth() > 32)
      return refuse(op) << "integers are printed as signed numbers, which not all of "
                        << argument.getType() << " are";
    PrintOp::create(importer, op.getPrefixAttr(), op.getHex(),
                    ValueRange{isUnsigned ? widened(importer, value) : value});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static LogicalResult importCall(Importer &importer, triton::CallOp op) {
  SmallVector<Value> operands =
      llvm::map_to_vector(op.getOperands(), [&](Value operand) { return importer.get(operand); });
  SmallVector<Type> types =
      llvm::map_to_vector(op->getResultTypes(), [&](Type type) { return importer.typeOf(type); });
  auto call = func::CallOp::create(importer, op.getCalleeAttr(), types, operands);
  importer.setJoined(op->getResults(), call.getResults());
  return success();
}

static LogicalResult importReturn(Importer &importer, triton::ReturnOp op) {
  if (isa<KernelOp>(importer.getInsertionBlock()->getParentOp())) {
    fsm::ReturnOp::create(importer);
    return success();
  }
  func::ReturnOp::create(importer, llvm::map_to_vector(op.getSrcs(), [&](Value value) {
                           return importer.get(value);
                         }));
  return success();
}

/// What the source promises of a kernel's arguments.
static ArrayAttr promisesOf(Importer &importer, triton::FuncOp function) {
  SmallVector<Attribute> all;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    NamedAttrList promises;
    auto divisor = function.getArgAttrOfType<IntegerAttr>(index, "tt.divisibility");
    bool isPointer = isa<triton::PointerType>(type);
    if (divisor && divisor.getInt() > 1 && (isPointer || type.isInteger(32) || type.isInteger(64)))
      promises.set(isPointer ? kAlignAttr : kDivisibleAttr,
                   importer.getI32IntegerAttr(static_cast<int32_t>(divisor.getInt())));
    all.push_back(promises.getDictionary(importer.getContext()));
  }
  return importer.getArrayAttr(all);
}

static IntegerAttr numberOrNone(Importer &importer, unsigned number) {
  return number ? importer.getI32IntegerAttr(static_cast<int32_t>(number)) : IntegerAttr();
}

/// The kernel or helper that a function becomes, with an empty body.
static FunctionOpInterface declare(Importer &importer, triton::FuncOp function) {
  SmallVector<Type> results = llvm::map_to_vector(function.getResultTypes(),
                                                  [&](Type type) { return importer.typeOf(type); });
  SmallVector<Type> arguments = llvm::map_to_vector(
      function.getArgumentTypes(), [&](Type type) { return importer.typeOf(type); });
  FunctionType type = importer.getFunctionType(arguments, results);
  if (!function.isPublic()) {
    auto helper = func::FuncOp::create(importer, function.getSymName(), type);
    helper.setPrivate();
    return cast<FunctionOpInterface>(helper.getOperation());
  }
  const ImportTritonPassOptions &options = importer.options;
  auto kernel = KernelOp::create(
      importer, function.getSymNameAttr(), TypeAttr::get(type), promisesOf(importer, function),
      /*res_attrs=*/ArrayAttr(), numberOrNone(importer, options.numWarps),
      /*num_ctas=*/IntegerAttr(), numberOrNone(importer, options.maxRegisters),
      /*grid=*/ArrayAttr());
  // Triton orders no accesses of a program's threads; those through one argument FSM does.
  kernel->setAttr(kUnorderedArgumentsAttr, importer.getUnitAttr());
  return cast<FunctionOpInterface>(kernel.getOperation());
}

LogicalResult fsm::importFunction(triton::FuncOp function, const PointerForms &forms,
                                  const ImportTritonPassOptions &options) {
  if (function.isExternal())
    return refuse(function) << "expected a body";
  Importer importer(ImplicitLocOpBuilder(function.getLoc(), function.getOperation()), forms,
                    options);
  FunctionOpInterface imported = declare(importer, function);
  SmallVector<Location> places = llvm::map_to_vector(
      function.getArguments(), [](BlockArgument argument) { return argument.getLoc(); });
  Block *body =
      importer.createBlock(&imported.getFunctionBody(), {}, imported.getArgumentTypes(), places);
  importer.setJoined(function.getArguments(), body->getArguments());
  return importer.importOps(function.getBody().front());
}

void fsm::addStructureRewrites(RewriteTable &table) {
  table.on(importFor);
  table.on(importIf);
  table.on(importSwitch);
  table.on(importIndexCast);
  table.on(importWhile);
  table.on(importYield);
  table.on(importCondition);
  table.on(importProgramId);
  table.on(importNumPrograms);
  table.on(importAssert);
  table.on(importAssume);
  table.on(importBarrier);
  table.on(importPrint);
  table.on(importCall);
  table.on(importReturn);
}
