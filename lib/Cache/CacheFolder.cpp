//===- CacheFolder.cpp - Files of a cache ---------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFolder.h"

#include "fsm/Cache/KernelCache.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace fsm;

/// A file under which nobody looks for an entry.
static constexpr std::string_view kBeingWritten = ".writing-";
static constexpr off_t kMostFileBytes = off_t(256) << 20;

static Error folderError(const std::string &folder, const std::string &sentence) {
  return Error{Error::Kind::BadInput, "error: the cache's folder '" + folder + "' " + sentence};
}

static std::string reason() { return std::strerror(errno); }

/// Whether only the user and root can have written.
static bool isTrusted(const struct stat &status) {
  return (status.st_uid == geteuid() || status.st_uid == 0) &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Result<void> fsm::checkCacheFolder(const std::string &folder) {
  struct stat status;
  if (lstat(folder.c_str(), &status) != 0)
    return folderError(folder, "cannot be read: " + reason());
  if (!S_ISDIR(status.st_mode))
    return folderError(folder, "is no folder");
  if (!isTrusted(status))
    return folderError(folder, "may be written by others; expected the mode 0700 and the user's own");
  return {};
}

Result<void> fsm::makeCacheFolder(const std::string &folder) {
  // Where a server has mounted the folders above, to make them may fail for any reason.
  struct stat status;
  if (lstat(folder.c_str(), &status) == 0)
    return checkCacheFolder(folder);
  for (size_t slash = 0; slash != std::string::npos;) {
    slash = folder.find('/', slash + 1);
    std::string part = folder.substr(0, slash);
    if (mkdir(part.c_str(), S_IRWXU) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
      return folderError(folder, "cannot be made: " + reason());
  }
  return checkCacheFolder(folder);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// A file that is open.
class File {
public:
  explicit File(int number) : number(number) {}
  ~File() {
    if (number >= 0)
      close(number);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  /// What closing it led to.
  bool finish() { return close(std::exchange(number, -1)) == 0; }
  int number;
};
} // namespace

std::optional<std::string> fsm::readCacheFile(const std::string &folder, const std::string &name,
                                              CacheRead kind) {
  if (folder.empty() || !checkCacheFolder(folder))
    return std::nullopt;
  std::string path = folder + "/" + name;
  File file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (file.number < 0 || fstat(file.number, &status) != 0 || !S_ISREG(status.st_mode) ||
      !isTrusted(status) || status.st_size > kMostFileBytes)
    return std::nullopt;
  std::string text(static_cast<size_t>(status.st_size), '\0');
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count = read(file.number, &text[done], text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    done += static_cast<size_t>(count);
  }
  // Where the time of its use cannot be written, it was not used.
  if (kind == CacheRead::IsUse)
    futimens(file.number, nullptr);
  return text;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static bool writeAll(int file, const std::string &content) {
  for (size_t done = 0; done < content.size();) {
    ssize_t count = write(file, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

/// Where a file is written that is no entry yet. The name is this call's own: processes of other
/// machines and containers that share the folder may have our number.
static std::string nameToWrite(const std::string &folder) {
  uint64_t number[2] = {};
  // Without a generator there is a clock: a name that another has is refused when it is made.
  if (getrandom(number, sizeof(number), GRND_NONBLOCK) != sizeof(number)) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    number[0] = static_cast<uint64_t>(now.tv_sec);
    number[1] = static_cast<uint64_t>(now.tv_nsec);
  }
  return folder + "/" + std::string(kBeingWritten) + std::to_string(number[0]) + "-" +
         std::to_string(number[1]);
}

Result<void> fsm::writeCacheFile(const std::string &folder, const std::string &name,
                                 const std::string &content) {
  std::string beside = nameToWrite(folder);
  File file(open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                 S_IRUSR | S_IWUSR));
  if (file.number < 0)
    return folderError(folder, "cannot be written to: " + reason());
  bool isWritten = writeAll(file.number, content) && file.finish() &&
                   rename(beside.c_str(), (folder + "/" + name).c_str()) == 0;
  if (isWritten)
    return {};
  const int cause = errno;
  Error error = folderError(folder, "cannot be written to: " + reason());
  // The answer of a server may be lost: asked again, it knows of no file that is to be renamed.
  if (cause == ENOENT && readCacheFile(folder, name, CacheRead::LeavesNoTrace) == content)
    return {};
  unlink(beside.c_str());
  return error;
}

//===----------------------------------------------------------------------===//
// All files
//===----------------------------------------------------------------------===//

/// In nanoseconds, in which files have their times: several kernels are compiled in a second.
static constexpr int64_t kSecond = 1000000000;

Result<std::vector<CacheFile>> fsm::listCache(const std::string &folder) {
  if (Result<void> checked = checkCacheFolder(folder); !checked)
    return checked.error();
  DIR *all = opendir(folder.c_str());
  if (!all)
    return folderError(folder, "cannot be read: " + reason());
  std::vector<CacheFile> files;
  while (const dirent *entry = readdir(all)) {
    CacheFile file;
    file.name = entry->d_name;
    file.isLeftOver = file.name.compare(0, kBeingWritten.size(), kBeingWritten) == 0;
    bool isEntry = file.name.size() == 64 &&
                   file.name.find_first_not_of("0123456789abcdef") == std::string::npos;
    struct stat status;
    if ((!isEntry && !file.isLeftOver) ||
        fstatat(dirfd(all), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    file.bytes = static_cast<uint64_t>(status.st_size);
    file.usedAt = status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec;
    files.push_back(std::move(file));
  }
  closedir(all);
  std::sort(files.begin(), files.end(), [](const CacheFile &one, const CacheFile &other) {
    return std::make_pair(one.usedAt, one.name) < std::make_pair(other.usedAt, other.name);
  });
  return files;
}

/// The time of whoever keeps the files, which may be another machine's: that of a file made now, in
/// nanoseconds. Where none can be made, nothing can be removed, and a time is as good as another.
static int64_t timeOf(const std::string &folder) {
  std::string probe = nameToWrite(folder);
  File file(
      open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  struct stat status;
  bool isKnown = file.number >= 0 && fstat(file.number, &status) == 0;
  if (file.number >= 0)
    unlink(probe.c_str());
  return isKnown ? status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec : 0;
}

Result<size_t> fsm::pruneCache(const std::string &folder, uint64_t mostBytes) {
  Result<std::vector<CacheFile>> files = listCache(folder);
  if (!files)
    return files.error();
  constexpr int64_t hour = 3600 * kSecond;
  const bool hasLeftOver = std::any_of(files->begin(), files->end(),
                                       [](const CacheFile &file) { return file.isLeftOver; });
  const int64_t now = hasLeftOver ? timeOf(folder) : 0;
  uint64_t bytes = 0;
  for (const CacheFile &file : *files)
    bytes += file.isLeftOver ? 0 : file.bytes;
  size_t removed = 0;
  for (const CacheFile &file : *files) {
    bool goes = file.isLeftOver ? file.usedAt < now - hour : bytes > mostBytes;
    // Another process may have been faster.
    if (!goes || unlink((folder + "/" + file.name).c_str()) != 0)
      continue;
    bytes -= file.isLeftOver ? 0 : file.bytes;
    ++removed;
  }
  return removed;
}

//===----------------------------------------------------------------------===//
// Where they are
//===----------------------------------------------------------------------===//

static std::string valueOf(const char *variable) {
  const char *value = std::getenv(variable);
  return value ? value : "";
}

std::string fsm::cacheFolderOfEnvironment() { return valueOf("FSM_CACHE_DIR"); }

std::string fsm::sharedCacheFolderOfEnvironment() { return valueOf("FSM_CACHE_SHARED_DIR"); }

std::string fsm::usualCacheFolder() {
  std::string folder = cacheFolderOfEnvironment();
  if (!folder.empty())
    return folder;
  // A relative path of the user's is to be ignored, says the XDG Base Directory Specification.
  std::string caches = valueOf("XDG_CACHE_HOME"), home = valueOf("HOME");
  if (!caches.empty() && caches[0] == '/')
    return caches + "/fsm";
  return home.empty() ? "" : home + "/.cache/fsm";
}
