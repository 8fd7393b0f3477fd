//===- BatchWorker.cpp - The process that performs lines ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/BatchWorker.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Ctrl-C
//===----------------------------------------------------------------------===//

// The first one ends the line that is performed, a second one within a second all of them.

static std::atomic<pid_t> performing = 0;
static std::atomic<bool> isInterrupted = false;
static std::atomic<time_t> lastInterrupt = 0;

static void interrupt(int number) {
  time_t now = time(nullptr);
  if (now - lastInterrupt.exchange(now) <= 1) {
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  isInterrupted = true;
  if (pid_t child = performing)
    kill(child, SIGKILL);
}

namespace {
/// Takes Ctrl-C while a line is performed.
class InterruptWatch {
public:
  explicit InterruptWatch(pid_t child) {
    performing = child;
    isInterrupted = false;
    struct sigaction action = {};
    action.sa_handler = interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before);
  }
  ~InterruptWatch() {
    sigaction(SIGINT, &before, nullptr);
    performing = 0;
  }
  InterruptWatch(const InterruptWatch &) = delete;
  InterruptWatch &operator=(const InterruptWatch &) = delete;

private:
  struct sigaction before;
};
} // namespace

//===----------------------------------------------------------------------===//
// Between the processes
//===----------------------------------------------------------------------===//

/// Lets `transfer` have what is left, until nothing is.
template <typename Byte, typename Transfer>
static bool transferAll(Byte *rest, size_t bytes, Transfer transfer) {
  while (bytes > 0) {
    ssize_t count = transfer(rest, bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    rest += count;
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

static bool sendAll(int channel, const void *data, size_t bytes) {
  return transferAll(static_cast<const char *>(data), bytes, [=](const char *rest, size_t left) {
    return send(channel, rest, left, MSG_NOSIGNAL);
  });
}

static bool receiveAll(int channel, void *data, size_t bytes) {
  return transferAll(static_cast<char *>(data), bytes,
                     [=](char *rest, size_t left) { return recv(channel, rest, left, 0); });
}

static bool clear(const FileDescriptor &file) {
  return ftruncate(file.get(), 0) == 0 && lseek(file.get(), 0, SEEK_SET) == 0;
}

static std::optional<std::string> contentOf(const FileDescriptor &file) {
  off_t size = lseek(file.get(), 0, SEEK_END);
  if (size < 0)
    return std::nullopt;
  std::string text(static_cast<size_t>(size), '\0');
  if (!readExactly(file.get(), "output", text.data(), text.size(), 0))
    return std::nullopt;
  return text;
}

static int memoryFile() { return memfd_create("fsm-run output", MFD_CLOEXEC); }

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

BatchWorker::BatchWorker(std::function<LineStatus(const std::string &line)> perform)
    : performLine(std::move(perform)), output(memoryFile()), errors(memoryFile()) {}

/// Performs lines until there are no more, or the process that wants them has ended.
void BatchWorker::serve(pid_t parent) {
  isChild = true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have ended before that.
  if (getppid() != parent)
    _exit(2);
  if (dup2(output.get(), STDOUT_FILENO) < 0 || dup2(errors.get(), STDERR_FILENO) < 0)
    _exit(2);
  uint64_t bytes = 0;
  while (receiveAll(channel->get(), &bytes, sizeof(bytes))) {
    std::string line(bytes, '\0');
    if (!receiveAll(channel->get(), line.data(), line.size()))
      return;
    LineStatus done = performLine(line);
    std::fflush(stdout);
    std::fflush(stderr);
    if (!sendAll(channel->get(), &done, sizeof(done)) || done.isSpent)
      return;
  }
}

/// Makes the child; false with errno when there is none. Returns in both processes.
bool BatchWorker::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  // What is not written yet would be written by both.
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t parent = getpid();
  child = fork();
  channel.emplace(ends[child == 0 ? 1 : 0]);
  close(ends[child == 0 ? 0 : 1]);
  if (child == 0)
    serve(parent);
  return child >= 0;
}

/// The status of the line, or nothing if the child ended over it.
std::optional<LineStatus> BatchWorker::ask(const std::string &line) {
  uint64_t bytes = line.size();
  LineStatus done;
  if (sendAll(channel->get(), &bytes, sizeof(bytes)) &&
      sendAll(channel->get(), line.data(), line.size()) &&
      receiveAll(channel->get(), &done, sizeof(done)))
    return done;
  return std::nullopt;
}

/// The status of the line over which the child ended, and what there is to say of it.
int BatchWorker::bury(std::string &reason) {
  int how = 0;
  while (waitpid(child, &how, 0) < 0 && errno == EINTR)
    continue;
  child = 0;
  channel.reset();
  // Who ends by himself has said why.
  if (WIFEXITED(how))
    return WEXITSTATUS(how) ? WEXITSTATUS(how) : 1;
  if (isInterrupted)
    reason = "fsm-run: interrupted\n";
  else
    reason =
        std::string("fsm-run: the run was ended by a signal: ") + strsignal(WTERMSIG(how)) + "\n";
  return 1;
}

Result<std::optional<BatchWorker::Answer>> BatchWorker::perform(const std::string &line) {
  Error noRoom = badInput(std::string("fsm-run: --batch: cannot keep what the runs print: "));
  if (!clear(output) || !clear(errors) || (child == 0 && !start())) {
    noRoom.message += std::strerror(errno);
    return noRoom;
  }
  if (isChild)
    return std::optional<Answer>();
  Answer answer;
  std::string reason;
  {
    InterruptWatch watch(child);
    std::optional<LineStatus> done = ask(line);
    answer.status = done ? done->status : bury(reason);
    // The line is answered, however the child ends now.
    std::string unheard;
    if (done && done->isSpent)
      bury(unheard);
  }
  std::optional<std::string> printed = contentOf(output), complained = contentOf(errors);
  if (!printed || !complained) {
    noRoom.message += std::strerror(errno);
    return noRoom;
  }
  answer.output = std::move(*printed);
  answer.errors = std::move(*complained) + reason;
  return std::optional<Answer>(std::move(answer));
}

BatchWorker::~BatchWorker() {
  channel.reset();
  if (child > 0)
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
      continue;
}
