//===- ArgumentValue.h - Arguments ready to launch --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_ARGUMENTVALUE_H
#define FSM_TOOLS_ARGUMENTS_ARGUMENTVALUE_H

#include "fsm/Artifact/Launch.h"
#include "fsm/Compiler/Compiler.h"
#include "fsm/Tools/Arguments/ArgumentSpec.h"
#include "fsm/Tools/Arguments/Npy.h"

#include <optional>

namespace fsm {

/// The value of one kernel argument, of the type the kernel wants.
struct ArgumentValue {
  KernelArgument argument;
  /// A scalar's bits, in the low bytes.
  uint64_t bits = 0;
  /// A pointer's elements, and how they are seen as an array.
  AlignedBuffer data;
  /// The argument that they belong to as well, from this byte of it on.
  struct Overlap {
    size_t argument, begin;
  };
  std::optional<Overlap> overlap;
  std::vector<uint64_t> shape;
  /// The first index varies fastest, not the last.
  bool fortranOrder = false;
  /// What --out writes them as: the type of the file they came from, or the
  /// one that fits best (bf16 as uint16, f8 as uint8).
  NpyType fileType = NpyType::F4;
  /// And the order of that file.
  bool fileFortranOrder = false;
  /// Nothing was said of its elements, which are zeros.
  bool isBlank = false;

  /// What a launch takes. It points into this value.
  Argument forLaunch();
  /// The same value with elements of its own.
  Result<ArgumentValue> clone() const;
  /// Writes the elements, in the type and the order of the file that they came from.
  Result<void> write(const std::string &path) const;
  /// Moves the elements to a guard, as aligned as the kernel promises.
  Result<void> moveToGuard(Guard guard);
};

/// Makes the value `spec` asks for, checked against the kernel's argument at
/// `position`: reads its file, or allocates and fills its elements.
Result<ArgumentValue> materialize(const ArgumentSpec &spec, const KernelArgument &argument,
                                  size_t position);

/// Copies of all values; those that overlap do so again.
Result<std::vector<ArgumentValue>> cloneAll(const std::vector<ArgumentValue> &values);

/// Which spec each argument of the kernel gets: the specs without a name in
/// order, the others by name. Too many, too few, unknown and repeated ones are
/// errors that show the signature.
Result<std::vector<const ArgumentSpec *>> bindArguments(const std::vector<ArgumentSpec> &specs,
                                                        const KernelSignature &signature);

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_ARGUMENTVALUE_H
