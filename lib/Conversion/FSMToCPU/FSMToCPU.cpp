//===- FSMToCPU.cpp - Kernels to host functions --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel becomes an LLVM function of the type HostKernelFunction. Scalar ops and
// control flow are rewritten where they stand; block ops disappear into the loops
// the plan has chosen (LoopNests), which ask for elements chunk by chunk
// (HostBlocks). Carried blocks live in the program's scratch memory.
//
//===----------------------------------------------------------------------===//

#include "fsm/Conversion/Passes.h"

#include "../Registers/MathFormulas.h"
#include "LoopNests.h"

#include "fsm/IR/DebugTable.h"
#include "fsm/IR/HiddenArguments.h"
#include "fsm/IR/Origins.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace fsm {
#define GEN_PASS_DEF_CONVERTFSMTOCPUPASS
#include "fsm/Conversion/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

static bool isBlock(Type type) { return isa<RankedTensorType>(type); }
static bool isScalar(Value value) { return !isBlock(value.getType()); }

namespace {
/// Rewrites one kernel.
class KernelLowering {
public:
  KernelLowering(KernelOp kernel, int64_t lanes)
      : kernel(kernel), builder(kernel.getContext()), blocks(builder, scalars),
        loops(builder, scalars, blocks, lanes) {}

  LogicalResult run();

private:
  LogicalResult readPlan();
  LogicalResult lowerBody(Block &body);
  LogicalResult lowerOp(Operation *op);
  LogicalResult setResult(Operation *op, Value result);
  LogicalResult lower(arith::ConstantOp op) {
    return setResult(op, constantOf(builder, op.getLoc(), op.getValue(), 0));
  }
  LogicalResult lower(ub::PoisonOp op) {
    return setResult(op, zero(builder, op.getLoc(), registerType(op.getType(), 0)));
  }
  LogicalResult lower(ProgramIdOp op) {
    return setResult(op, idAt(static_cast<int64_t>(op.getAxis())));
  }
  LogicalResult lower(NumProgramsOp op) {
    return setResult(op, idAt(3 + static_cast<int64_t>(op.getAxis())));
  }
  LogicalResult lower(OffsetOp op) { return setResult(op, moved(op, scalars)); }
  LogicalResult lower(PtrToIntOp op) {
    return setResult(op, LLVM::PtrToIntOp::create(builder, op.getLoc(), builder.getI64Type(),
                                                  scalars.lookup(op.getPointer())));
  }
  LogicalResult lower(IntToPtrOp op) {
    // LLVM takes what is counted from null for no object of anybody's, so it must not know the
    // number: a register that an instruction of no text may have changed.
    Value address = scalars.lookup(op.getAddress());
    if (matchPattern(address, m_Constant()))
      address = LLVM::InlineAsmOp::create(builder, op.getLoc(), TypeRange(builder.getI64Type()),
                                          address, "", "=r,0", /*has_side_effects=*/false,
                                          /*is_align_stack=*/false,
                                          LLVM::tailcallkind::TailCallKind::None,
                                          /*asm_dialect=*/LLVM::AsmDialectAttr(),
                                          /*operand_attrs=*/ArrayAttr())
                    .getResult(0);
    return setResult(
        op, LLVM::IntToPtrOp::create(builder, op.getLoc(), registerType(op.getType(), 0), address));
  }
  LogicalResult lower(LoadOp op) { return setResult(op, blocks.loadScalar(op)); }
  LogicalResult lower(StoreOp op) {
    blocks.store(op, Chunk());
    return success();
  }
  LogicalResult lower(AtomicAccess op) { return setResult(op, updateScalar(builder, op, scalars)); }
  LogicalResult lower(PrintOp op) { return lowerDebug(op); }
  LogicalResult lower(AssertOp op) { return lowerDebug(op); }
  LogicalResult lowerDebug(Operation *op);
  // A program runs in order.
  LogicalResult lower(AssumeOp) { return success(); }
  LogicalResult lower(BarrierOp) { return success(); }
  LogicalResult lowerElementwise(Operation *op);

  /// What lowers each op that is not computed in the loops of its users, by the op's name. Failure
  /// is after an error at the op, or for one without a lowering.
  using HandlerTable = llvm::StringMap<LogicalResult (*)(KernelLowering &, Operation *)>;
  template <typename... Ops>
  static HandlerTable handlersOf() {
    HandlerTable table;
    ((table[Ops::getOperationName()] = [](KernelLowering &lowering,
                                          Operation *op) { return lowering.lower(cast<Ops>(op)); }),
     ...);
    return table;
  }

  LogicalResult emitLoop(int64_t loop, ArrayRef<Operation *> roots);
  Value laterIteration(Value value, scf::ForOp loop, Value distance, unsigned depth = 0);
  Value moved(OffsetOp op, const IRMapping &operands);
  LogicalResult lower(scf::ForOp op);
  Value tripCount(scf::ForOp op);
  Value inductionValue(scf::ForOp op, Value counter);
  LogicalResult lower(scf::IfOp op);
  LogicalResult lower(scf::WhileOp op);
  LogicalResult placeBuffers(Operation *op, ValueRange values, size_t first = 0);
  SmallVector<Value> scalarsOf(ValueRange values);
  void copyBlocks(ValueRange from, ValueRange to);
  void createFunction();
  Value idAt(int64_t place);

  KernelOp kernel;
  OpBuilder builder;
  IRMapping scalars;
  HostBlocks blocks;
  LoopNests loops;
  LLVM::LLVMFuncOp function;
  /// The roots of each loop of the plan, in program order.
  llvm::MapVector<int64_t, SmallVector<Operation *>> planned;
  /// The loads that each fetches ahead, and by how many iterations.
  llvm::DenseMap<int64_t, SmallVector<std::pair<LoadOp, int64_t>>> prefetched;
  /// The stores of which pages are touched in front of each.
  llvm::DenseMap<int64_t, SmallVector<StoreOp>> touched;
};
} // namespace

LogicalResult KernelLowering::run() {
  auto scratch = kernel->getAttrOfType<IntegerAttr>(kHostScratchAttr);
  if (!scratch)
    return missingInPlan(kernel, "scratch memory");
  if (failed(readPlan()))
    return failure();
  createFunction();
  if (failed(lowerBody(kernel.getBody().front())) || failed(blocks.status()))
    return failure();
  LLVM::ReturnOp::create(builder, kernel.getLoc(), ValueRange());
  function->setAttr(kHostScratchAttr, scratch);
  if (Attribute debugOps = kernel->getAttr(kDebugOpsAttr)) {
    function->setAttr(kDebugOpsAttr, debugOps);
    setHiddenArguments(function, HiddenArgument::DebugRecords);
  }
  kernel.erase();
  return success();
}

/// Collects the loops of the plan. All roots of one stand in one block, and what
/// they reduce to is used behind the last of them.
LogicalResult KernelLowering::readPlan() {
  kernel.walk([&](Operation *op) {
    if (auto loop = op->getAttrOfType<IntegerAttr>(kHostLoopAttr))
      planned[loop.getInt()].push_back(op);
    auto ahead = op->getAttrOfType<DenseI64ArrayAttr>(kHostPrefetchAttr);
    if (auto load = dyn_cast<LoadOp>(op); load && ahead)
      prefetched[ahead[0]].push_back({load, ahead[1]});
    auto touching = op->getAttrOfType<IntegerAttr>(kHostTouchPagesAttr);
    if (auto store = dyn_cast<StoreOp>(op); store && touching)
      touched[touching.getInt()].push_back(store);
  });
  constexpr llvm::StringLiteral lastRoot = "the last root of the loop is here";
  for (auto &[loop, roots] : planned) {
    Block *block = roots.back()->getBlock();
    for (Operation *root : roots) {
      if (root->getBlock() != block)
        return failBeside(root->emitError() << "expected the roots of loop " << loop
                                            << " of the plan to stand in one block",
                          roots.back(), lastRoot);
      for (Operation *user : root->getUsers()) {
        Operation *above = block->findAncestorOpInBlock(*user);
        bool inLoop = above && above->hasAttr(kHostLoopAttr) && llvm::is_contained(roots, above);
        bool isEarly = !above || above->isBeforeInBlock(roots.back());
        if (isEarly && !inLoop && llvm::none_of(user->getResultTypes(), isBlock))
          return failBeside(user->emitError() << "uses a result of loop " << loop
                                              << " of the plan before the loop has run",
                            roots.back(), lastRoot);
      }
    }
  }
  return success();
}

/// `void name(arguments, ids, scratch)`: reads the arguments' values.
void KernelLowering::createFunction() {
  Location loc = kernel.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto none = LLVM::LLVMVoidType::get(builder.getContext());
  builder.setInsertionPoint(kernel);
  auto type = LLVM::LLVMFunctionType::get(none, {pointer, pointer, pointer});
  function = LLVM::LLVMFuncOp::create(builder, loc, kernel.getName(), type);
  for (unsigned argument : {0, 1, 2})
    function.setArgAttr(argument, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    Value place =
        advance(builder, loc, entry->getArgument(0), blocks.i64(argument.getArgNumber()), pointer);
    Value address = LLVM::LoadOp::create(builder, loc, pointer, place, 8);
    Type element = argument.getType();
    Value value =
        LLVM::LoadOp::create(builder, loc, memoryType(element), address, elementBytes(element));
    scalars.map(argument, fromMemory(builder, loc, value, element));
  }
}

Value KernelLowering::idAt(int64_t place) {
  Location loc = kernel.getLoc();
  Type i32 = builder.getI32Type();
  Value address = advance(builder, loc, function.getArgument(1), blocks.i64(place), i32);
  return LLVM::LoadOp::create(builder, loc, i32, address, 4);
}

LogicalResult KernelLowering::lowerBody(Block &body) {
  for (Operation &op : body.without_terminator())
    if (failed(lowerOp(&op)))
      return failure();
  return success();
}

LogicalResult KernelLowering::lowerOp(Operation *op) {
  auto root = dyn_cast<HostRoot>(op);
  if (root || op->getNumRegions() != 0 || op->hasAttr(kHostBufferAttr))
    if (failed(placeBuffers(op, op->getResults())))
      return failure();
  bool isControlFlow = !root && op->getNumRegions() != 0;
  if (!isControlFlow && !isDebugOp(op)) {
    if (auto loop = op->getAttrOfType<IntegerAttr>(kHostLoopAttr)) {
      ArrayRef<Operation *> roots = planned[loop.getInt()];
      return roots.back() == op ? emitLoop(loop.getInt(), roots) : success();
    }
    if (root && root.needsLoop())
      return missingInPlan(op, "a loop");
    if (llvm::any_of(op->getResultTypes(), isBlock))
      return success(); // Computed in the loops of its users.
  }
  static const HandlerTable handlers =
      handlersOf<arith::ConstantOp, ub::PoisonOp, scf::ForOp, scf::IfOp, scf::WhileOp, ProgramIdOp,
                 NumProgramsOp, OffsetOp, PtrToIntOp, IntToPtrOp, LoadOp, StoreOp, AtomicRMWOp,
                 AtomicCASOp, PrintOp, AssertOp, AssumeOp, BarrierOp>();
  auto handler = handlers.find(op->getName().getStringRef());
  return handler == handlers.end() ? lowerElementwise(op) : handler->second(*this, op);
}

/// Emits a loop of the plan, with the prefetches it is to issue and those in front of it.
LogicalResult KernelLowering::emitLoop(int64_t loop, ArrayRef<Operation *> roots) {
  for (StoreOp store : touched[loop])
    if (failed(loops.touchPages(store)))
      return failure();
  for (auto [load, iterations] : prefetched[loop]) {
    auto around = dyn_cast<scf::ForOp>(load->getParentOp());
    if (!around || load->getBlock() != roots.front()->getBlock())
      continue;
    Value step = scalars.lookup(around.getStep());
    Value ahead = constantInt(builder, load.getLoc(), step.getType(), iterations);
    Value distance = arith::MulIOp::create(builder, load.getLoc(), step, ahead);
    if (Value pointer = laterIteration(load.getPointer(), around, distance))
      blocks.setPrefetch(load, pointer);
  }
  LogicalResult emitted = loops.emit(roots);
  blocks.clearPrefetches();
  return emitted;
}

/// The value a scalar has when the loop's induction variable is larger by `distance`
/// and it is computed from that by address arithmetic; null otherwise.
Value KernelLowering::laterIteration(Value value, scf::ForOp loop, Value distance, unsigned depth) {
  if (value == loop.getInductionVar())
    return arith::AddIOp::create(builder, value.getLoc(), scalars.lookup(value), distance);
  if (loop.isDefinedOutsideOfLoop(value))
    return scalars.lookup(value);
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<OffsetOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp>(op) ||
      !isScalar(value) || depth == 8)
    return {};
  IRMapping next;
  for (Value operand : op->getOperands()) {
    Value moved = laterIteration(operand, loop, distance, depth + 1);
    if (!moved)
      return {};
    next.map(operand, moved);
  }
  if (auto offset = dyn_cast<OffsetOp>(op))
    return moved(offset, next);
  auto operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) { return next.lookup(operand); });
  return elementwise(builder, op, operands);
}

/// The address an offset op gives for these operands.
Value KernelLowering::moved(OffsetOp op, const IRMapping &operands) {
  Value index = operands.lookup(op.getOffset());
  if (index.getType().isInteger(32))
    index = arith::ExtSIOp::create(builder, op.getLoc(), builder.getI64Type(), index);
  return advance(builder, op.getLoc(), operands.lookup(op.getPointer()), index,
                 memoryType(op.getPointer().getType().getPointeeType()));
}

/// Says what an op's one result has become; null is an error.
LogicalResult KernelLowering::setResult(Operation *op, Value result) {
  if (!result)
    return op->emitError() << "'" << op->getName() << "' has no lowering to the host";
  scalars.map(op->getResult(0), result);
  return success();
}

/// What no table has computes a scalar of scalars, or is refused.
LogicalResult KernelLowering::lowerElementwise(Operation *op) {
  SmallVector<Value> operands = scalarsOf(op->getOperands());
  bool isKnown =
      operands.size() == op->getNumOperands() && !operands.empty() && op->getNumResults() == 1;
  return setResult(op, isKnown ? elementwise(builder, op, operands) : Value());
}

/// The address of the records is the only hidden argument, behind those of the arguments' values.
LogicalResult KernelLowering::lowerDebug(Operation *op) {
  std::optional<unsigned> number = debugNumberOf(op);
  if (!number)
    return failure();
  Location loc = op->getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value place =
      advance(builder, loc, function.getArgument(0), blocks.i64(kernel.getNumArguments()), pointer);
  Value value = LLVM::LoadOp::create(builder, loc, pointer, place, 8);
  Value buffer = LLVM::LoadOp::create(builder, loc, pointer, value, 8);
  std::array<Value, 3> ids, counts;
  for (int64_t axis = 0; axis < 3; ++axis) {
    ids[axis] = idAt(axis);
    counts[axis] = idAt(3 + axis);
  }
  DebugRecords records(builder, loc, buffer, *number, ids, counts, /*scope=*/"");
  emitRecords(builder, scalars, blocks, op, records);
  return blocks.status();
}

//===----------------------------------------------------------------------===//
// Blocks that live in buffers
//===----------------------------------------------------------------------===//

/// Gives the blocks among `values` the addresses the plan has reserved for `op`,
/// starting at entry `first` of its list.
LogicalResult KernelLowering::placeBuffers(Operation *op, ValueRange values, size_t first) {
  if (llvm::none_of(values.getTypes(), isBlock))
    return success();
  auto places = op->getAttrOfType<DenseI64ArrayAttr>(kHostBufferAttr);
  if (!places || static_cast<size_t>(places.size()) < first + values.size())
    return missingInPlan(op, "buffers");
  for (auto [i, value] : llvm::enumerate(values)) {
    if (isScalar(value))
      continue;
    Value address = advance(builder, op->getLoc(), function.getArgument(2),
                            blocks.i64(places[first + i]), builder.getI8Type());
    blocks.setBuffer(value, address);
  }
  return success();
}

static auto scalarsAmong(ValueRange values) { return llvm::make_filter_range(values, isScalar); }

SmallVector<Value> KernelLowering::scalarsOf(ValueRange values) {
  return llvm::map_to_vector(scalarsAmong(values),
                             [&](Value value) { return scalars.lookup(value); });
}

static SmallVector<Type> typesOf(ValueRange values) {
  return llvm::map_to_vector(scalarsAmong(values),
                             [](Value value) { return registerType(value.getType(), 0); });
}

/// Writes the blocks among `from` into the buffers of those among `to`.
void KernelLowering::copyBlocks(ValueRange from, ValueRange to) {
  SmallVector<std::pair<Value, Value>> pairs;
  for (auto [source, target] : llvm::zip(from, to))
    if (!isScalar(source))
      pairs.push_back({source, blocks.bufferOf(target)});
  loops.copy(pairs);
}

static void mapScalars(IRMapping &scalars, ValueRange from, ValueRange to) {
  for (auto [value, mapped] : llvm::zip_equal(scalarsAmong(from), to))
    scalars.map(value, mapped);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// How often the loop runs, as an unsigned i64: a counter cannot wrap, where the
/// induction variable may when its bound is near the end of its type. A step below
/// 1 runs no iteration.
Value KernelLowering::tripCount(scf::ForOp op) {
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type();
  bool isUnsigned = op.getUnsignedCmp();
  Value lower = scalars.lookup(op.getLowerBound()), upper = scalars.lookup(op.getUpperBound());
  Value step = scalars.lookup(op.getStep());
  auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Formula f(builder, loc, step.getType());
  Value runs = f.both(f.compare(less, lower, upper), f.compare(less, f.integer(0), step));
  // The distance of two numbers of a type fits its unsigned numbers.
  Value last = f.sub(f.sub(upper, lower), f.integer(1));
  Value divisor = f.select(runs, step, f.integer(1));
  Value count = arith::DivUIOp::create(builder, loc, last, divisor);
  if (count.getType() != i64)
    count = arith::ExtUIOp::create(builder, loc, i64, count);
  return f.select(runs, f.add(count, blocks.i64(1)), blocks.i64(0));
}

/// The induction variable in iteration `counter`.
Value KernelLowering::inductionValue(scf::ForOp op, Value counter) {
  Location loc = op.getLoc();
  Value step = scalars.lookup(op.getStep());
  if (counter.getType() != step.getType())
    counter = arith::TruncIOp::create(builder, loc, step.getType(), counter);
  Formula f(builder, loc, step.getType());
  return f.add(scalars.lookup(op.getLowerBound()), f.mul(counter, step));
}

LogicalResult KernelLowering::lower(scf::ForOp op) {
  Location loc = op.getLoc();
  copyBlocks(op.getInitArgs(), op.getResults());
  for (auto [argument, result] : llvm::zip(op.getRegionIterArgs(), op.getResults()))
    if (!isScalar(result))
      blocks.setBuffer(argument, blocks.bufferOf(result));
  Value count = tripCount(op);
  auto loop = scf::ForOp::create(builder, loc, blocks.i64(0), count, blocks.i64(1),
                                 scalarsOf(op.getInitArgs()), nullptr, /*unsignedCmp=*/true);
  mapScalars(scalars, op.getRegionIterArgs(), loop.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    scalars.map(op.getInductionVar(), inductionValue(op, loop.getInductionVar()));
    auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
    if (failed(lowerBody(*op.getBody())))
      return failure();
    copyBlocks(yield.getOperands(), op.getResults());
    SmallVector<Value> yielded = scalarsOf(yield.getOperands());
    if (!yielded.empty() || !loop.getRegionIterArgs().empty())
      scf::YieldOp::create(builder, loc, yielded);
  }
  mapScalars(scalars, op.getResults(), loop.getResults());
  return success();
}

LogicalResult KernelLowering::lower(scf::IfOp op) {
  Location loc = op.getLoc();
  SmallVector<Type> types = typesOf(op.getResults());
  auto choice =
      scf::IfOp::create(builder, loc, types, scalars.lookup(op.getCondition()),
                        /*addThenBlock=*/true, /*addElseBlock=*/op.elseBlock() != nullptr);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), choice->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&to.front());
    ValueRange yielded = from.front().getTerminator()->getOperands();
    if (failed(lowerBody(from.front())))
      return failure();
    copyBlocks(yielded, op.getResults());
    scf::YieldOp::create(builder, loc, scalarsOf(yielded));
  }
  mapScalars(scalars, op.getResults(), choice.getResults());
  return success();
}

LogicalResult KernelLowering::lower(scf::WhileOp op) {
  Location loc = op.getLoc();
  if (failed(placeBuffers(op, op.getBeforeArguments(), op.getNumResults())))
    return failure();
  copyBlocks(op.getInits(), op.getBeforeArguments());
  for (auto [argument, result] : llvm::zip(op.getAfterArguments(), op.getResults()))
    if (!isScalar(result))
      blocks.setBuffer(argument, blocks.bufferOf(result));
  SmallVector<Type> before = typesOf(op.getBeforeArguments()), after = typesOf(op.getResults());
  auto loop = scf::WhileOp::create(builder, loc, after, scalarsOf(op.getInits()));
  OpBuilder::InsertionGuard guard(builder);
  Block *beforeBlock =
      builder.createBlock(&loop.getBefore(), {}, before, SmallVector<Location>(before.size(), loc));
  mapScalars(scalars, op.getBeforeArguments(), beforeBlock->getArguments());
  auto condition = op.getConditionOp();
  if (failed(lowerBody(*op.getBeforeBody())))
    return failure();
  copyBlocks(condition.getArgs(), op.getResults());
  scf::ConditionOp::create(builder, loc, scalars.lookup(condition.getCondition()),
                           scalarsOf(condition.getArgs()));
  Block *afterBlock =
      builder.createBlock(&loop.getAfter(), {}, after, SmallVector<Location>(after.size(), loc));
  mapScalars(scalars, op.getAfterArguments(), afterBlock->getArguments());
  ValueRange yielded = op.getYieldOp().getOperands();
  if (failed(lowerBody(*op.getAfterBody())))
    return failure();
  copyBlocks(yielded, op.getBeforeArguments());
  scf::YieldOp::create(builder, loc, scalarsOf(yielded));
  mapScalars(scalars, op.getResults(), loop.getResults());
  return success();
}

namespace {
struct ConvertFSMToCPU : fsm::impl::ConvertFSMToCPUPassBase<ConvertFSMToCPU> {
  using ConvertFSMToCPUPassBase::ConvertFSMToCPUPassBase;

  void runOnOperation() override {
    FailureOr<int64_t> lanes = hostLanesOrError(getOperation(), vectorBytes);
    if (failed(lanes))
      return signalPassFailure();
    for (KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (failed(KernelLowering(kernel, *lanes).run()))
        return signalPassFailure();
  }
};
} // namespace
