//===- ImportTriton.cpp - Kernels of Triton's IR ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. Types that the language lacks are errors.
// 2. Arithmetic on offsets is marked as not wrapping; what else is made of it takes a copy that
// wraps.
// 3. Branches between blocks become scf.
// 4. PointerForms decides how each block of pointers is written.
// 5. Importer writes the function op by op; RewriteTable says how.

#include "Importer.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace fsm {
#define GEN_PASS_DEF_IMPORTTRITONPASS
#include "fsm/Import/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

void fsm::registerTriton(DialectRegistry &registry) {
  registry.insert<triton::TTDialect, arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect,
                  LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, ub::UBDialect>();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The most bits an integer of the language has.
static constexpr unsigned kMostBits = 64;

/// Whether a type can be had in FSM's language. What its verifier says of others is in order.
static LogicalResult checkType(Operation *op, Type type) {
  if (isa<ShapedType>(type) && !triton::isBlock(type))
    return refuse(op) << "expected tensors of static shape and rank 1 or more, without an "
                         "encoding, got "
                      << type;
  Type element = getElementTypeOrSelf(type);
  bool isPointer = isa<triton::PointerType>(element);
  while (auto pointer = dyn_cast<triton::PointerType>(element))
    element = pointer.getPointeeType();
  if (isPointer && !isElementType(element))
    return refuse(op) << "expected pointers to " << kElementTypeNames << ", got " << type;
  if (element.isInteger() && element.getIntOrFloatBitWidth() > kMostBits)
    return refuse(op) << "expected integers of at most 64 bits, got " << type;
  return success();
}

static LogicalResult checkTypes(triton::FuncOp function) {
  WalkResult result = function->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    for (Type type : op->getResultTypes())
      if (failed(checkType(op, type)))
        return failure();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(checkType(op, type)))
            return failure();
    return success();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

static bool isSum(Operation *op) { return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op); }

static bool keepsNumbers(Operation *op) {
  return isa<triton::SplatOp, triton::ExpandDimsOp, triton::BroadcastOp, triton::ReshapeOp,
             triton::TransOp, arith::ExtSIOp>(op);
}

static bool isArithmetic(Operation *op) {
  return keepsNumbers(op) || (isa_and_present<arith::ArithDialect>(op->getDialect()) &&
                              !isa<arith::CmpIOp, arith::CmpFOp>(op));
}

static bool isDivision(Operation *op) { return isa<arith::DivSIOp, arith::RemSIOp>(op); }

using OpSet = llvm::SmallPtrSet<Operation *, 16>;

/// The number that a constant, or each element of one, is; nothing for another op.
static std::optional<int64_t> numberOf(Value value) {
  APInt number;
  DenseElementsAttr elements;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
      elements.getElementType().isInteger())
    return elements.getSplatValue<APInt>().getSExtValue();
  return std::nullopt;
}

/// Whether a number is one of which positions are sums: what a loop counts, a range, the number of
/// a program, that times as many elements as a block may have, or a constant as small as that.
static bool isPartOfPosition(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar();
  }
  auto isFew = [&](Value number) {
    std::optional<int64_t> known = numberOf(number);
    return known && *known >= 0 && *known <= kMaxBlockElements;
  };
  Operation *op = value.getDefiningOp();
  if (auto product = dyn_cast<arith::MulIOp>(op)) {
    Value program = product.getLhs();
    if (auto wide = program.getDefiningOp<arith::ExtSIOp>())
      program = wide.getIn();
    return program.getDefiningOp<triton::GetProgramIdOp>() && isFew(product.getRhs());
  }
  return isa<triton::GetProgramIdOp, triton::MakeRangeOp>(op) || isFew(value);
}

/// Whether a number says which of all elements that programs walk it is, or is the row or column
/// of one, by quotients and remainders. What wraps on purpose, as hashes do, has larger factors, or
/// several.
static bool isPosition(Value value) {
  SmallVector<Value> left = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!left.empty()) {
    Value part = left.pop_back_val();
    if (!seen.insert(part).second || isPartOfPosition(part))
      continue;
    Operation *op = part.getDefiningOp();
    if (op && isDivision(op))
      left.push_back(op->getOperand(0));
    else if (op && (isa<arith::AddIOp>(op) || keepsNumbers(op)))
      llvm::append_range(left, op->getOperands());
    else
      return false;
  }
  return true;
}

/// Adds the ops that values are made of by sums and products, and by the division of positions
/// into rows and columns.
static void addWhatMakes(SmallVector<Value> left, OpSet &to) {
  while (!left.empty()) {
    Operation *op = left.pop_back_val().getDefiningOp();
    if (!op)
      continue;
    if ((isSum(op) || keepsNumbers(op)) && to.insert(op).second)
      llvm::append_range(left, op->getOperands());
    if (isDivision(op) && isPosition(op->getOperand(0)) && to.insert(op).second)
      left.push_back(op->getOperand(0));
  }
}

/// Whether a scalar is made of arguments and numbers alone, by sums and products.
static bool isOfArguments(Value scalar, triton::FuncOp function) {
  OpSet ops;
  addWhatMakes({scalar}, ops);
  return llvm::all_of(ops, [&](Operation *op) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      if (Operation *made = operand.getDefiningOp())
        return ops.contains(made) || isa<arith::ConstantOp>(made);
      return cast<BlockArgument>(operand).getOwner()->getParentOp() == function.getOperation();
    });
  });
}

/// The ops that offsets are made of, and the extents of tensors: what offsets of 64 bits are
/// compared with as descriptors are, if it is made of arguments.
static OpSet findOffsets(triton::FuncOp function) {
  SmallVector<Value> left, extents;
  function.walk([&](triton::AddPtrOp op) { left.push_back(op.getOffset()); });
  OpSet offsets;
  addWhatMakes(left, offsets);
  function.walk([&](arith::CmpIOp op) {
    auto splat = op.getRhs().getDefiningOp<triton::SplatOp>();
    if (op.getPredicate() == arith::CmpIPredicate::slt && splat &&
        splat.getSrc().getDefiningOp<arith::ExtSIOp>() &&
        offsets.contains(op.getLhs().getDefiningOp()) && isOfArguments(splat.getSrc(), function))
      extents.push_back(splat.getSrc());
  });
  addWhatMakes(extents, offsets);
  return offsets;
}

/// Whether a sum has a product by a number of more than a block's elements, as hashes have.
static bool hasLargeFactor(Value sum) {
  OpSet ops;
  addWhatMakes({sum}, ops);
  return llvm::any_of(ops, [](Operation *op) {
    return isa<arith::MulIOp>(op) && llvm::any_of(op->getOperands(), [](Value factor) {
             std::optional<int64_t> known = numberOf(factor);
             return known && (*known > kMaxBlockElements || *known < -kMaxBlockElements);
           });
  });
}

/// Whether an op gives something else of a number that has wrapped, and takes it from one that does
/// so on purpose: hashes come to slots of their tables so.
static bool dependsOnWrapping(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp, arith::ShRSIOp,
             arith::ShRUIOp>(op) &&
         hasLargeFactor(op->getOperand(0));
}

/// The ops that take a number for an offset, or for what a bound is compared with: of what any
/// arithmetic makes of it come addresses alone, of its sums and products comparisons as well.
static OpSet findOffsetUsers(triton::FuncOp function) {
  SmallVector<Operation *> inOrder;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { inOrder.push_back(op); });
  OpSet addressing, users;
  for (Operation *op : llvm::reverse(inOrder)) {
    auto isAmong = [&](const OpSet &set) {
      return llvm::all_of(op->getUsers(), [&](Operation *user) { return set.contains(user); });
    };
    if (isa<triton::AddPtrOp>(op) ||
        (isArithmetic(op) && !dependsOnWrapping(op) && isAmong(addressing)))
      addressing.insert(op);
    if (addressing.contains(op) || isa<arith::CmpIOp>(op) ||
        ((isSum(op) || keepsNumbers(op)) && isAmong(users)))
      users.insert(op);
  }
  return users;
}

/// Gives what takes numbers of offsets for anything else copies of these that will not be marked. A
/// hash wraps on purpose, and what is made of it is no address.
static void copyForOthers(triton::FuncOp function, ArrayRef<Operation *> inOrder,
                          const OpSet &offsets, const OpSet &marked) {
  OpSet offsetUsers = findOffsetUsers(function);
  IRMapping copies;
  SmallVector<Operation *> made;
  for (Operation *op : inOrder) {
    bool isChanged =
        llvm::any_of(op->getOperands(), [&](Value operand) { return copies.contains(operand); });
    if (!isChanged && !marked.contains(op))
      continue;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    made.push_back(builder.clone(*op, copies));
  }
  for (Operation *op : inOrder)
    if (Value copy = copies.lookupOrNull(op->getResult(0)))
      op->getResult(0).replaceUsesWithIf(copy, [&](OpOperand &use) {
        return !offsets.contains(use.getOwner()) && !offsetUsers.contains(use.getOwner());
      });
  for (Operation *op : llvm::reverse(made))
    if (op->use_empty())
      op->erase();
}

/// Marks the sums and products that offsets are made of as not wrapping, which Triton takes for
/// granted where it widens accesses. Not those of 64 bits that something else is made of as well:
/// a number that wraps on purpose, as hashes do, takes such.
static void markOffsets(triton::FuncOp function) {
  OpSet offsets = findOffsets(function);
  SmallVector<Operation *> inOrder;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (offsets.contains(op))
      inOrder.push_back(op);
  });
  // Offsets and the bounds of their masks, and nothing else.
  OpSet alone, marked;
  for (Operation *op : llvm::reverse(inOrder)) {
    if (llvm::all_of(op->getUsers(), [&](Operation *user) {
          return isa<triton::AddPtrOp, arith::CmpIOp>(user) || alone.contains(user);
        }))
      alone.insert(op);
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    if (isSum(op) && (type.isInteger(32) || (type.isInteger(64) && alone.contains(op))))
      marked.insert(op);
  }
  copyForOthers(function, inOrder, offsets, marked);
  for (Operation *op : marked) {
    auto flagged = cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    auto flags = flagged.getOverflowAttr().getValue() | arith::IntegerOverflowFlags::nsw;
    op->setAttr(flagged.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(op->getContext(), flags));
  }
}

//===----------------------------------------------------------------------===//
// What the module asks for
//===----------------------------------------------------------------------===//

/// The number that a module says of itself, in place of an option that was not given.
static FailureOr<unsigned> takeNumber(ModuleOp module, StringRef name, unsigned given,
                                      unsigned most) {
  Attribute attribute = module->removeAttr(name);
  if (!attribute || given)
    return given;
  auto number = dyn_cast<IntegerAttr>(attribute);
  if (!number || number.getValue().isNegative() || number.getValue().ugt(most)) {
    refuse(module) << "expected a number from 0 to " << most << " as '" << name << "', got "
                   << attribute;
    return failure();
  }
  return static_cast<unsigned>(number.getValue().getZExtValue());
}

/// The options of the pass, and of a launch those that its module holds: Triton has them beside the
/// text, and a text that is run again must say them itself.
static FailureOr<ImportTritonPassOptions> takeOptions(ModuleOp module,
                                                      ImportTritonPassOptions options) {
  FailureOr<unsigned> warps = takeNumber(module, "tt.num_warps", options.numWarps, 32);
  FailureOr<unsigned> registers = takeNumber(module, "tt.maxnreg", options.maxRegisters, 255);
  FailureOr<unsigned> stages = takeNumber(module, "tt.num_stages", options.numStages, kMaxSlots);
  FailureOr<unsigned> exact = takeNumber(module, "tt.no_fp_fusion", 0, 1);
  FailureOr<unsigned> asserted =
      takeNumber(module, "tt.assert_addresses", options.assertAddresses, 1);
  if (failed(warps) || failed(registers) || failed(stages) || failed(exact) || failed(asserted))
    return failure();
  options.numWarps = *warps;
  options.maxRegisters = *registers;
  options.numStages = *stages;
  options.fpFusion = options.fpFusion && !*exact;
  options.assertAddresses = *asserted != 0;
  return options;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ImportTriton : fsm::impl::ImportTritonPassBase<ImportTriton> {
  using ImportTritonPassBase::ImportTritonPassBase;

  LogicalResult importOne(triton::FuncOp function, const ImportTritonPassOptions &options) {
    if (failed(checkTypes(function)))
      return failure();
    if (!options.exactOffsets)
      markOffsets(function);
    if (failed(structureBranches(function)))
      return failure();
    PointerForms forms(function);
    if (options.printForms)
      forms.print(llvm::outs());
    if (failed(importFunction(function, forms, options)))
      return failure();
    function.erase();
    return success();
  }

  void runOnOperation() override {
    FailureOr<ImportTritonPassOptions> options =
        takeOptions(getOperation(), {numWarps, maxRegisters, numStages, fpFusion, exactOffsets,
                                     assertAddresses, printForms});
    if (failed(options))
      return signalPassFailure();
    for (Operation &op : llvm::make_early_inc_range(*getOperation().getBody())) {
      auto function = dyn_cast<triton::FuncOp>(op);
      if (!function)
        refuse(&op) << "expected functions of Triton only";
      if (!function || failed(importOne(function, *options)))
        return signalPassFailure();
    }
  }
};
} // namespace
