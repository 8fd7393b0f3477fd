//===- ShareLoops.cpp - One function for equal loops ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. A long function is taken apart into pieces: loops, branches, and arithmetic between them.
// 2. What a piece does becomes a function, with the constants from around it; what else it takes
//    from there is an argument of the call that stands beside it.
// 3. Of functions that are equal one is left, and the calls take the place of their pieces. Where
//    there is but one piece, it stays.

#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include <unordered_map>

namespace fsm {
#define GEN_PASS_DEF_SHARELOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// What is less than this is not worth a call.
static constexpr size_t kSmallestPiece = 8;

static size_t sizeOf(Operation *op) {
  size_t size = 0;
  op->walk([&](Operation *) { ++size; });
  return size;
}

static bool isArithmetic(Operation &op) {
  return op.getNumRegions() == 0 && !op.hasTrait<OpTrait::IsTerminator>() &&
         !isa<arith::ConstantOp, LLVM::GEPOp>(op) && isMemoryEffectFree(&op);
}

/// Whether a call can hand over values of this type. What computes on bf16 holds it in integers
/// later.
static bool isPassable(Type type) {
  return LLVM::isCompatibleType(type) && !getElementTypeOrSelf(type).isBF16();
}

/// Equal for functions that do the same.
static size_t hashOf(LLVM::LLVMFuncOp function) {
  llvm::hash_code hash(0);
  function.walk([&](Operation *op) {
    hash = llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                        op, [](Value value) { return hash_value(value.getType()); },
                                        OperationEquivalence::ignoreHashValue,
                                        OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

namespace {
/// Ops of a block, in their order, that may become a call.
struct Piece {
  SmallVector<Operation *> ops;
  /// What others use of it.
  SmallVector<Value> results;
  /// Stands in front of the last of them.
  LLVM::CallOp call;
};

/// Pieces that do the same, and what they do: no part of the module yet.
struct Kind {
  LLVM::LLVMFuncOp function;
  std::vector<Piece> pieces;
};

class LoopSharing {
public:
  LoopSharing(LLVM::LLVMFuncOp caller, size_t size) : caller(caller), largest(size / 2) {}

  void run(SymbolTable &symbols);

private:
  void visit(Block &block);
  void visitRegions(Operation &op);
  void add(SmallVector<Operation *> ops);
  LLVM::LLVMFuncOp functionOf(const Piece &piece, SmallVector<Value> &arguments);
  void replace(Piece &piece, LLVM::LLVMFuncOp function);

  LLVM::LLVMFuncOp caller;
  /// What holds most of a function is no piece of it.
  size_t largest;
  /// In the order of their first pieces.
  std::vector<Kind> kinds;
  std::unordered_map<size_t, SmallVector<size_t, 1>> ofHash;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

void LoopSharing::visit(Block &block) {
  SmallVector<Operation *> run;
  llvm::DenseSet<Value> computed;
  auto end = [&] {
    add(std::move(run));
    run.clear();
    computed.clear();
  };
  for (Operation &op : block) {
    if (isArithmetic(op)) {
      run.push_back(&op);
      computed.insert(op.result_begin(), op.result_end());
      continue;
    }
    // What is in front of a call may stay there.
    bool usesRun =
        llvm::any_of(op.getOperands(), [&](Value value) { return computed.contains(value); });
    if (isa<arith::ConstantOp>(op) || (isa<LLVM::GEPOp>(op) && !usesRun))
      continue;
    end();
    if (op.getNumRegions() > 0)
      visitRegions(op);
  }
  end();
}

void LoopSharing::visitRegions(Operation &op) {
  if (sizeOf(&op) <= largest)
    return add({&op});
  for (Region &region : op.getRegions())
    for (Block &block : region)
      visit(block);
}

/// Finds the kind of a piece.
void LoopSharing::add(SmallVector<Operation *> ops) {
  size_t size = 0;
  for (Operation *op : ops)
    size += sizeOf(op);
  if (size < kSmallestPiece)
    return;
  Piece piece{std::move(ops), {}, {}};
  SmallVector<Value> arguments;
  llvm::SmallPtrSet<Operation *, 16> inside(piece.ops.begin(), piece.ops.end());
  for (Operation *op : piece.ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !inside.contains(user); }))
        piece.results.push_back(result);
  LLVM::LLVMFuncOp function = functionOf(piece, arguments);
  auto isRefused = [](Value value) { return !isPassable(value.getType()); };
  if (llvm::any_of(arguments, isRefused) || llvm::any_of(piece.results, isRefused))
    return function.erase();
  OpBuilder builder(piece.ops.back());
  piece.call = LLVM::CallOp::create(builder, function.getLoc(), function, arguments);
  SmallVector<size_t, 1> &candidates = ofHash[hashOf(function)];
  auto *same = llvm::find_if(candidates, [&](size_t kind) {
    return OperationEquivalence::isEquivalentTo(kinds[kind].function, function,
                                                OperationEquivalence::IgnoreLocations);
  });
  if (same != candidates.end()) {
    function.erase();
    return kinds[*same].pieces.push_back(std::move(piece));
  }
  candidates.push_back(kinds.size());
  kinds.push_back({function, {std::move(piece)}});
}

//===----------------------------------------------------------------------===//
// Functions and calls
//===----------------------------------------------------------------------===//

/// What a piece does of the arguments, in the order in which it takes them.
LLVM::LLVMFuncOp LoopSharing::functionOf(const Piece &piece, SmallVector<Value> &arguments) {
  Location loc = piece.ops.front()->getLoc();
  OpBuilder builder(caller.getContext());
  auto nothing = LLVM::LLVMVoidType::get(builder.getContext());
  auto function =
      LLVM::LLVMFuncOp::create(builder, loc, (caller.getName() + ".shared").str(),
                               LLVM::LLVMFunctionType::get(nothing, {}), LLVM::Linkage::Internal);
  Block *body = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(body);
  IRMapping inside;
  llvm::DenseMap<Attribute, Value> constants;
  auto take = [&](Value value) {
    if (inside.contains(value))
      return;
    if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
      Value &held = constants[constant.getValue()];
      held = held ? held : builder.clone(*constant)->getResult(0);
      return inside.map(value, held);
    }
    inside.map(value, body->addArgument(value.getType(), value.getLoc()));
    arguments.push_back(value);
  };
  for (Operation *op : piece.ops) {
    llvm::for_each(op->getOperands(), take);
    visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *use) { take(use->get()); });
    builder.clone(*op, inside);
  }
  auto results =
      llvm::map_to_vector(piece.results, [&](Value value) { return inside.lookup(value); });
  Value result = results.size() == 1 ? results.front() : Value();
  if (results.size() > 1) {
    auto types = llvm::to_vector(ValueRange(results).getTypes());
    result = LLVM::PoisonOp::create(builder, loc,
                                    LLVM::LLVMStructType::getLiteral(builder.getContext(), types));
    for (auto [index, part] : llvm::enumerate(results))
      result = LLVM::InsertValueOp::create(builder, loc, result, part, index);
  }
  LLVM::ReturnOp::create(builder, loc, result ? ValueRange(result) : ValueRange());
  function.setFunctionType(LLVM::LLVMFunctionType::get(result ? result.getType() : Type(nothing),
                                                       llvm::to_vector(body->getArgumentTypes())));
  return function;
}

void LoopSharing::replace(Piece &piece, LLVM::LLVMFuncOp function) {
  OpBuilder builder(piece.ops.back());
  Location loc = piece.call.getLoc();
  piece.call.setCallee(function.getName());
  for (auto [index, result] : llvm::enumerate(piece.results)) {
    Value value = piece.call->getResult(0);
    if (piece.results.size() > 1)
      value = LLVM::ExtractValueOp::create(builder, loc, value, index);
    result.replaceAllUsesWith(value);
  }
  for (Operation *op : llvm::reverse(piece.ops))
    op->erase();
}

void LoopSharing::run(SymbolTable &symbols) {
  for (Block &block : caller.getBody())
    visit(block);
  for (Kind &kind : kinds) {
    if (kind.pieces.size() == 1) {
      kind.pieces.front().call.erase();
      kind.function.erase();
      continue;
    }
    symbols.insert(kind.function);
    for (Piece &piece : kind.pieces)
      replace(piece, kind.function);
  }
}

namespace {
struct ShareLoops : fsm::impl::ShareLoopsPassBase<ShareLoops> {
  using ShareLoopsPassBase::ShareLoopsPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (size_t size = sizeOf(function); size > mostOps)
        LoopSharing(function, size).run(symbols);
  }
};
} // namespace
