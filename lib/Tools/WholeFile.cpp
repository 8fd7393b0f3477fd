//===- WholeFile.cpp - Read and write files in one piece ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/WholeFile.h"
#include "fsm/Tools/Quote.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace fsm;

FileDescriptor::~FileDescriptor() {
  if (number >= 0)
    ::close(number);
}

bool FileDescriptor::close() {
  int closing = number;
  number = -1;
  return ::close(closing) == 0;
}

/// "PATH: cannot WHAT: No space left on device".
static Error systemError(const std::string &path, const char *what) {
  int code = errno;
  return badInput(printable(path) + ": cannot " + what + ": " + std::strerror(code));
}

Result<int> fsm::openRegularFile(const std::string &path, uint64_t &bytes) {
  // O_NONBLOCK: opening a pipe that nobody writes to must not hang.
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return systemError(path, "open");
  struct stat status;
  if (::fstat(file, &status) != 0) {
    Error error = systemError(path, "examine");
    ::close(file);
    return error;
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(file);
    const char *what = S_ISDIR(status.st_mode)    ? "a directory"
                       : S_ISFIFO(status.st_mode) ? "a pipe"
                                                  : "a device or socket";
    return badInput(printable(path) + ": expected an ordinary file, got " + what);
  }
  bytes = static_cast<uint64_t>(status.st_size);
  return file;
}

Result<void> fsm::readExactly(int file, const std::string &path, void *data, uint64_t bytes,
                              uint64_t offset) {
  auto *to = static_cast<char *>(data);
  while (bytes) {
    size_t piece = std::min<uint64_t>(bytes, 1 << 30);
    ssize_t got = ::pread(file, to, piece, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError(path, "read");
    if (got == 0)
      return badInput(printable(path) + ": byte " + std::to_string(offset) + ": expected " +
                      std::to_string(bytes) +
                      " more bytes, got the end of the file: it shrank while it was read");
    to += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<uint64_t>(got);
  }
  return {};
}

static Result<std::string> readStandardInput(uint64_t limit) {
  std::string text;
  char piece[65536];
  for (;;) {
    ssize_t got = ::read(STDIN_FILENO, piece, sizeof(piece));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError("<stdin>", "read");
    if (got == 0)
      return text;
    text.append(piece, static_cast<size_t>(got));
    if (text.size() > limit)
      return badInput("<stdin>: expected at most " + std::to_string(limit) + " bytes, got more");
  }
}

Result<std::string> fsm::readWholeFile(const std::string &path, uint64_t limit) {
  if (path == "-")
    return readStandardInput(limit);
  uint64_t bytes = 0;
  Result<int> opened = openRegularFile(path, bytes);
  if (!opened)
    return opened.error();
  FileDescriptor file(*opened);
  if (bytes > limit)
    return badInput(printable(path) + ": expected at most " + std::to_string(limit) +
                    " bytes, got " + std::to_string(bytes));
  std::string text(bytes, '\0');
  if (Result<void> read = readExactly(file.get(), path, text.data(), bytes, 0); !read)
    return read.error();
  return text;
}

static bool writeAll(int file, std::string_view piece) {
  while (!piece.empty()) {
    ssize_t written = ::write(file, piece.data(), std::min<size_t>(piece.size(), 1 << 30));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    piece.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

static Result<void> writePieces(FileDescriptor &file, const std::string &path,
                                const std::vector<std::string_view> &pieces) {
  for (std::string_view piece : pieces)
    if (!writeAll(file.get(), piece))
      return systemError(path, "write");
  if (!file.close())
    return systemError(path, "write");
  return {};
}

/// True when renaming over `path` replaces what its user means by it: nothing
/// yet, or an ordinary file that is no symbolic link.
static bool isReplaceable(const std::string &path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0)
    return errno == ENOENT;
  return S_ISREG(status.st_mode);
}

Result<void> fsm::writeWholeFile(const std::string &path,
                                 const std::vector<std::string_view> &pieces) {
  if (path == "-") {
    FileDescriptor copy(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    return writePieces(copy, "<stdout>", pieces);
  }
  constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY;
  if (!isReplaceable(path)) {
    FileDescriptor file(::open(path.c_str(), flags | O_TRUNC, 0666));
    if (file.get() < 0)
      return systemError(path, "open for writing");
    return writePieces(file, path, pieces);
  }
  std::string temporary = path + ".tmp" + std::to_string(::getpid());
  FileDescriptor file(::open(temporary.c_str(), flags | O_EXCL, 0666));
  if (file.get() < 0)
    return systemError(path, "create");
  Result<void> written = writePieces(file, path, pieces);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0)
    written = systemError(path, "create");
  if (!written)
    ::unlink(temporary.c_str());
  return written;
}
