//===- NpyHeader.h - The header of a NumPy file -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_NPYHEADER_H
#define FSM_TOOLS_ARGUMENTS_NPYHEADER_H

#include "fsm/Tools/Arguments/Npy.h"

namespace fsm {

/// A longer header is refused, whatever its length field can say.
inline constexpr uint64_t kMaxNpyHeaderBytes = 65536;

/// Magic string, version, length field: the bytes before the longest header.
inline constexpr uint64_t kNpyPreambleBytes = 12;

/// Everything a .npy file says before its data.
struct NpyHeader {
  NpyType type = NpyType::F4;
  bool bigEndian = false;
  bool fortranOrder = false;
  std::vector<uint64_t> shape;
  /// Where the data begins, and how much there is: exactly the rest of the file.
  uint64_t dataOffset = 0;
  uint64_t dataBytes = 0;
};

/// Reads the header of a file of `fileBytes` bytes. `start` holds its beginning:
/// the whole file, or at least kNpyPreambleBytes + kMaxNpyHeaderBytes of it.
Result<NpyHeader> parseNpyHeader(std::string_view start, uint64_t fileBytes,
                                 const std::string &name);

/// The preamble and header of version 1.0 in the byte order of this machine,
/// padded so that the data begins at a multiple of 64 bytes.
std::string npyHeaderText(NpyType type, const std::vector<uint64_t> &shape, bool fortranOrder);

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_NPYHEADER_H
