/* launch DEVICE: results of launches of the hand-written kernel, and which code they ran. */
#include "twice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                             \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      fprintf(stderr, "%s:%d: expected %s: %s\n", __FILE__, __LINE__, #condition, fsmRuntimeError());                \
      exit(1);                                                                                                       \
    }                                                                                                                \
  } while (0)

enum { COUNT = 5 * 32 };

/* Launches five programs with memory that begins `offset` floats behind a multiple of 256 bytes. */
static void launch(const FsmCompiledKernel *kernel, FsmDevice *device, void *stream, int offset, float factor) {
  float in[COUNT], out[COUNT + 64];
  void *from = NULL, *to = NULL;
  for (int i = 0; i < COUNT; ++i)
    in[i] = (float)(i + 1);
  memset(out, 0, sizeof(out));
  CHECK(fsmDeviceAllocate(device, sizeof(out), &from) == FSM_OK);
  CHECK(fsmDeviceAllocate(device, sizeof(out), &to) == FSM_OK);
  CHECK((uintptr_t)from % 256 == 0 && (uintptr_t)to % 256 == 0);
  CHECK(fsmDeviceWrite(device, to, out, sizeof(out)) == FSM_OK);
  CHECK(fsmDeviceWrite(device, (float *)from + offset, in, sizeof(in)) == FSM_OK);
  uint64_t values[2] = {(uintptr_t)((float *)to + offset), (uintptr_t)((float *)from + offset)};
  CHECK(fsmCompiledLaunch(kernel, device, stream, 5, 1, 1, values) == FSM_OK);
  CHECK((stream ? fsmDeviceStreamSynchronize(device, stream) : fsmDeviceSynchronize(device)) == FSM_OK);
  CHECK(fsmDeviceRead(device, out, to, sizeof(out)) == FSM_OK);
  for (int i = 0; i < COUNT + 64; ++i) {
    int place = i - offset;
    CHECK(out[i] == (place >= 0 && place < COUNT ? factor * in[place] : 0.0f));
  }
  CHECK(fsmDeviceFree(device, from) == FSM_OK && fsmDeviceFree(device, to) == FSM_OK);
}

/* There and back by memory of the CPU and of the same device. */
static void copy(FsmDevice *device) {
  FsmDevice *cpu = NULL;
  void *first = NULL, *second = NULL, *between = NULL;
  char in[40] = "copied from device to device", out[40] = "";
  CHECK(fsmDeviceOpen("cpu", NULL, &cpu) == FSM_OK);
  CHECK(fsmDeviceAllocate(device, 40, &first) == FSM_OK && fsmDeviceAllocate(device, 50, &second) == FSM_OK);
  CHECK(fsmDeviceAllocate(cpu, 40, &between) == FSM_OK);
  CHECK(fsmDeviceWrite(device, first, in, 40) == FSM_OK);
  CHECK(fsmDeviceCopy(device, (char *)second + 10, device, first, 40) == FSM_OK);
  CHECK(fsmDeviceCopy(cpu, between, device, (char *)second + 10, 40) == FSM_OK);
  CHECK(fsmDeviceCopy(device, first, cpu, (char *)between + 7, 33) == FSM_OK);
  CHECK(fsmDeviceRead(device, out, first, 33) == FSM_OK && strcmp(out, in + 7) == 0);
  CHECK(fsmDeviceCopy(device, first, cpu, (char *)between + 8, 33) == FSM_BAD_INPUT);
  fsmDeviceClose(cpu);
}

int main(int argc, char **argv) {
  FsmDevice *device = NULL;
  CHECK(argc == 2 && fsmRuntimeVersion() == FSM_RUNTIME_VERSION);
  CHECK(strcmp(fsmRuntimeError(), "") == 0);
  CHECK(fsmDeviceOpen(argv[1], NULL, &device) == FSM_OK && device);
  int isGpu = strcmp(argv[1], "cpu") != 0;
  void *stream = NULL;
  CHECK(fsmDeviceStreamCreate(device, &stream) == FSM_OK && !stream == !isGpu);
  launch(&twice, device, NULL, 0, isGpu ? 3.0f : 2.0f);
  launch(&twice, device, stream, 3, 2.0f);
  launch(&twice, device, stream, 16, isGpu ? 3.0f : 2.0f);
  /* A header that an older fsm-run has made. */
  static FsmCompiledKernel older[2];
  for (int i = 0; i < 2; ++i) {
    older[i] = twice;
    older[i].contractVersion = (uint32_t)(3 + i);
    launch(&older[i], device, stream, 3, 2.0f);
  }
  CHECK(fsmDeviceStreamDestroy(device, stream) == FSM_OK);
  copy(device);
  CHECK(fsmCompiledLoad(&twice, device) == FSM_OK);
  uint64_t none[2] = {0, 0}, odd[2] = {4, 0};
  CHECK(fsmCompiledLaunch(&twice, device, NULL, 0, 1, 1, none) == FSM_OK);
  CHECK(strcmp(fsmCompiledTarget(&twice, device, odd), isGpu ? "sm_70" : "cpu") == 0);
  void *nothing = device;
  CHECK(fsmDeviceAllocate(device, 0, &nothing) == FSM_OK && !nothing);
  CHECK(fsmDeviceFree(device, NULL) == FSM_OK);
  printf("right on %s\n", fsmDeviceName(device));
  fsmDeviceClose(device);
  fsmDeviceClose(NULL);
  return 0;
}
