//===- Replay.cpp - Runs a target on the inputs of a folder ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the normal tests link the targets with: each file is one input, as libFuzzer
// would give it. Says how many there were; a crash ends it, and the name is on stderr.

#include "Target.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

static constexpr unsigned kSeconds = 5;

static std::string current;

extern "C" size_t LLVMFuzzerMutate(uint8_t *, size_t size, size_t) { return size; }

static void tellInput(int signal) {
  std::string line = "signal " + std::to_string(signal) + " at the input " + current + "\n";
  (void)!write(STDERR_FILENO, line.data(), line.size());
  std::_Exit(1);
}

int main(int argc, char **argv) {
  std::vector<std::string> files;
  for (int index = 1; index < argc; ++index) {
    if (!std::filesystem::is_directory(argv[index]))
      files.push_back(argv[index]);
    else
      for (const auto &entry : std::filesystem::recursive_directory_iterator(argv[index]))
        if (entry.is_regular_file())
          files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    std::signal(signal, tellInput);
  for (const std::string &file : files) {
    current = file;
    std::ifstream stream(file, std::ios::binary);
    std::string input(std::istreambuf_iterator<char>(stream), {});
    alarm(kSeconds);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
  }
  std::printf("%zu inputs\n", files.size());
  return files.empty();
}
