/*===- NullDriver.c - A driver that does nothing and counts ---------------===*\
|*
|* Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Every call works. Arguments that nothing is done with are not named: they stay where the caller
 * put them. */

#include <stddef.h>

static long others, launches;
static void *current, *stream, *last;

/* How often was called what; the stream and the first argument of the last launch. */
long nullDriverLaunches(void) { return launches; }
long nullDriverOthers(void) { return others; }
void *nullDriverStream(void) { return stream; }
void *nullDriverArgument(void) { return last; }
void *nullDriverContext(void) { return current; }

static int done(void) {
  ++others;
  return 0;
}

#define DOES_NOTHING(name)                                                                         \
  int name(void) { return done(); }
#define MAKES_A_HANDLE(name)                                                                       \
  int name(void **handle) {                                                                        \
    *handle = &others;                                                                             \
    return done();                                                                                 \
  }
#define GIVES(name, type, value)                                                                   \
  int name(type *to) {                                                                             \
    *to = (value);                                                                                 \
    return done();                                                                                 \
  }

DOES_NOTHING(cuInit)
DOES_NOTHING(cuCtxSynchronize)
DOES_NOTHING(cuDevicePrimaryCtxRelease_v2)
DOES_NOTHING(cuEventDestroy_v2)
DOES_NOTHING(cuEventRecord)
DOES_NOTHING(cuEventSynchronize)
DOES_NOTHING(cuFuncSetAttribute)
DOES_NOTHING(cuMemFree_v2)
DOES_NOTHING(cuMemcpyDtoH_v2)
DOES_NOTHING(cuMemcpyHtoD_v2)
DOES_NOTHING(cuMemcpyPeer)
DOES_NOTHING(cuMemsetD8Async)
DOES_NOTHING(cuModuleUnload)
DOES_NOTHING(cuStreamDestroy_v2)
DOES_NOTHING(cuStreamSynchronize)
DOES_NOTHING(cuStreamWaitEvent)
MAKES_A_HANDLE(cuDevicePrimaryCtxRetain)
MAKES_A_HANDLE(cuEventCreate)
MAKES_A_HANDLE(cuModuleGetFunction)
MAKES_A_HANDLE(cuModuleLoadDataEx)
MAKES_A_HANDLE(cuStreamCreate)
GIVES(cuDeviceGet, int, 0)
GIVES(cuDeviceGetCount, int, 1)
GIVES(cuDeviceTotalMem_v2, size_t, (size_t)1 << 36)
GIVES(cuDriverGetVersion, int, 13000)
GIVES(cuEventElapsedTime, float, 1.0f)
GIVES(cuFuncGetAttribute, int, 1024)
GIVES(cuGetErrorName, const char *, "NONE")
GIVES(cuGetErrorString, const char *, "nothing went wrong")
GIVES(cuMemAlloc_v2, unsigned long long, 4096)
GIVES(cuOccupancyMaxActiveBlocksPerMultiprocessor, int, 1)

int cuDeviceGetName(char *name) {
  name[0] = 'N';
  return done();
}

/* Compute capability 9.0, and more than enough of all else. */
int cuDeviceGetAttribute(int *value, int attribute) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 65536;
  return done();
}

int cuCtxGetCurrent(void **context) {
  *context = current;
  return done();
}

int cuCtxSetCurrent(void *context) {
  current = context;
  return done();
}

/* CUlaunchConfig. */
struct Config {
  unsigned grid[3], block[3], sharedBytes;
  void *stream, *attributes;
  unsigned attributeCount;
};

int cuLaunchKernelEx(const struct Config *config, void *function, void **arguments) {
  ++launches;
  stream = config->stream;
  last = *(void **)arguments[0];
  return function && config->grid[0] && config->block[0] && config->attributes &&
                 config->attributeCount == 1
             ? 0
             : 1;
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *on,
                   void **arguments) {
  ++launches;
  stream = on;
  last = *(void **)arguments[0];
  return function && gridX && gridY && gridZ && blockX && blockY && blockZ && sharedBytes < 65536
             ? 0
             : 1;
}
