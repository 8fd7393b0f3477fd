//===- InstructionWriter.h - Instructions of PTX as ops ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IMPORT_TRITON_INSTRUCTIONWRITER_H
#define FSM_IMPORT_TRITON_INSTRUCTIONWRITER_H

#include "Importer.h"

namespace fsm {

/// `add.s32 $0, {a, b}, 5`: words of the name, and for each operand its registers or its number.
struct Instruction {
  llvm::StringRef name;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SmallVector<llvm::SmallVector<llvm::StringRef>> operands;
};

/// A type as names of instructions end in it: `s32`, `f16`.
struct RegisterType {
  /// b, u, s, f; or t for bf16.
  char kind = 'b';
  unsigned bits = 0;

  bool isFloat() const { return kind == 'f' || kind == 't'; }
};

/// Writes instructions as ops on blocks of one shape, or on scalars. A register is an integer of its
/// bits, a predicate's is one, for each element; an instruction takes it for what the type at the end of its name says.
class InstructionWriter {
public:
  InstructionWriter(Importer &importer, mlir::Operation *op, mlir::Type like)
      : b(importer), op(op), like(like) {}

  /// Instructions that only compute, or say in which order launches run; others are an error.
  mlir::LogicalResult write(llvm::StringRef text);
  /// Under a guard the register stays as it was where that does not hold.
  void set(llvm::StringRef name, mlir::Value bits);
  /// Null if nothing has written the register.
  mlir::Value get(llvm::StringRef name, unsigned bits) {
    return resized(registers.lookup(name), bits, false);
  }

  /// griddepcontrol was among the instructions, which gives nothing.
  bool ordersLaunches = false;

private:
  mlir::LogicalResult write(const Instruction &instruction);
  mlir::LogicalResult move(const Instruction &instruction, unsigned bits);
  mlir::LogicalResult convert(const Instruction &instruction, RegisterType from);
  mlir::LogicalResult readGuard(llvm::StringRef &statement);
  mlir::Value compare(const Instruction &instruction, RegisterType type);
  mlir::Value select(const Instruction &instruction, RegisterType type);
  mlir::Value compute(const Instruction &instruction, RegisterType type);
  mlir::Value computeFloats(llvm::StringRef name, llvm::ArrayRef<mlir::Value> x);
  mlir::Value computeIntegers(llvm::StringRef name, llvm::ArrayRef<mlir::Value> x,
                              RegisterType type);
  mlir::Value shifted(llvm::StringRef name, mlir::Value x, mlir::Value by, bool isSigned);
  mlir::Value funnel(const Instruction &instruction, llvm::ArrayRef<mlir::Value> x);

  mlir::Type of(mlir::Type element) {
    auto block = llvm::dyn_cast<mlir::RankedTensorType>(like);
    return block ? mlir::Type(block.clone(element)) : element;
  }
  mlir::Type integers(unsigned bits) { return of(b.getIntegerType(bits)); }
  mlir::Type elementOf(RegisterType type);
  mlir::Value number(int64_t value, unsigned bits) { return b.integer(value, integers(bits)); }
  mlir::Value resized(mlir::Value value, unsigned bits, bool isSigned);
  /// The operand as a type has it; null if it is neither a register that was written nor a number.
  mlir::Value operand(llvm::ArrayRef<llvm::StringRef> names, RegisterType type);
  mlir::Value bitsOf(mlir::Value value);
  mlir::InFlightDiagnostic refuseInstruction(llvm::StringRef text) {
    return refuse(op) << "expected instructions of PTX that only compute, and that are known, got '"
                      << text.trim() << "'";
  }

  Importer &b;
  mlir::Operation *op;
  mlir::Type like;
  llvm::StringMap<mlir::Value> registers;
  /// Where the instruction that is being written has an effect; null for everywhere.
  mlir::Value guard;
};

} // namespace fsm

#endif // FSM_IMPORT_TRITON_INSTRUCTIONWRITER_H
