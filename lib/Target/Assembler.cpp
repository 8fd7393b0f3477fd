//===- Assembler.cpp - What NVIDIA's assembler makes of PTX ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Target/Assembler.h"

#include "Toolkit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace fsm;

namespace {
/// A file that is gone with this object.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef suffix) {
    isThere = !llvm::sys::fs::createTemporaryFile("fsm", suffix, path);
  }
  ~TemporaryFile() {
    if (isThere)
      llvm::sys::fs::remove(path);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  llvm::StringRef name() const { return path; }
  bool write(const std::string &content) const {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    if (!isThere || error)
      return false;
    stream << content;
    stream.close();
    bool isWritten = !stream.has_error();
    stream.clear_error();
    return isWritten;
  }
  std::string read() const {
    auto buffer =
        llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

private:
  llvm::SmallString<128> path;
  bool isThere;
};
} // namespace

static Error missing(const std::string &programs) {
  return badInput("error: expected " + programs +
                  " of a CUDA toolkit that CUDA_HOME, CUDA_PATH, CUDA_ROOT or PATH leads to, got "
                  "none; --emit=ptx needs no toolkit");
}

/// What a program prints, called with these words.
static Result<std::string> outputOf(const std::string &program,
                                    llvm::ArrayRef<llvm::StringRef> words) {
  TemporaryFile output("txt"), errors("txt");
  llvm::SmallVector<llvm::StringRef> line = {program};
  line.append(words.begin(), words.end());
  std::string reason;
  int status = llvm::sys::ExecuteAndWait(
      program, line, /*Env=*/std::nullopt,
      /*Redirects=*/{llvm::StringRef(""), output.name(), errors.name()}, /*SecondsToWait=*/0,
      /*MemoryLimit=*/0, &reason);
  if (status == 0)
    return output.read();
  std::string said = llvm::StringRef(errors.read() + reason).trim().str();
  return badInput("error: '" + program + "' failed" + (said.empty() ? "" : ": " + said));
}

Result<std::string> fsm::assemblePTX(const std::string &ptx, const std::string &target) {
  std::optional<std::string> program = findToolkitProgram("ptxas");
  if (!program)
    return missing("ptxas");
  TemporaryFile text("ptx"), cubin("cubin");
  if (!text.write(ptx))
    return badInput("error: cannot write the PTX to '" + text.name().str() + "' for ptxas");
  std::string architecture = "-arch=" + target;
  Result<std::string> done = outputOf(*program, {architecture, text.name(), "-o", cubin.name()});
  if (!done)
    return done;
  return cubin.read();
}

Result<std::string> fsm::disassembleCubin(const std::string &cubin) {
  std::optional<std::string> program = findToolkitProgram("nvdisasm");
  bool isDisassembler = program.has_value();
  if (!program)
    program = findToolkitProgram("cuobjdump");
  if (!program)
    return missing("nvdisasm or cuobjdump");
  TemporaryFile code("cubin");
  if (!code.write(cubin))
    return badInput("error: cannot write the cubin to '" + code.name().str() + "'");
  if (isDisassembler)
    return outputOf(*program, {"--print-code", code.name()});
  return outputOf(*program, {"-sass", code.name()});
}
