/*===- bench-start.c - From main to the first result -------------*- C -*-===*\
|*
|* Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* bench-start driver: milliseconds from main to a context of the GPU's driver, and a copy there and back.
 * bench-start DEVICE SOFTMAX.mlir: milliseconds from main to the result of examples/04-softmax, and what
 * the same kernel takes again: from its text, through the engine's memory, and prepared.
 * Each is a process of its own, since a driver begins once. */
#include "fsm-c/fsm.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kRows = 8, kColumns = 781 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void check(FsmStatus status, FsmError *error) {
  if (status == FSM_OK)
    return;
  fprintf(stderr, "bench-start: %s\n", fsmErrorText(error, NULL));
  exit(1);
}

static void *entry(void *library, const char *name) {
  void *found = library ? dlsym(library, name) : NULL;
  if (!found)
    fprintf(stderr, "bench-start: there is no driver with %s\n", name), exit(1);
  return found;
}

/* What nobody can do without: a context, memory, and bytes there and back. */
static int startDriver(double begin) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *context;
  int failed = ((int (*)(unsigned))entry(library, "cuInit"))(0);
  failed |= ((int (*)(void **, int))entry(library, "cuDevicePrimaryCtxRetain"))(&context, 0);
  failed |= ((int (*)(void *))entry(library, "cuCtxSetCurrent"))(context);
  static float data[kRows * kColumns];
  unsigned long long memory = 0;
  failed |= ((int (*)(unsigned long long *, size_t))entry(library, "cuMemAlloc_v2"))(&memory, sizeof(data));
  failed |= ((int (*)(unsigned long long, const void *, size_t))entry(library, "cuMemcpyHtoD_v2"))(
      memory, data, sizeof(data));
  failed |= ((int (*)(void *, unsigned long long, size_t))entry(library, "cuMemcpyDtoH_v2"))(data, memory,
                                                                                           sizeof(data));
  printf("driver %.1f ms\n", now() - begin);
  return failed != 0;
}

static float in[kRows * kColumns], out[kRows * kColumns];

static FsmArgument bufferOf(float *data) {
  FsmArgument argument = {FSM_HOST_BUFFER, 0, (uint64_t)(uintptr_t)data, sizeof(in), 0, 0.0};
  return argument;
}

static FsmArgument integer(int64_t value) {
  FsmArgument argument = {FSM_INTEGER, 0, 0, 0, value, 0.0};
  return argument;
}

/* From the text to a result; milliseconds until the kernel was loaded. */
static double run(FsmEngine *engine, const FsmSource *source) {
  FsmError *error = NULL;
  FsmKernel *kernel = NULL;
  FsmArgument arguments[] = {bufferOf(out), bufferOf(in), integer(kColumns), integer(kColumns), integer(kColumns)};
  double begin = now();
  check(fsmKernelLoad(engine, source, NULL, 0, &kernel, &error), error);
  double loaded = now();
  check(fsmLaunch(kernel, kRows, 1, 1, arguments, fsmKernelParameterCount(kernel), NULL, &error), error);
  fsmKernelDestroy(kernel);
  return loaded - begin;
}

int main(int argc, char **argv) {
  double begin = now();
  if (argc == 2 && strcmp(argv[1], "driver") == 0)
    return startDriver(begin);
  if (argc != 3)
    return fprintf(stderr, "usage: bench-start driver | DEVICE SOFTMAX.mlir\n"), 2;
  FILE *file = fopen(argv[2], "rb");
  static char text[65536];
  FsmSource source = {text, file ? fread(text, 1, sizeof(text), file) : 0, argv[2], strlen(argv[2]), NULL, 0};
  for (int i = 0; i < kRows * kColumns; ++i)
    in[i] = (float)(i % 89) / 16.0f;
  FsmEngine *engine = NULL;
  FsmError *error = NULL;
  check(fsmEngineCreate(argv[1], strlen(argv[1]), &engine, &error), error);
  double opened = now();
  run(engine, &source);
  double first = now();
  double load = run(engine, &source);
  double second = now();
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    for (int i = 0; i < kColumns; ++i)
      sum += exp((double)in[row * kColumns + i]);
    for (int i = 0; i < kColumns; ++i)
      if (fabs(out[row * kColumns + i] * sum / exp((double)in[row * kColumns + i]) - 1) > 1e-5)
        return fprintf(stderr, "bench-start: wrong at %d, %d\n", row, i), 1;
  }
  printf("%s: first result %.1f ms, of which the engine %.1f and the kernel %.1f; the same text again %.3f, of "
         "which %.4f to load it\n",
         argv[1], first - begin, opened - begin, first - opened, second - first, load);
  return 0;
}
