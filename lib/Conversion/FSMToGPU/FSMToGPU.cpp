//===- FSMToGPU.cpp - Kernels to device functions ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A kernel becomes a gpu.func of a gpu.module that one thread executes. Each block is a
// vector of the elements the thread holds, scalars are computed by all threads alike, and
// control flow keeps its form. Ops are rewritten in order, each by the file of its family.

#include "fsm/Conversion/Passes.h"

#include "../Registers/Values.h"
#include "Exchange/Combine.h"
#include "Exchange/ConvertLayout.h"
#include "Exchange/Dot.h"
#include "Exchange/Reduce.h"
#include "Exchange/Reshape.h"
#include "Math/Elementwise.h"
#include "Memory/Access.h"
#include "Memory/Atomics.h"
#include "Memory/Rings.h"
#include "Program/Constants.h"
#include "Program/DebugOps.h"
#include "Program/RenameRegisters.h"

#include "fsm/Analysis/Atomics.h"
#include "fsm/Analysis/InnerStride.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/ScratchSize.h"
#include "fsm/IR/DebugTable.h"
#include "fsm/IR/DeviceLibrary.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

namespace fsm {
#define GEN_PASS_DEF_CONVERTFSMTOGPUPASS
#include "fsm/Conversion/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

static constexpr llvm::StringLiteral kSharedSymbol = "fsm_shared";

static unsigned numberOn(Operation *op, StringRef name, unsigned otherwise) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? static_cast<unsigned>(attribute.getInt()) : otherwise;
}

namespace {
/// Rewrites one kernel.
class KernelLowering {
public:
  KernelLowering(KernelOp kernel, mlir::gpu::GPUModuleOp module)
      : kernel(kernel), module(module), builder(kernel.getContext()) {}

  LogicalResult run();

private:
  LogicalResult createFunction();
  void describeArguments();
  Value sharedBase();
  LogicalResult lowerProgram();
  LogicalResult lowerBody(Block &body);
  LogicalResult checkLayout(Operation *op, Type type);
  LogicalResult lowerOp(Operation *op);
  /// Null after an error at the op.
  Value lowerValue(Operation *op);
  Value lowerOffset(OffsetOp op);
  Value lowerElementwise(Operation *op);
  template <typename AccessOp>
  AccessOperands accessOperands(AccessOp op);
  LogicalResult lowerCombine(Operation *op);
  LogicalResult lowerFor(scf::ForOp op);
  LogicalResult lowerIf(scf::IfOp op);
  LogicalResult lowerWhile(scf::WhileOp op);
  LogicalResult lowerYield(Block &from, ValueRange yielded);
  Value wide(Value bound, bool isUnsigned);
  Value iterations(Location loc, Value lower, Value upper, Value step, bool isUnsigned);
  SmallVector<Value> mapped(ValueRange from);
  SmallVector<Type> typesOf(ValueRange from);
  Value lookup(Value value) { return value ? values.lookup(value) : Value(); }

  KernelOp kernel;
  mlir::gpu::GPUModuleOp module;
  OpBuilder builder;
  mlir::gpu::GPUFuncOp function;
  std::optional<DeviceProgram> program;
  unsigned programsPerCta = 1;
  /// Where prints and asserts write; null in a kernel without any.
  Value debugBuffer;
  IRMapping values;
  llvm::DenseSet<Type> checked;
};
} // namespace

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Whether PTX can name the kernel so, and nothing of ours has the name.
static bool isDeviceName(StringRef name) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  bool begins = !name.empty() && (llvm::isAlpha(name[0]) || (name.size() > 1 && isPart(name[0])));
  return begins && !llvm::isDigit(name[0]) && llvm::all_of(name, isPart) &&
         !name.starts_with("fsm_") && !name.starts_with(kLibdevicePrefix);
}

LogicalResult KernelLowering::run() {
  if (!isDeviceName(kernel.getName()))
    return kernel.emitError() << "expected a name for PTX, of letters, digits, '_' and '$', that "
                                 "begins with no digit, 'fsm_' or '__nv_', got '"
                              << kernel.getName() << "'";
  if (!kernel.getNumWarps())
    return kernel.emitError("expected 'num_warps' on the kernel; 'fsm-choose-warps' writes it");
  programsPerCta = numberOn(kernel, kProgramsPerCtaAttr, 1);
  if (programsPerCta > 1 && *kernel.getNumWarps() != 1)
    return kernel.emitError("expected one warp in each of the programs that share a cta");
  if (failed(createFunction()) || failed(lowerProgram()))
    return failure();
  kernel.erase();
  return success();
}

LogicalResult KernelLowering::createFunction() {
  Location loc = kernel.getLoc();
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(threadType(type));
  bool isPacked = programsPerCta > 1;
  if (isPacked)
    types.push_back(builder.getI32Type());
  Attribute debugOps = kernel->getAttr(kDebugOpsAttr);
  if (debugOps)
    types.push_back(LLVM::LLVMPointerType::get(builder.getContext(), kGlobalSpace));
  builder.setInsertionPointToEnd(module.getBody());
  function = mlir::gpu::GPUFuncOp::create(builder, loc, kernel.getName(),
                                          builder.getFunctionType(types, {}));
  function->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  unsigned threads = kWarpThreads * *kernel.getNumWarps() * programsPerCta;
  function.setKnownBlockSize(ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
  function->setAttr(kNumWarpsAttr, builder.getI32IntegerAttr(*kernel.getNumWarps()));
  function->setAttr(kProgramsPerCtaAttr, builder.getI32IntegerAttr(programsPerCta));
  unsigned bytes = numberOn(kernel, kSharedBytesAttr, 0);
  function->setAttr(kSharedBytesAttr, builder.getI32IntegerAttr(bytes * programsPerCta));
  if (isPacked)
    function->setAttr(kProgramCountAttr, builder.getUnitAttr());
  if (debugOps)
    function->setAttr(kDebugOpsAttr, debugOps);
  if (std::optional<uint32_t> registers = kernel.getMaxRegisters())
    function->setAttr(kMaxRegistersAttr, builder.getI32IntegerAttr(*registers));
  describeArguments();
  builder.setInsertionPointToStart(&function.getBody().front());
  program.emplace(builder, loc, *kernel.getNumWarps(), programsPerCta, bytes,
                  bytes ? sharedBase() : Value());
  for (auto [from, to] : llvm::zip(kernel.getBody().getArguments(), function.getArguments()))
    values.map(from, to);
  if (isPacked)
    program->setProgramCount(function.getArgument(kernel.getNumArguments()));
  if (debugOps)
    debugBuffer = function.getArguments().back();
  return success();
}

/// A buffer that overlaps no other one and that the kernel only reads may be read through
/// the read-only path; of others LLVM must not think that a barrier leaves them alone.
void KernelLowering::describeArguments() {
  llvm::SmallSetVector<Value, 8> written;
  bool writesAnything = false;
  kernel.walk([&](Operation *op) {
    if (!isa<StoreOp>(op) && !isAtomic(op))
      return;
    BlockArgument root = rootArgument(partsOf(op).pointer);
    writesAnything |= !root;
    if (root)
      written.insert(root);
  });
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!isa<PointerType>(argument.getType()))
      continue;
    if (Attribute align = kernel.getArgAttr(index, kAlignAttr))
      function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(cast<IntegerAttr>(align).getInt()));
    bool isConstant =
        kernel.getArgAttr(index, kNoAliasAttr) && !writesAnything && !written.contains(argument);
    if (isConstant) {
      function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
      function.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
    }
  }
}

/// The cta's dynamic shared memory, declared once in the module.
Value KernelLowering::sharedBase() {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), kSharedSpace);
  if (!module.lookupSymbol(kSharedSymbol)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(builder, module.getLoc(),
                           LLVM::LLVMArrayType::get(builder.getI8Type(), 0), /*isConstant=*/false,
                           LLVM::Linkage::External, kSharedSymbol, Attribute(), /*alignment=*/16,
                           kSharedSpace);
  }
  return LLVM::AddressOfOp::create(builder, kernel.getLoc(), pointer, kSharedSymbol);
}

/// The body; in a cta that programs share, those beyond the last have nothing to do.
LogicalResult KernelLowering::lowerProgram() {
  Location loc = kernel.getLoc();
  if (programsPerCta > 1) {
    Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                         program->programId(loc, GridAxis::X),
                                         program->programCount(loc, GridAxis::X));
    auto choice = scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(choice.thenBlock());
  }
  if (failed(lowerBody(kernel.getBody().front())))
    return failure();
  builder.setInsertionPointToEnd(&function.getBody().front());
  mlir::gpu::ReturnOp::create(builder, loc);
  return success();
}

LogicalResult KernelLowering::lowerBody(Block &body) {
  for (Operation &op : body.without_terminator())
    if (failed(lowerOp(&op)))
      return failure();
  return success();
}

SmallVector<Value> KernelLowering::mapped(ValueRange from) {
  return llvm::map_to_vector(from, [&](Value value) { return lookup(value); });
}

SmallVector<Type> KernelLowering::typesOf(ValueRange from) {
  return llvm::map_to_vector(from, [](Value value) { return threadType(value.getType()); });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Whether a type of result of `op` is spread over the threads that there are.
LogicalResult KernelLowering::checkLayout(Operation *op, Type type) {
  auto block = dyn_cast<RankedTensorType>(type);
  if (!block || !checked.insert(block).second)
    return success();
  if (!layoutOf(block))
    return op->emitError() << "expected a block with '#fsm.layout', got " << block
                           << "; 'fsm-assign-layouts' gives each block one";
  if (std::string fault = layoutFault(op); !fault.empty())
    return op->emitError() << fault;
  if (uint64_t(1) << linearLayoutOf(block).from().bitsOf(Dim::Warp) != program->numWarps())
    return op->emitError() << "expected layouts over the kernel's " << program->numWarps()
                           << " warps";
  return success();
}

LogicalResult KernelLowering::lowerOp(Operation *op) {
  for (Type type : op->getResultTypes())
    if (failed(checkLayout(op, type)))
      return failure();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return lowerFor(loop);
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return lowerIf(choice);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return lowerWhile(loop);
  if (auto store = dyn_cast<StoreOp>(op))
    return lowerStore(*program, store, accessOperands(store));
  if (isa<BarrierOp>(op)) {
    program->barrier(op->getLoc());
    return success();
  }
  if (isa<AssumeOp>(op))
    return success();
  if (auto ring = dyn_cast<RingOp>(op))
    return lowerRing(*program, ring);
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    return lowerCopy(*program, copy, accessOperands(copy), lookup(copy.getSlot()),
                     lookup(copy.getCount()), lookup(copy.getCondition()));
  if (auto wait = dyn_cast<BulkWaitOp>(op))
    return lowerBulkWait(*program, wait, lookup(wait.getSlot()), lookup(wait.getPhase()));
  if (isa<CopyCommitOp, CopyWaitOp>(op)) {
    lowerCopyOrder(*program, op);
    return success();
  }
  if (isDebugOp(op))
    return lowerDebugOp(*program, op, values, debugBuffer);
  if (auto split = dyn_cast<SplitOp>(op))
    return splitRegisters(*program, split, values);
  if (isCombine(op))
    return lowerCombine(op);
  Value result = lowerValue(op);
  if (!result)
    return failure();
  values.map(op->getResult(0), result);
  return success();
}

Value KernelLowering::lowerValue(Operation *op) {
  Location loc = op->getLoc();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return lowerConstant(*program, module, constant);
  if (isa<ub::PoisonOp>(op))
    return registers::zero(builder, loc, threadType(op->getResult(0).getType()));
  if (auto id = dyn_cast<ProgramIdOp>(op))
    return program->programId(loc, id.getAxis());
  if (auto count = dyn_cast<NumProgramsOp>(op))
    return program->programCount(loc, count.getAxis());
  if (auto offset = dyn_cast<OffsetOp>(op))
    return lowerOffset(offset);
  if (auto range = dyn_cast<RangeOp>(op)) {
    Value at = ThreadBlock(*program, loc, range.getType()).coordinates(0);
    if (range.getStart() == 0)
      return at;
    // Positions outside the true extent may lie beyond the last i32.
    int64_t first = static_cast<int32_t>(range.getStart());
    uint64_t places = llvm::PowerOf2Ceil(static_cast<uint64_t>(range.getType().getDimSize(0)));
    auto flags = llvm::isInt<32>(first + static_cast<int64_t>(places) - 1)
                     ? arith::IntegerOverflowFlags::nsw
                     : arith::IntegerOverflowFlags::none;
    return arith::AddIOp::create(builder, loc, at, program->constantInt(loc, at.getType(), first),
                                 flags);
  }
  if (auto splat = dyn_cast<SplatOp>(op))
    return vector::BroadcastOp::create(builder, loc, threadType(splat.getType()),
                                       lookup(splat.getScalar()));
  if (auto load = dyn_cast<LoadOp>(op))
    return lowerLoad(*program, load, accessOperands(load));
  if (auto read = dyn_cast<RingReadOp>(op))
    return lowerRingRead(*program, read, lookup(read.getSlot()), lookup(read.getMask()),
                         lookup(read.getOther()));
  if (auto rmw = dyn_cast<AtomicRMWOp>(op))
    return lowerAtomic(*program, op, accessOperands(rmw), Value());
  if (auto cas = dyn_cast<AtomicCASOp>(op))
    return lowerAtomic(*program, op, accessOperands(cas), lookup(cas.getCompare()));
  if (isa<PtrToIntOp, IntToPtrOp>(op))
    return lowerAddress(*program, op, lookup(op->getOperand(0)));
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return lowerReduce(*program, reduce, lookup(reduce.getSource()));
  if (auto dot = dyn_cast<DotOp>(op))
    return lowerDot(*program, dot, lookup(dot.getLeft()), lookup(dot.getRight()),
                    lookup(dot.getAcc()));
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return lowerConvertLayout(*program, convert, lookup(convert.getSource()));
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return lowerReshape(*program, reshape, lookup(reshape.getSource()));
  if (auto join = dyn_cast<JoinOp>(op))
    return joinRegisters(*program, join, lookup(join.getLeft()), lookup(join.getRight()));
  if (isa<ExpandDimsOp, BroadcastOp, TransposeOp>(op))
    return renameRegisters(*program, op, lookup(op->getOperand(0)));
  return lowerElementwise(op);
}

/// A region is written out for each two tuples that it combines.
LogicalResult KernelLowering::lowerCombine(Operation *op) {
  LogicalResult status = success();
  auto step = [&](ValueRange left, ValueRange right) -> SmallVector<Value> {
    Block &body = op->getRegion(0).front();
    values.map(body.getArguments().take_front(left.size()), left);
    values.map(body.getArguments().drop_front(left.size()), right);
    if (succeeded(status))
      status = lowerBody(body);
    return succeeded(status) ? mapped(body.getTerminator()->getOperands())
                             : SmallVector<Value>(left);
  };
  SmallVector<Value> sources = mapped(op->getOperands());
  auto reduce = dyn_cast<ReduceWithOp>(op);
  SmallVector<Value> results = reduce ? lowerReduceWith(*program, reduce, sources, step)
                                      : lowerScan(*program, op, sources, step);
  if (failed(status) || results.empty())
    return failure();
  values.map(op->getResults(), results);
  return success();
}

Value KernelLowering::lowerElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0) {
    op->emitError() << "'" << op->getName() << "' has no lowering to a GPU";
    return {};
  }
  SmallVector<Value> operands = mapped(op->getOperands());
  // One condition for a whole block.
  Type first = operands.front().getType();
  bool isUniform =
      isa<arith::SelectOp>(op) && !isa<VectorType>(first) && isa<VectorType>(operands[1].getType());
  if (isUniform)
    operands[0] = vector::BroadcastOp::create(
        builder, op->getLoc(), cast<VectorType>(operands[1].getType()).clone(first), operands[0]);
  // A divisor that repeats needs one reciprocal.
  bool repeats = isa<arith::DivFOp>(op) &&
                 isa_and_present<SplatOp, BroadcastOp>(op->getOperand(1).getDefiningOp());
  return fsm::gpu::elementwise(builder, op, operands, repeats);
}

Value KernelLowering::lowerOffset(OffsetOp op) {
  Type element = memoryElement(op.getPointer().getType().getPointeeType());
  Value pointer = lookup(op.getPointer());
  return LLVM::GEPOp::create(builder, op.getLoc(), pointer.getType(), element, pointer,
                             ArrayRef<LLVM::GEPArg>{lookup(op.getOffset())});
}

template <typename AccessOp>
AccessOperands KernelLowering::accessOperands(AccessOp op) {
  AccessOperands operands;
  operands.pointer = lookup(op.getPointer());
  operands.mask = lookup(op.getMask());
  if (Value offsets = op.getOffsets())
    operands.offsets = formOf(*program, offsets, [&](Value value) { return lookup(value); });
  if constexpr (std::is_same_v<AccessOp, LoadOp>)
    operands.other = lookup(op.getOther());
  else if constexpr (!std::is_same_v<AccessOp, CopyAsyncOp>)
    operands.value = lookup(op.getValue());
  return operands;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The end of a region: what it yields. A terminator that is there already, for it yields
/// nothing, stays.
LogicalResult KernelLowering::lowerYield(Block &from, ValueRange yielded) {
  if (failed(lowerBody(from)))
    return failure();
  Block *block = builder.getInsertionBlock();
  if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>())
    return success();
  scf::YieldOp::create(builder, from.getTerminator()->getLoc(), mapped(yielded));
  return success();
}

/// A loop bound with so many bits more that adding the step never wraps.
Value KernelLowering::wide(Value bound, bool isUnsigned) {
  Type type = builder.getIntegerType(2 * bound.getType().getIntOrFloatBitWidth());
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, bound.getLoc(), type, bound);
  return arith::ExtSIOp::create(builder, bound.getLoc(), type, bound);
}

static bool isOne(Value step) {
  APInt value;
  return matchPattern(step, m_ConstantInt(&value)) && value.isOne();
}

/// Whether a number of 64 bits is one of 32. Compared without a sign, one below 0 is none.
static bool isWidened(Value number, bool isUnsigned) {
  APInt value;
  if (matchPattern(number, m_ConstantInt(&value)))
    return isUnsigned ? value.isIntN(32) : value.isSignedIntN(32);
  Operation *op = number.getDefiningOp();
  bool isExtended = isUnsigned ? isa_and_present<arith::ExtUIOp>(op)
                               : isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op);
  return isExtended && op->getOperand(0).getType().getIntOrFloatBitWidth() <= 32;
}

/// How many iterations a loop over i64 with a positive step has, as an unsigned number.
Value KernelLowering::iterations(Location loc, Value lower, Value upper, Value step,
                                 bool isUnsigned) {
  Value zero = program->constantInt(loc, step.getType(), 0);
  Value one = program->constantInt(loc, step.getType(), 1);
  auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(builder, loc, less, lower, upper);
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value last = arith::SubIOp::create(builder, loc, distance, one);
  Value steps = arith::DivUIOp::create(builder, loc, last, step);
  Value count = arith::AddIOp::create(builder, loc, steps, one);
  return arith::SelectOp::create(builder, loc, runs, count, zero);
}

/// The counter of a loop whose step is not 1 has twice the bits, so that it passes the
/// upper bound however near that is to the end of its type; of i64, which has no such
/// type, it counts the iterations. A step below 1 runs no iteration.
LogicalResult KernelLowering::lowerFor(scf::ForOp op) {
  Location loc = op.getLoc();
  bool isUnsigned = op.getUnsignedCmp();
  Value lower = lookup(op.getLowerBound()), upper = lookup(op.getUpperBound());
  Value step = lookup(op.getStep());
  auto isNarrow = [&](Value number) { return isWidened(number, isUnsigned); };
  bool mayWrap = !step.getType().isInteger(64) || !isNarrow(op.getLowerBound()) ||
                 !isNarrow(op.getUpperBound()) || !isNarrow(op.getStep());
  bool isWide = mayWrap && !isOne(op.getStep());
  if (!hasPositiveStep(op)) {
    Value zero = program->constantInt(loc, step.getType(), 0);
    auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value runs = arith::CmpIOp::create(builder, loc, less, zero, step);
    upper = arith::SelectOp::create(builder, loc, runs, upper, lower);
    step = arith::SelectOp::create(builder, loc, runs, step,
                                   program->constantInt(loc, step.getType(), 1));
  }
  bool isCounted = isWide && step.getType().isInteger(64);
  Value first = lower, stride = step;
  if (isCounted) {
    upper = iterations(loc, lower, upper, step, isUnsigned);
    lower = program->constantInt(loc, step.getType(), 0);
    step = program->constantInt(loc, step.getType(), 1);
  } else if (isWide) {
    lower = wide(lower, isUnsigned);
    upper = wide(upper, isUnsigned);
    step = wide(step, isUnsigned);
  }
  auto loop = scf::ForOp::create(builder, loc, lower, upper, step, mapped(op.getInitArgs()),
                                 nullptr, isUnsigned || isCounted);
  loop->setAttr(kNoUnrollAttr, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value counter = loop.getInductionVar();
  if (isCounted)
    counter = arith::AddIOp::create(builder, loc, first,
                                    arith::MulIOp::create(builder, loc, counter, stride));
  else if (isWide)
    counter = arith::TruncIOp::create(builder, loc, op.getInductionVar().getType(), counter);
  values.map(op.getInductionVar(), counter);
  values.map(op.getRegionIterArgs(), loop.getRegionIterArgs());
  if (failed(lowerYield(*op.getBody(), op.getYieldedValues())))
    return failure();
  values.map(op.getResults(), loop.getResults());
  return success();
}

LogicalResult KernelLowering::lowerIf(scf::IfOp op) {
  bool hasElse = op.elseBlock() != nullptr;
  auto choice = scf::IfOp::create(builder, op.getLoc(), typesOf(op.getResults()),
                                  lookup(op.getCondition()), /*addThenBlock=*/true,
                                  /*addElseBlock=*/hasElse);
  for (bool isThen : {true, false}) {
    if (!isThen && !hasElse)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(isThen ? choice.thenBlock() : choice.elseBlock());
    Block &from = isThen ? *op.thenBlock() : *op.elseBlock();
    if (failed(lowerYield(from, from.getTerminator()->getOperands())))
      return failure();
  }
  values.map(op.getResults(), choice.getResults());
  return success();
}

LogicalResult KernelLowering::lowerWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  auto loop = scf::WhileOp::create(builder, loc, typesOf(op.getResults()), mapped(op.getInits()));
  OpBuilder::InsertionGuard guard(builder);
  auto enter = [&](Region &region, ValueRange arguments) {
    SmallVector<Type> types = typesOf(arguments);
    Block *block =
        builder.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc));
    values.map(arguments, block->getArguments());
  };
  enter(loop.getBefore(), op.getBeforeArguments());
  if (failed(lowerBody(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  scf::ConditionOp::create(builder, condition.getLoc(), lookup(condition.getCondition()),
                           mapped(condition.getArgs()));
  enter(loop.getAfter(), op.getAfterArguments());
  if (failed(lowerYield(*op.getAfterBody(), op.getYieldedValues())))
    return failure();
  values.map(op.getResults(), loop.getResults());
  return success();
}

namespace {
struct ConvertFSMToGPU : fsm::impl::ConvertFSMToGPUPassBase<ConvertFSMToGPU> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Operation *other = SymbolTable::lookupSymbolIn(module, "kernels");
    if (other && !isa<KernelOp>(other)) {
      other->emitOpError("has the name of the gpu.module that kernels become; rename it");
      return signalPassFailure();
    }
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto device = mlir::gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
    for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
      if (failed(KernelLowering(kernel, device).run()))
        return signalPassFailure();
  }
};
} // namespace
