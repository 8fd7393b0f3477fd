/* random DEVICE X Y Z ARGUMENT...: launches KERNEL, which has been compiled into this program. An argument is a number, its bits, or
 * IN:OUT:BYTES:BEHIND, an array that is read from one file and written to another and begins so many bytes behind a multiple of 256. */
#include <fsm-c/fsm-runtime.h>

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

enum { MOST = 64 };

struct array {
  char *out;
  char *bytes;
  void *memory, *begin;
  size_t size;
};

static struct array upload(FsmDevice *device, char *text) {
  struct array array = {0};
  char *in = strtok(text, ":");
  array.out = strtok(NULL, ":");
  array.size = strtoull(strtok(NULL, ":"), NULL, 10);
  size_t behind = strtoull(strtok(NULL, ":"), NULL, 10);
  array.bytes = malloc(array.size + 1);
  FILE *file = fopen(in, "rb");
  CHECK(file && fread(array.bytes, 1, array.size, file) == array.size);
  fclose(file);
  CHECK(fsmDeviceAllocate(device, array.size + behind, &array.memory) == FSM_OK);
  array.begin = (char *)array.memory + behind;
  CHECK(fsmDeviceWrite(device, array.begin, array.bytes, array.size) == FSM_OK);
  return array;
}

static void download(FsmDevice *device, struct array *array) {
  CHECK(fsmDeviceRead(device, array->bytes, array->begin, array->size) == FSM_OK);
  FILE *file = fopen(array->out, "wb");
  CHECK(file && fwrite(array->bytes, 1, array->size, file) == array->size && fclose(file) == 0);
  CHECK(fsmDeviceFree(device, array->memory) == FSM_OK);
  free(array->bytes);
}

int main(int argc, char **argv) {
  FsmDevice *device = NULL;
  struct array arrays[MOST];
  uint64_t values[MOST];
  int count = 0;
  CHECK(argc > 5 && argc - 5 <= MOST && fsmDeviceOpen(argv[1], NULL, &device) == FSM_OK);
  for (int i = 0; i < argc - 5; ++i) {
    if (!strchr(argv[5 + i], ':')) {
      values[i] = strtoull(argv[5 + i], NULL, 10);
      continue;
    }
    arrays[count] = upload(device, argv[5 + i]);
    values[i] = (uintptr_t)arrays[count++].begin;
  }
  CHECK(fsmCompiledLaunch(&KERNEL, device, NULL, atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), values) == FSM_OK);
  CHECK(fsmDeviceSynchronize(device) == FSM_OK);
  for (int i = 0; i < count; ++i)
    download(device, &arrays[i]);
  fsmDeviceClose(device);
  return 0;
}
