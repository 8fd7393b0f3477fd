//===- WholeFile.h - Read and write files in one piece ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_WHOLEFILE_H
#define FSM_TOOLS_WHOLEFILE_H

#include "fsm/Support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// An open file descriptor, closed at the end of its scope.
class FileDescriptor {
public:
  explicit FileDescriptor(int number) : number(number) {}
  ~FileDescriptor();
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor &operator=(const FileDescriptor &) = delete;

  int get() const { return number; }
  /// Closes now; false with errno when the system reports a late write error.
  bool close();

private:
  int number;
};

/// Opens `path` for reading and checks that it is an ordinary file: pipes,
/// devices and directories are refused by name. `bytes` receives its size.
Result<int> openRegularFile(const std::string &path, uint64_t &bytes);

/// Reads exactly `bytes` bytes from `offset` on; fewer are an error.
Result<void> readExactly(int file, const std::string &path, void *data, uint64_t bytes,
                         uint64_t offset);

/// The text of a file of at most `limit` bytes; "-" reads standard input.
Result<std::string> readWholeFile(const std::string &path, uint64_t limit);

/// Writes the pieces one after the other to `path`. An ordinary file appears
/// complete or not at all (a temporary file is renamed over it); symbolic
/// links, devices and pipes are written through. "-" is standard output.
Result<void> writeWholeFile(const std::string &path, const std::vector<std::string_view> &pieces);

} // namespace fsm

#endif // FSM_TOOLS_WHOLEFILE_H
