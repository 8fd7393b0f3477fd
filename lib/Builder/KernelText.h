//===- KernelText.h - The text of a kernel that is being built -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_BUILDER_KERNELTEXT_H
#define FSM_BUILDER_KERNELTEXT_H

#include "fsm/Builder/KernelBuilder.h"

#include <string>
#include <string_view>
#include <vector>

namespace fsm {

std::string textOf(const ValueType &type);
/// A string as MLIR reads it.
std::string quoted(std::string_view text);
/// The types of values, with commas.
std::string typesOf(const Values &values);

/// What has been built of a kernel, as MLIR's text, op by op, and the first mistake.
class KernelText : public std::enable_shared_from_this<KernelText> {
public:
  KernelText(std::string name, CallSite at) : kernelName(std::move(name)), kernelAt(at) {}

  /// The kernel that a value is of, or null.
  static KernelText *of(const Value &value) { return value.kernel.get(); }
  /// `%3`, or `%in` of an argument.
  static std::string nameOf(const Value &value);
  /// `%3, %4`.
  static std::string namesOf(const Values &values);

  /// Keeps the first mistake; what is built behind it counts for nothing.
  void fail(CallSite at, const std::string &sentence);
  bool hasFailed() const { return !mistake.empty(); }

  /// Whether there is a value, of this kernel, that may be used here; if not, that is a mistake.
  bool isUsable(CallSite at, const Value &value);

  Value addArgument(CallSite at, ValueType type, std::string name, ArgumentPromises promises);
  /// An op with one result, or with several; none behind a mistake.
  Value add(CallSite at, const ValueType &result, const std::string &op);
  Values add(CallSite at, const std::vector<ValueType> &results, const std::string &op);
  void addLine(CallSite at, const std::string &op);

  /// The begin of an op with regions, what stands between them and behind them. `results` become
  /// values of the region around.
  Values open(const std::vector<ValueType> &results, const std::string &op);
  void append(const std::string &text) { body += text; }
  void between(const std::string &text);
  void close(CallSite at, const std::string &text);
  /// Where the text ends now, and the begin of an op that is put there when its results are known.
  size_t mark() const { return body.size(); }
  Values giveFrom(size_t mark, const std::vector<ValueType> &results, const std::string &op);
  /// A value that the region which is open gives to its ops, and where they are named.
  Value regionArgument(const ValueType &type);
  void addLabel(const std::vector<const Values *> &arguments);
  /// The end of a region: it gives values of these types.
  void yield(CallSite at, const std::string &op, const Values &values,
             const std::vector<ValueType> &types);

  /// A number as an element, in MLIR's form, or a mistake.
  std::string numberText(CallSite at, ScalarType type, const Operand &number);

  Result<std::string> finish(unsigned numWarps) const;

private:
  Value newValue(const ValueType &type);
  void beginRegion();
  std::string indent() const { return std::string(2 * regions.size(), ' '); }

  struct Argument {
    Value value;
    std::string name;
    ArgumentPromises promises;
    CallSite at;
  };

  std::string kernelName;
  CallSite kernelAt;
  std::vector<Argument> arguments;
  std::string body;
  std::string mistake;
  unsigned lastNumber = 0, lastRegion = 0;
  /// Those that are open, the kernel's own first.
  std::vector<unsigned> regions = {0};
};

} // namespace fsm

#endif // FSM_BUILDER_KERNELTEXT_H
