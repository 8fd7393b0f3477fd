//===- RunBatch.cpp - Many runs of fsm-run in one process -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunBatch.h"
#include "fsm/Tools/Quote.h"
#include "fsm/Tools/WholeFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace fsm;

/// Longer lines are refused; none of use comes near.
static constexpr size_t kMaxLineBytes = size_t(1) << 20;

static Error batchError(const std::string &message) {
  return badInput("fsm-run: --batch: " + message);
}

static bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

Result<std::vector<std::string>> fsm::splitWords(std::string_view line) {
  std::vector<std::string> words;
  bool inWord = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (c == '\0')
      return badInput("expected text, got a zero byte at column " + std::to_string(i + 1));
    if (!quote && isSpace(c)) {
      inWord = false;
      continue;
    }
    // Quotes begin a word even if nothing is between them.
    if (!inWord)
      words.emplace_back();
    inWord = true;
    if (c == quote) {
      quote = 0;
    } else if (!quote && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'') {
      bool isLast = i + 1 == line.size();
      if (isLast)
        return badInput("expected a character after the '\\' at the end of the line");
      bool keepsIt = quote && line[i + 1] != '"' && line[i + 1] != '\\';
      words.back() += keepsIt ? c : line[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote)
    return badInput(std::string("expected another ") + quote + " before the end of the line");
  return words;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

namespace {
struct CloseFile {
  void operator()(FILE *file) const {
    if (file != stdin)
      std::fclose(file);
  }
};
using File = std::unique_ptr<FILE, CloseFile>;

/// A line without its end, or how many bytes of it were too many.
struct Line {
  std::string text;
  bool isTooLong = false;
};
} // namespace

static Result<File> openLines(const std::string &path) {
  if (path == "-")
    return File(stdin);
  uint64_t bytes = 0;
  Result<int> descriptor = openRegularFile(path, bytes);
  if (!descriptor)
    return descriptor.error();
  FILE *file = fdopen(*descriptor, "r");
  if (!file) {
    int reason = errno;
    close(*descriptor);
    return batchError("cannot read " + quoted(path) + ": " + std::strerror(reason));
  }
  return File(file);
}

/// The next line, or nothing at the end. Bytes beyond the limit are passed over.
static std::optional<Line> readLine(FILE *file) {
  Line line;
  int c = std::getc(file);
  if (c == EOF)
    return std::nullopt;
  for (; c != EOF && c != '\n'; c = std::getc(file)) {
    line.isTooLong |= line.text.size() == kMaxLineBytes;
    if (!line.isTooLong)
      line.text += static_cast<char>(c);
  }
  return line;
}

static bool isNothing(const std::string &text) {
  auto first = std::find_if_not(text.begin(), text.end(), isSpace);
  return first == text.end() || *first == '#';
}

//===----------------------------------------------------------------------===//
// What a line prints
//===----------------------------------------------------------------------===//

namespace {
/// Takes what is printed to stdout or stderr while it is active. Works on the
/// descriptor, so that it gets what LLVM prints too.
class Capture {
public:
  Capture(FILE *stream)
      : stream(stream), number(fileno(stream)), original(fcntl(number, F_DUPFD_CLOEXEC, 3)),
        kept(memfd_create("fsm-run output", MFD_CLOEXEC)) {}

  bool isValid() const { return original.get() >= 0 && kept.get() >= 0; }

  bool begin() {
    std::fflush(stream);
    return ftruncate(kept.get(), 0) == 0 && lseek(kept.get(), 0, SEEK_SET) == 0 &&
           dup2(kept.get(), number) >= 0;
  }

  /// What was printed since `begin`, nothing if that cannot be told.
  std::optional<std::string> end() {
    std::fflush(stream);
    bool isBack = dup2(original.get(), number) >= 0;
    off_t size = lseek(kept.get(), 0, SEEK_END);
    if (!isBack || size < 0)
      return std::nullopt;
    std::string text(static_cast<size_t>(size), '\0');
    if (!readExactly(kept.get(), "output", text.data(), text.size(), 0))
      return std::nullopt;
    return text;
  }

private:
  FILE *stream;
  int number;
  FileDescriptor original;
  FileDescriptor kept;
};
} // namespace

static int performLine(const Line &line, const BatchRun &run) {
  Result<std::vector<std::string>> words =
      line.isTooLong ? badInput("expected at most " + std::to_string(kMaxLineBytes) +
                                " characters in a line, got more")
                     : splitWords(line.text);
  if (words)
    return run({words->begin(), words->end()});
  std::fprintf(stderr, "%s\n", batchError(words.error().message).message.c_str());
  return 2;
}

Result<int> fsm::runBatch(const std::string &path, const BatchRun &run) {
  Result<File> file = openLines(path);
  if (!file)
    return file.error();
  Capture output(stdout), errors(stderr);
  if (!output.isValid() || !errors.isValid())
    return batchError(std::string("cannot keep what the runs print: ") + std::strerror(errno));
  int highest = 0;
  for (size_t number = 1; std::optional<Line> line = readLine(file->get()); ++number) {
    if (isNothing(line->text))
      continue;
    bool begun = output.begin() && errors.begin();
    int status = performLine(*line, run);
    std::optional<std::string> printed = output.end(), complained = errors.end();
    if (!begun || !printed || !complained)
      return batchError("cannot keep what line " + std::to_string(number) + " prints");
    highest = std::max(highest, status);
    std::printf("[%zu] rc=%d stdout=%zu stderr=%zu\n", number, status, printed->size(),
                complained->size());
    std::fwrite(printed->data(), 1, printed->size(), stdout);
    std::fwrite(complained->data(), 1, complained->size(), stdout);
    // Who wrote the line may wait for this.
    std::fflush(stdout);
  }
  if (std::ferror(file->get()))
    return batchError("cannot read " + quoted(path) + " to its end");
  return highest;
}
