//===- LaunchCheck.h - Arguments against a signature -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ENGINE_LAUNCHCHECK_H
#define FSM_ENGINE_LAUNCHCHECK_H

#include "fsm/Artifact/LaunchRules.h"
#include "fsm/Compiler/Compiler.h"
#include "fsm/Runtime/TensorMaps.h"

#include "llvm/ADT/SmallVector.h"

namespace fsm {

/// The values of a launch's arguments, as a kernel reads them: an address, or a
/// scalar's bits in the low bytes.
using ArgumentBits = llvm::SmallVector<uint64_t, 16>;

/// All that a launch hands to a device: the values of its arguments, the hidden ones included, of
/// which tensor maps have their own memory.
struct LaunchValues {
  ArgumentBits bits;
  std::vector<HiddenArgument> hidden;
  std::vector<cuda::TensorMap> maps;

  /// One to each value, as long as this is neither changed nor moved.
  llvm::SmallVector<void *, 16> pointers();
};

/// Converts each argument to its type. An error names the argument and prints
/// the signature.
Result<ArgumentBits> convertArguments(const KernelSignature &signature,
                                      const std::vector<Argument> &arguments);

/// The arguments that are integers, and 0 for others.
std::vector<int64_t> integersOf(const std::vector<Argument> &arguments);

/// Checks converted arguments against what the kernel's text promises of them.
inline Result<void> checkPromises(const KernelSignature &signature,
                                  const std::vector<ArgumentFact> &promises,
                                  const ArgumentBits &bits) {
  return checkPromises(signature, promises, bits.data(), bits.size());
}

/// Refuses memory of a GPU on the device of this name if it has none, and memory of the host whose
/// size nobody knows where it has to be known.
Result<void> checkPlaces(const KernelSignature &signature, const std::vector<Argument> &arguments,
                         std::string_view device);

/// Refuses memory of the host that has bytes and no address.
Result<void> checkThere(const KernelSignature &signature, const std::vector<Argument> &arguments);

/// Refuses memory of the host, for a launch that copies nothing.
Result<void> checkOnDevice(const KernelSignature &signature,
                           const std::vector<Argument> &arguments);

/// Appends what is known of each argument; for a GPU, of arguments whose
/// addresses are those on it, and how often loops of a kernel run that end at one, where it is given.
void appendFacts(const std::vector<Argument> &arguments, llvm::SmallVectorImpl<ArgumentFact> &facts,
                 bool forDevice = false, const KernelSignature *kernel = nullptr);

} // namespace fsm

#endif // FSM_ENGINE_LAUNCHCHECK_H
