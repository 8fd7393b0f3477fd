//===- Decode.h - What an instruction's modifiers mean ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_PROGRAM_DECODE_H
#define FSM_LIB_SIMULATOR_PROGRAM_DECODE_H

#include "../Text/Parser.h"

#include <initializer_list>

namespace fsm::sim {

/// Decodes all instructions of a function and finds its reconvergence points.
void decode(Function &function, const Program &program);

/// One instruction while it is decoded: modifiers are taken one by one, and what
/// is left at the end is an error.
class Decoder {
public:
  Decoder(Instruction &instruction, Function &function, const Program &program);

  Instruction &instruction;
  Function &function;
  const Program &program;

  bool has(const std::string &name) const;
  bool take(const std::string &name);
  /// The index in `names` of the modifier that stands there, or -1.
  int takeOneOf(std::initializer_list<const char *> names);
  /// As takeOneOf, but one must be there; `what` names it in the error.
  uint8_t needOneOf(const char *what, std::initializer_list<const char *> names);
  /// As needOneOf; the names are those of an enum, in its order.
  template <typename E>
  E need(const char *what, std::initializer_list<const char *> names) {
    return static_cast<E>(needOneOf(what, names));
  }
  /// The next type among the modifiers, or None.
  Type takeType();
  Type needType();
  /// Takes the rounding mode of a float operation, .ftz and .sat.
  FloatMode takeFloatMode();
  /// Takes the order of an access or a fence, and its scope.
  void takeOrder();
  /// Drops modifiers that do not change what a simulation computes.
  void ignore(std::initializer_list<const char *> names);
  /// The number of operands must lie in the range.
  void expectOperands(size_t least, size_t most);
  /// So many operands, and behind them the 64-bit policy that .L2::cache_hint allows, which is dropped.
  void expectOperandsAndPolicy(size_t operands);
  /// The operands are addresses in brackets, or values.
  void expectAddresses(std::initializer_list<size_t> operands) const;
  void expectValues(std::initializer_list<size_t> operands) const;
  /// An operand is a register, or so many in braces.
  void expectRegisters(const Operand &operand, size_t count) const;
  /// Turns the immediates from operand `first` to before `last` into bits of the type.
  void immediates(Type type, size_t first = 1, size_t last = ~size_t(0));
  void finish();
  [[noreturn]] void unsupported(const std::string &what) const;

private:
  void checkOperands() const;

  std::vector<std::string> left;
};

// The families; each returns false for an opcode that is not its own.
bool decodeInteger(Decoder &decoder);
bool decodeBits(Decoder &decoder);
bool decodeFloat(Decoder &decoder);
bool decodeCompare(Decoder &decoder);
bool decodeConvert(Decoder &decoder);
bool decodeMove(Decoder &decoder);
bool decodeAsyncStore(Decoder &decoder);
bool decodeMemory(Decoder &decoder);
bool decodeMatrix(Decoder &decoder);
bool decodeMma(Decoder &decoder);
bool decodeWgmma(Decoder &decoder);
bool decodeAtomic(Decoder &decoder);
bool decodeTensorCopy(Decoder &decoder);
bool decodeTensorMap(Decoder &decoder);
bool decodeAsyncCopy(Decoder &decoder);
bool decodeMbarrier(Decoder &decoder);
bool decodeWarp(Decoder &decoder);
bool decodeBarrier(Decoder &decoder);
bool decodeControl(Decoder &decoder);
bool decodeCachePolicy(Decoder &decoder);

/// Whether operand 0 is what the instruction writes.
bool hasResult(const Instruction &instruction);

/// Fills in `reconvergence` of every branch: the first instruction that all
/// paths from it meet in.
void findReconvergence(Function &function);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_PROGRAM_DECODE_H
