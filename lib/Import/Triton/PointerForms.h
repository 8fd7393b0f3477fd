//===- PointerForms.h - How blocks of pointers are written ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IMPORT_TRITON_POINTERFORMS_H
#define FSM_IMPORT_TRITON_POINTERFORMS_H

#include "fsm/IR/Triton/TritonDialect.h"

#include "mlir/IR/Dominance.h"

namespace fsm {

/// How a block of pointers is written, which the language has none of.
struct PointerForm {
  /// Nothing that is known, which fits all; a base and offsets; or an address for each.
  enum Kind { Unknown, Based, Addresses };
  /// Which block of offsets there is besides the uniform one.
  enum Width { None, I32, I64 };

  Kind kind = Unknown;
  Width width = None;
  /// A scalar pointer of the source.
  mlir::Value base;
  /// No offset is farther from 0; nothing if that is not known.
  std::optional<int64_t> bound;

  bool operator==(const PointerForm &other) const {
    return kind == other.kind && width == other.width && base == other.base && bound == other.bound;
  }
};

/// Whether a type is that of a block of pointers.
bool isPointerBlock(mlir::Type type);

/// The scalar that all elements of a block of integers are, as an operand or as a number; null
/// if they are not known to be equal.
mlir::OpFoldResult uniformOf(mlir::Value block);

/// The form of each block of pointers of a function whose control flow is structured. Where
/// several meet (what loops carry, results of branches, choices) they keep their base if it is one
/// and is there already; otherwise they become addresses.
class PointerForms {
public:
  explicit PointerForms(triton::FuncOp function);

  PointerForm of(mlir::Value pointers) const { return forms.lookup(pointers); }

  /// One line for each block of pointers, in the order of the text.
  void print(llvm::raw_ostream &os) const;

private:
  void visit(mlir::Operation *op);
  void visitAdd(triton::AddPtrOp op);
  void join(mlir::Operation *op, mlir::Value to, mlir::ValueRange from);
  void set(mlir::Value pointers, const PointerForm &form);

  triton::FuncOp function;
  mlir::DominanceInfo dominance;
  llvm::DenseMap<mlir::Value, PointerForm> forms;
  bool changed = false;
};

} // namespace fsm

#endif // FSM_IMPORT_TRITON_POINTERFORMS_H
