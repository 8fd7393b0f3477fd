//===- RunBatch.cpp - Many runs of fsm-run in one process -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunBatch.h"
#include "fsm/Tools/Quote.h"
#include "fsm/Tools/Run/BatchWorker.h"
#include "fsm/Tools/WholeFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

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

static LineStatus performLine(const std::string &line, const BatchRun &run) {
  Result<std::vector<std::string>> words = splitWords(line);
  if (words)
    return run({words->begin(), words->end()});
  std::fprintf(stderr, "%s\n", batchError(words.error().message).message.c_str());
  return {2};
}

static BatchWorker::Answer tooLong() {
  return {2, "",
          batchError("expected at most " + std::to_string(kMaxLineBytes) +
                     " characters in a line, got more")
                  .message +
              "\n"};
}

Result<int> fsm::runBatch(const std::string &path, const BatchRun &run) {
  Result<File> file = openLines(path);
  if (!file)
    return file.error();
  BatchWorker worker([&](const std::string &line) { return performLine(line, run); });
  int highest = 0;
  for (size_t number = 1; std::optional<Line> line = readLine(file->get()); ++number) {
    if (isNothing(line->text))
      continue;
    Result<std::optional<BatchWorker::Answer>> answer =
        line->isTooLong ? std::optional(tooLong()) : worker.perform(line->text);
    if (!answer)
      return answer.error();
    // In the child all is done.
    if (!*answer)
      return 0;
    const auto &[status, output, errors] = **answer;
    highest = std::max(highest, status);
    std::printf("[%zu] rc=%d stdout=%zu stderr=%zu\n", number, status, output.size(),
                errors.size());
    std::fwrite(output.data(), 1, output.size(), stdout);
    std::fwrite(errors.data(), 1, errors.size(), stdout);
    // Who wrote the line may wait for this.
    std::fflush(stdout);
  }
  if (std::ferror(file->get()))
    return batchError("cannot read " + quoted(path) + " to its end");
  return highest;
}
