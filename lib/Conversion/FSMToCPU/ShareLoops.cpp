//===- ShareLoops.cpp - One function for equal loops ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. A long function is taken apart into pieces: loops, branches, and arithmetic between them.
// 2. Pieces that do the same to other values are found by their hash and compared op by op.
//    Constants from around a piece belong to it; what else it takes from there is an argument.
// 3. Each set of two or more becomes a function, and each piece of it a call.

#include "fsm/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <unordered_map>

namespace fsm {
#define GEN_PASS_DEF_SHARELOOPSPASS
#include "fsm/Conversion/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// What is less than this is not worth a call.
static constexpr size_t kSmallestPiece = 8;

namespace {
/// Ops of a block, in their order, that may become a call where the last of them is.
struct Piece {
  SmallVector<Operation *> ops;
  /// What others use of it.
  SmallVector<Value> results;
  size_t hash = 0;
  /// The ops in it, those of regions as well.
  size_t size = 0;
};

/// Pieces that do the same; the values around each stand for the first one's arguments.
struct Kind {
  Piece first;
  SmallVector<Value> arguments;
  std::vector<std::pair<Piece, SmallVector<Value>>> others;
};
} // namespace

static Attribute constantOf(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  return constant ? constant.getValue() : Attribute();
}

/// Whether a call can hand over values of this type. What computes on bf16 holds it in integers
/// later.
static bool isPassable(Type type) {
  return LLVM::isCompatibleType(type) && !getElementTypeOrSelf(type).isBF16();
}

//===----------------------------------------------------------------------===//
// Pieces of a block
//===----------------------------------------------------------------------===//

static bool isArithmetic(Operation &op) {
  return op.getNumRegions() == 0 && !op.hasTrait<OpTrait::IsTerminator>() &&
         !isa<arith::ConstantOp, LLVM::GEPOp>(op) && isMemoryEffectFree(&op);
}

static void measure(Piece &piece) {
  auto hashOf = [](Value value) {
    Attribute constant = constantOf(value);
    return constant ? hash_value(constant) : hash_value(value.getType());
  };
  llvm::hash_code hash(0);
  for (Operation *op : piece.ops)
    op->walk([&](Operation *inner) {
      ++piece.size;
      hash = llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                          inner, hashOf, OperationEquivalence::ignoreHashValue,
                                          OperationEquivalence::IgnoreLocations));
    });
  llvm::SmallPtrSet<Operation *, 16> ops(piece.ops.begin(), piece.ops.end());
  for (Operation *op : piece.ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !ops.contains(user); }))
        piece.results.push_back(result);
  piece.hash = hash;
}

namespace {
/// Takes the blocks of a function apart.
class Pieces {
public:
  explicit Pieces(size_t sizeOfFunction) : largest(sizeOfFunction / 2) {}

  std::vector<Piece> take() { return std::move(all); }

  void visit(Block &block) {
    Piece run;
    llvm::DenseSet<Value> computed;
    auto end = [&] {
      add(std::move(run));
      run = {};
      computed.clear();
    };
    for (Operation &op : block) {
      if (isArithmetic(op)) {
        run.ops.push_back(&op);
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

private:
  void visitRegions(Operation &op) {
    Piece piece;
    piece.ops.push_back(&op);
    if (sizeOf(op) <= largest)
      return add(std::move(piece));
    for (Region &region : op.getRegions())
      for (Block &block : region)
        visit(block);
  }

  static size_t sizeOf(Operation &op) {
    size_t size = 0;
    op.walk([&](Operation *) { ++size; });
    return size;
  }

  void add(Piece piece) {
    measure(piece);
    if (piece.size >= kSmallestPiece)
      all.push_back(std::move(piece));
  }

  /// What holds most of a function is no piece of it.
  size_t largest;
  std::vector<Piece> all;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pieces that do the same
//===----------------------------------------------------------------------===//

/// What a piece takes from around it, constants aside, in the order in which it takes it. Nothing
/// where a call cannot hand it over.
static std::optional<SmallVector<Value>> argumentsOf(const Piece &piece) {
  llvm::SetVector<Value> arguments;
  llvm::DenseSet<Value> computed;
  auto take = [&](Value value) {
    if (!computed.contains(value) && !constantOf(value))
      arguments.insert(value);
  };
  for (Operation *op : piece.ops)
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      llvm::for_each(inner->getOperands(), take);
      computed.insert(inner->result_begin(), inner->result_end());
      for (Region &region : inner->getRegions())
        for (Block &block : region)
          computed.insert(block.args_begin(), block.args_end());
    });
  auto isRefused = [](Value value) { return !isPassable(value.getType()); };
  if (llvm::any_of(arguments, isRefused) || llvm::any_of(piece.results, isRefused))
    return std::nullopt;
  return arguments.takeVector();
}

static SmallVector<Value> operandsOf(const Piece &piece) {
  SmallVector<Value> operands;
  for (Operation *op : piece.ops)
    op->walk<WalkOrder::PreOrder>(
        [&](Operation *inner) { operands.append(inner->operand_begin(), inner->operand_end()); });
  return operands;
}

/// What stands in `piece` for the arguments of `kind`, if it does the same.
static std::optional<SmallVector<Value>> matches(const Kind &kind, const Piece &piece) {
  const Piece &first = kind.first;
  if (first.hash != piece.hash || first.ops.size() != piece.ops.size() ||
      first.results.size() != piece.results.size())
    return std::nullopt;
  llvm::DenseMap<Value, Value> standsFor;
  auto mark = [&](Value one, Value other) { standsFor[one] = other; };
  auto check = [](Value one, Value other) { return success(one.getType() == other.getType()); };
  for (auto [one, other] : llvm::zip(first.ops, piece.ops))
    if (!OperationEquivalence::isEquivalentTo(one, other, check, mark,
                                              OperationEquivalence::IgnoreLocations))
      return std::nullopt;
  // The comparison does not ask about operands that are one and the same value.
  for (auto [one, other] : llvm::zip_equal(operandsOf(first), operandsOf(piece)))
    if (Attribute constant = constantOf(one) ? constantOf(one) : constantOf(other)) {
      if (constantOf(one) != constant || constantOf(other) != constant)
        return std::nullopt;
    } else if (standsFor.insert({one, other}).first->second != other) {
      return std::nullopt;
    }
  for (auto [one, other] : llvm::zip(first.results, piece.results))
    if (standsFor.lookup(one) != other)
      return std::nullopt;
  return llvm::map_to_vector(kind.arguments, [&](Value value) { return standsFor.lookup(value); });
}

/// In the order of their first pieces.
static std::vector<Kind> kindsOf(std::vector<Piece> pieces) {
  std::vector<Kind> kinds;
  std::unordered_map<size_t, SmallVector<size_t, 1>> ofHash;
  for (Piece &piece : pieces) {
    SmallVector<size_t, 1> &candidates = ofHash[piece.hash];
    bool isKnown = false;
    for (size_t candidate : candidates)
      if (auto values = matches(kinds[candidate], piece)) {
        kinds[candidate].others.emplace_back(std::move(piece), std::move(*values));
        isKnown = true;
        break;
      }
    if (isKnown)
      continue;
    if (auto arguments = argumentsOf(piece)) {
      candidates.push_back(kinds.size());
      kinds.push_back({std::move(piece), std::move(*arguments), {}});
    }
  }
  return kinds;
}

//===----------------------------------------------------------------------===//
// Functions and calls
//===----------------------------------------------------------------------===//

/// What a call of a piece gives: nothing, a value, or a struct of several.
static Type resultType(const Piece &piece, MLIRContext *context) {
  if (piece.results.empty())
    return LLVM::LLVMVoidType::get(context);
  if (piece.results.size() == 1)
    return piece.results.front().getType();
  return LLVM::LLVMStructType::getLiteral(
      context, llvm::map_to_vector(piece.results, [](Value value) { return value.getType(); }));
}

static LLVM::LLVMFuncOp functionOf(const Kind &kind, LLVM::LLVMFuncOp caller,
                                   SymbolTable &symbols) {
  const Piece &piece = kind.first;
  Location loc = piece.ops.front()->getLoc();
  OpBuilder builder(caller.getContext());
  auto types = llvm::map_to_vector(kind.arguments, [](Value value) { return value.getType(); });
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, (caller.getName() + ".shared").str(),
      LLVM::LLVMFunctionType::get(resultType(piece, builder.getContext()), types),
      LLVM::Linkage::Internal);
  symbols.insert(function);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  IRMapping inside;
  inside.map(kind.arguments, function.getArguments());
  for (Operation *op : piece.ops)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (constantOf(operand) && !inside.contains(operand) &&
            !op->isAncestor(operand.getDefiningOp()))
          builder.clone(*operand.getDefiningOp(), inside);
    });
  for (Operation *op : piece.ops)
    builder.clone(*op, inside);
  auto results =
      llvm::map_to_vector(piece.results, [&](Value value) { return inside.lookup(value); });
  Value result;
  if (results.size() == 1) {
    result = results.front();
  } else if (!results.empty()) {
    result = LLVM::PoisonOp::create(builder, loc, resultType(piece, builder.getContext()));
    for (auto [index, part] : llvm::enumerate(results))
      result = LLVM::InsertValueOp::create(builder, loc, result, part, index);
  }
  LLVM::ReturnOp::create(builder, loc, result ? ValueRange(result) : ValueRange());
  return function;
}

/// What calls give for results of pieces that are no more.
using Replaced = llvm::DenseMap<Value, Value>;

static void call(LLVM::LLVMFuncOp function, Piece &piece, ArrayRef<Value> arguments,
                 Replaced &replaced) {
  OpBuilder builder(piece.ops.back());
  Location loc = piece.ops.front()->getLoc();
  auto now = llvm::map_to_vector(arguments, [&](Value value) {
    auto found = replaced.find(value);
    return found == replaced.end() ? value : found->second;
  });
  auto call = LLVM::CallOp::create(builder, loc, function, now);
  for (auto [index, result] : llvm::enumerate(piece.results)) {
    Value value = call->getResult(0);
    if (piece.results.size() > 1)
      value = LLVM::ExtractValueOp::create(builder, loc, value, index);
    result.replaceAllUsesWith(value);
    replaced[result] = value;
  }
  for (Operation *op : llvm::reverse(piece.ops))
    op->erase();
}

static void shareLoops(LLVM::LLVMFuncOp function, size_t size, SymbolTable &symbols) {
  Pieces pieces(size);
  for (Block &block : function.getBody())
    pieces.visit(block);
  std::vector<Kind> kinds = kindsOf(pieces.take());
  llvm::erase_if(kinds, [](const Kind &kind) { return kind.others.empty(); });
  // All of them before any piece is gone.
  auto functions = llvm::map_to_vector(
      kinds, [&](const Kind &kind) { return functionOf(kind, function, symbols); });
  Replaced replaced;
  for (auto [kind, shared] : llvm::zip_equal(kinds, functions)) {
    call(shared, kind.first, kind.arguments, replaced);
    for (auto &[piece, values] : kind.others)
      call(shared, piece, values, replaced);
  }
}

namespace {
struct ShareLoops : fsm::impl::ShareLoopsPassBase<ShareLoops> {
  using ShareLoopsPassBase::ShareLoopsPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>())) {
      size_t size = 0;
      function.walk([&](Operation *) { ++size; });
      if (size > mostOps)
        shareLoops(function, size, symbols);
    }
  }
};
} // namespace
