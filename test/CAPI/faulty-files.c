/* A library for LD_PRELOAD that makes calls for files in a folder fail as those of a network's file system do.
 * FAULTY_FOLDER names the folder, as the process does; FAULTY what is wrong, one of the rows of kFaults, or words of it with commas
 * between them. FAULTY_LOG names a file that gets a line for each call that was made to fail, `WORD NAME`. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum { MOST_FILES = 4096 };

/* Files of the folder that are open, by their numbers. */
static char *openNames[MOST_FILES];

static const char *nameIn(const char *path) {
  const char *folder = getenv("FAULTY_FOLDER");
  size_t length = folder ? strlen(folder) : 0;
  return length && path && strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

static const char *nameOf(int file) { return file >= 0 && file < MOST_FILES ? openNames[file] : NULL; }

/* Whether this is to fail; `name` is of a file in the folder, or null. */
static int fails(const char *fault, const char *name) {
  const char *faults = getenv("FAULTY"), *log = getenv("FAULTY_LOG");
  const char *found = name && faults ? strstr(faults, fault) : NULL;
  size_t length = strlen(fault);
  if (!found || (found != faults && found[-1] != ',') || (found[length] && found[length] != ','))
    return 0;
  int file = log ? REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  char line[512];
  int bytes = snprintf(line, sizeof(line), "%s %s\n", fault, name);
  if (file >= 0 && REAL(write)(file, line, (size_t)bytes) != bytes)
    abort();
  if (file >= 0)
    REAL(close)(file);
  return 1;
}

static int failWith(int reason) {
  errno = reason;
  return -1;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  const char *name = nameIn(path);
  int writes = (flags & O_ACCMODE) != O_RDONLY;
  if (!writes && fails("open-stale", name))
    return failWith(ESTALE);
  if (!writes && fails("open-io", name))
    return failWith(EIO);
  /* A name that was made a moment ago, by another machine or this one, is not seen yet. */
  if (!writes && fails("not-seen-yet", name))
    return failWith(ENOENT);
  if (writes && fails("create-stale", name))
    return failWith(ESTALE);
  int file = REAL(open)(path, flags, mode);
  if (file >= 0 && file < MOST_FILES && name) {
    openNames[file] = strdup(name);
    /* Another machine removes it, and the server forgets what this one has open. */
    if (!writes && fails("vanishes", name))
      unlink(path);
  }
  return file;
}

int close(int file) {
  const char *name = nameOf(file);
  char *gone = name ? openNames[file] : NULL;
  if (gone)
    openNames[file] = NULL;
  /* What was written goes to the server now, and has no room there. */
  int quota = gone && strncmp(gone, ".writing", 8) == 0 && fails("close-quota", gone);
  free(gone);
  int done = REAL(close)(file);
  return quota ? failWith(EDQUOT) : done;
}

ssize_t read(int file, void *to, size_t bytes) {
  const char *name = nameOf(file);
  if (fails("read-stale", name) || fails("vanishes", name))
    return failWith(ESTALE);
  if (fails("read-io", name))
    return failWith(EIO);
  /* Less at a time than there is, as signals and small packets have it. */
  return REAL(read)(file, to, fails("read-little", name) && bytes > 7 ? 7 : bytes);
}

ssize_t write(int file, const void *from, size_t bytes) {
  const char *name = nameOf(file);
  if (fails("write-slow", name))
    usleep(1000);
  if (fails("write-io", name))
    return failWith(EIO);
  return REAL(write)(file, from, fails("write-little", name) && bytes > 7 ? 7 : bytes);
}

int fstat(int file, struct stat *status) {
  return fails("stat-stale", nameOf(file)) ? failWith(ESTALE) : REAL(fstat)(file, status);
}

int fstatat(int folder, const char *path, struct stat *status, int flags) {
  /* Names that a folder was found to have, and that are gone when they are looked at. */
  return strlen(path) == 64 && fails("list-vanishes", path) ? failWith(ENOENT) : REAL(fstatat)(folder, path, status, flags);
}

int rename(const char *from, const char *to) {
  const char *name = nameIn(to);
  if (fails("rename-io", name))
    return failWith(EIO);
  int done = REAL(rename)(from, to);
  /* It was done, the answer was lost, and when it was asked for again there was no such file any more. */
  return done == 0 && fails("rename-answer-lost", name) ? failWith(ENOENT) : done;
}

int unlink(const char *path) { return fails("unlink-busy", nameIn(path)) ? failWith(EBUSY) : REAL(unlink)(path); }

int futimens(int file, const struct timespec times[2]) {
  return fails("times-refused", nameOf(file)) ? failWith(EPERM) : REAL(futimens)(file, times);
}

int fsync(int file) { return fails("sync-io", nameOf(file)) ? failWith(EIO) : REAL(fsync)(file); }

/* A server that does not know the user has his files belong to nobody. */
int lstat(const char *path, struct stat *status) {
  const char *folder = getenv("FAULTY_FOLDER");
  int done = REAL(lstat)(path, status);
  if (done == 0 && folder && strcmp(path, folder) == 0 && fails("owner-mapped", "folder"))
    status->st_uid = 65534;
  return done;
}

/* What not every server has. */
int link(const char *from, const char *to) { return fails("no-links", nameIn(to)) ? failWith(EOPNOTSUPP) : REAL(link)(from, to); }

int flock(int file, int operation) {
  return fails("no-locks", nameOf(file)) ? failWith(ENOLCK) : REAL(flock)(file, operation);
}

int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  int locks = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
  return locks && fails("no-locks", nameOf(file)) ? failWith(ENOLCK) : REAL(fcntl)(file, command, argument);
}

/* The clock of this machine is hours ahead of the server's, or behind it. */
time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time_t seconds = now.tv_sec + (fails("clock-ahead", "clock") ? 3 * 3600 : 0) - (fails("clock-behind", "clock") ? 3 * 3600 : 0);
  if (to)
    *to = seconds;
  return seconds;
}

/* Processes of other machines and containers have this one's number. */
pid_t getpid(void) { return fails("same-number", "process") ? 7 : REAL(getpid)(); }
