/* threads DEVICE: launches of the hand-written kernel from 16 threads on 4 streams of one device, while each thread opens
 * and closes a device of its own, whose code is loaded meanwhile. */
#include "twice.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 16, STREAMS = 4, ROUNDS = 8, COUNT = 3 * 32 };

static FsmDevice *shared;
static void *streams[STREAMS];
static const char *name;

#define CHECK(condition)                                                                                             \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      fprintf(stderr, "%s:%d: expected %s: %s\n", __FILE__, __LINE__, #condition, fsmRuntimeError());                \
      exit(1);                                                                                                       \
    }                                                                                                                \
  } while (0)

/* `offset` floats behind an aligned address other code runs. */
static void launch(FsmDevice *device, void *stream, int offset, float factor) {
  float in[COUNT], out[COUNT];
  void *from = NULL, *to = NULL;
  for (int i = 0; i < COUNT; ++i)
    in[i] = (float)(i + 1);
  CHECK(fsmDeviceAllocate(device, sizeof(in) + 64, &from) == FSM_OK);
  CHECK(fsmDeviceAllocate(device, sizeof(out) + 64, &to) == FSM_OK);
  CHECK(fsmDeviceWrite(device, (float *)from + offset, in, sizeof(in)) == FSM_OK);
  uint64_t values[2] = {(uintptr_t)((float *)to + offset), (uintptr_t)((float *)from + offset)};
  CHECK(fsmCompiledLaunch(&twice, device, stream, 3, 1, 1, values) == FSM_OK);
  CHECK(fsmDeviceSynchronize(device) == FSM_OK);
  CHECK(fsmDeviceRead(device, out, (float *)to + offset, sizeof(out)) == FSM_OK);
  for (int i = 0; i < COUNT; ++i)
    CHECK(out[i] == factor * in[i]);
  CHECK(fsmDeviceFree(device, from) == FSM_OK && fsmDeviceFree(device, to) == FSM_OK);
}

static void *work(void *argument) {
  int number = *(int *)argument, isGpu = streams[0] != NULL;
  for (int round = 0; round < ROUNDS; ++round) {
    int offset = (number + round) % 2;
    launch(shared, streams[number % STREAMS], offset, isGpu && offset == 0 ? 3.0f : 2.0f);
    FsmDevice *own = NULL;
    CHECK(fsmDeviceOpen(name, NULL, &own) == FSM_OK);
    launch(own, NULL, 1, 2.0f);
    fsmDeviceClose(own);
    /* Errors are each thread's. */
    void *nothing = &number;
    CHECK(fsmDeviceFree(shared, nothing) == FSM_BAD_INPUT && *fsmRuntimeError());
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  CHECK(argc == 2);
  name = argv[1];
  CHECK(fsmDeviceOpen(name, NULL, &shared) == FSM_OK);
  for (int i = 0; i < STREAMS; ++i)
    CHECK(fsmDeviceStreamCreate(shared, &streams[i]) == FSM_OK);
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < STREAMS; ++i)
    CHECK(fsmDeviceStreamDestroy(shared, streams[i]) == FSM_OK);
  fsmDeviceClose(shared);
  printf("right on %s\n", name);
  return 0;
}
