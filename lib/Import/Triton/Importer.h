//===- Importer.h - One function of Triton's IR -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IMPORT_TRITON_IMPORTER_H
#define FSM_IMPORT_TRITON_IMPORTER_H

#include "PointerForms.h"

#include "fsm/Import/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fsm {

/// A block of pointers, as it is written: `base` plus `moved` plus `offsets[i]` elements, or,
/// without a base, `offsets[i]` as addresses in bytes.
struct PointerBlock {
  mlir::RankedTensorType type;
  mlir::Value base;
  /// A scalar integer, or null for 0.
  mlir::Value moved;
  /// A block of i32 or i64, or null for zeros.
  mlir::Value offsets;
};

/// Where an access goes.
struct AccessPlace {
  mlir::Value pointer;
  /// Null for a scalar.
  mlir::Value offsets;
};

/// Writes one function in FSM's language, op by op.
class Importer : public mlir::ImplicitLocOpBuilder {
public:
  Importer(const mlir::ImplicitLocOpBuilder &builder, const PointerForms &forms,
           const ImportTritonPassOptions &options)
      : ImplicitLocOpBuilder(builder), options(options), forms(forms) {}

  const ImportTritonPassOptions &options;

  /// The ops of a block, one behind the other, where the builder is.
  mlir::LogicalResult importOps(mlir::Block &block);

  /// What a value of the source is now. Blocks of pointers are `pointers`.
  mlir::Value get(mlir::Value source);
  void set(mlir::Value source, mlir::Value imported) { values.map(source, imported); }
  /// The op as it is, on what its operands are now.
  mlir::Operation *clone(mlir::Operation *op);

  //== Types

  /// A pointer of the language for one of Triton's; addresses for a block of them.
  mlir::Type typeOf(mlir::Type source);

  //== Blocks of pointers

  PointerForm formOf(mlir::Value source) const { return forms.of(source); }
  PointerBlock pointers(mlir::Value source);
  void setPointers(mlir::Value source, const PointerBlock &block) { blocks[source] = block; }
  /// The offsets with those that all share, of so many bits.
  mlir::Value wholeOffsets(PointerBlock block, unsigned bits);
  /// The addresses in bytes, as a block of i64.
  mlir::Value addressesOf(PointerBlock block);
  mlir::Value addressesOf(mlir::Value source) { return addressesOf(pointers(source)); }
  void setAddresses(mlir::Value source, mlir::Value addresses);
  /// Promised to begin at such multiples of bytes, by dimension.
  PointerBlock aligned(PointerBlock block, mlir::DenseI64ArrayAttr bytes);
  /// The bytes between one element and the next that pointers of a block point to.
  int64_t strideOf(mlir::RankedTensorType pointers);
  /// Where the elements are that a pointer or a block of them points to, of which a mask of the source leaves some out.
  AccessPlace placeOf(mlir::Value source, mlir::Value mask = {});
  PointerBlock moved(const PointerBlock &block, mlir::Value offset, PointerForm form);
  /// A pointer that takes what it points to for something else.
  mlir::Value castPointer(mlir::Value pointer, mlir::Type pointee);

  //== Promises

  /// What the op says of its only result.
  void importHints(mlir::Operation *op);
  /// What the op says of a value by attributes whose names end so.
  void importHints(mlir::Operation *op, mlir::Value source, const llvm::Twine &suffix);

  //== Values that meet where control flow does: several for a block of pointers

  llvm::SmallVector<mlir::Type> joinedTypes(mlir::ValueRange joined);
  /// What is handed to each of `joined`.
  llvm::SmallVector<mlir::Value> joinedValues(mlir::ValueRange from, mlir::ValueRange joined);
  void setJoined(mlir::ValueRange joined, mlir::ValueRange imported);

  //== Small pieces

  mlir::Value integer(int64_t number, mlir::Type type);
  mlir::Value extended(mlir::Value number, unsigned bits);
  mlir::Value reshaped(mlir::Value block, llvm::ArrayRef<int64_t> shape);
  mlir::Value transposed(mlir::Value block, llvm::ArrayRef<int32_t> order);
  mlir::Value converted(mlir::Value floats, mlir::Type element);
  /// The block's elements, so many neighbours of the last dimension in as many blocks; a power of
  /// two that divides its extent.
  llvm::SmallVector<mlir::Value> unpacked(mlir::Value block, int64_t pack);
  /// What `unpacked` has taken apart.
  mlir::Value packed(llvm::ArrayRef<mlir::Value> blocks);

private:
  /// An assert that elements begin at multiples of their size, if these are asked for.
  void assertMultiples(mlir::Value addresses, int64_t size, mlir::Value mask);

  const PointerForms &forms;
  mlir::IRMapping values;
  llvm::DenseMap<mlir::Value, PointerBlock> blocks;
  /// Of blocks of pointers of the source, what is said of their first addresses.
  llvm::DenseMap<mlir::Value, mlir::DenseI64ArrayAttr> promised;
};

/// Which op is written how.
class RewriteTable {
public:
  using Function = std::function<mlir::LogicalResult(Importer &, mlir::Operation *)>;

  template <typename Op>
  void on(mlir::LogicalResult (*rewrite)(Importer &, Op)) {
    rewrites[Op::getOperationName()] = [rewrite](Importer &importer, mlir::Operation *op) {
      return rewrite(importer, llvm::cast<Op>(op));
    };
  }

  const Function *find(mlir::Operation *op) const {
    auto found = rewrites.find(op->getName().getStringRef());
    return found == rewrites.end() ? nullptr : &found->second;
  }

private:
  llvm::StringMap<Function> rewrites;
};

void addArithmeticRewrites(RewriteTable &table);
void addCombinerRewrites(RewriteTable &table);
void addDotRewrites(RewriteTable &table);
void addInlinePTXRewrites(RewriteTable &table);
void addLibdeviceRewrites(RewriteTable &table);
void addMemoryRewrites(RewriteTable &table);
void addShapeRewrites(RewriteTable &table);
void addStructureRewrites(RewriteTable &table);

/// An error that says that this cannot be imported, and why.
mlir::InFlightDiagnostic refuse(mlir::Operation *op);

/// Makes `scf` of branches between blocks.
mlir::LogicalResult structureBranches(triton::FuncOp function);

/// A kernel or a helper in front of the function, which stays.
mlir::LogicalResult importFunction(triton::FuncOp function, const PointerForms &forms,
                                   const ImportTritonPassOptions &options);

} // namespace fsm

#endif // FSM_IMPORT_TRITON_IMPORTER_H
