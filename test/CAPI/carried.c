/* carried DEVICE FOLDER: kernels that libfsm has compiled to values are launched by libfsm-runtime, one after the other, each of
 * which may lie where the one before did. On the CPU their objects are linked in FOLDER first. */
#include "check.h"

#include "fsm-c/fsm-runtime.h"

#include <dlfcn.h>

enum { COUNT = 100, MOST_TEXT = 1024 };

static const char kText[] = "fsm.kernel @times(%%out: !fsm.ptr<f32>, %%n: i32) {\n"
                            "  %%offs = fsm.range 0, 128 : tensor<128xi32>\n"
                            "  %%ns = fsm.splat %%n : tensor<128xi32>\n"
                            "  %%mask = arith.cmpi slt, %%offs, %%ns : tensor<128xi32>\n"
                            "  %%x = fsm.load %%out[%%offs], %%mask : !fsm.ptr<f32>, tensor<128xi32> -> tensor<128xf32>\n"
                            "  %%factor = arith.constant dense<%d.0> : tensor<128xf32>\n"
                            "  %%y = arith.mulf %%x, %%factor : tensor<128xf32>\n"
                            "  fsm.store %%y, %%out[%%offs], %%mask : tensor<128xf32>, !fsm.ptr<f32>, tensor<128xi32>\n"
                            "  fsm.return\n}\n";

static void checkRuntime(FsmStatus status, const char *place) {
  if (status == FSM_OK)
    return;
  fprintf(stderr, "%s: status %d: %s\n", place, (int)status, fsmRuntimeError());
  exit(1);
}

/* The function of an object, as a library that the machine's own compiler links. */
static FsmHostFunction linked(const FsmCode *code, const char *folder, int number) {
  char path[512], command[2048];
  size_t length;
  const void *image = fsmCodeImage(code, &length);
  snprintf(path, sizeof(path), "%s/%d.o", folder, number);
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(image, 1, length, file) == length && fclose(file) == 0);
  snprintf(command, sizeof(command), "cc -shared %s/%d.o -o %s/%d.so -lm", folder, number, folder, number);
  CHECK(system(command) == 0);
  snprintf(path, sizeof(path), "%s/%d.so", folder, number);
  void *library = dlopen(path, RTLD_NOW);
  CHECK(library);
  FsmHostFunction function = NULL;
  *(void **)&function = dlsym(library, fsmCodeSymbol(code, NULL));
  CHECK(function);
  return function;
}

static void multiply(FsmDevice *device, void *memory, const char *target, const char *folder, int factor) {
  char text[MOST_TEXT];
  FsmSource source = sourceOf(text, (size_t)snprintf(text, sizeof(text), kText, factor), "times.mlir");
  const char *const options[] = {target};
  FsmCode *code = NULL;
  FsmError *error = NULL;
  checkDone(fsmCompile(&source, options, 1, NULL, 0, &code, &error), &error, "compile");
  FsmCompiledKernel kernel = *fsmCodeKernel(code);
  FsmCompiledCode form = kernel.codes[0];
  kernel.codes = &form;
  if (strcmp(form.target, "cpu") == 0)
    form.function = linked(code, folder, factor);
  float data[COUNT];
  for (int i = 0; i < COUNT; ++i)
    data[i] = (float)i;
  checkRuntime(fsmDeviceWrite(device, memory, data, sizeof(data)), "write");
  uint64_t values[] = {(uint64_t)(uintptr_t)memory, COUNT - 1};
  checkRuntime(fsmCompiledLaunch(&kernel, device, NULL, 1, 1, 1, values), "launch");
  checkRuntime(fsmDeviceRead(device, data, memory, sizeof(data)), "read");
  for (int i = 0; i < COUNT; ++i)
    CHECK(data[i] == (float)(i < COUNT - 1 ? factor * i : i));
  checkRuntime(fsmCompiledUnload(&kernel, device), "unload");
  checkRuntime(fsmCompiledUnload(&kernel, device), "unload again");
  memset(&kernel, 0, sizeof(kernel));
  fsmCodeDestroy(code);
}

/* Addresses do not say that buffers do not overlap: code that relies on it is not launched. */
static void refuse(FsmDevice *device, const char *target) {
  char text[MOST_TEXT];
  FsmSource source = sourceOf(text, (size_t)snprintf(text, sizeof(text), kText, 2), "times.mlir");
  const char *const options[] = {target, "arguments=noalias,"};
  FsmCode *code = NULL;
  FsmError *error = NULL;
  checkDone(fsmCompile(&source, options, 2, NULL, 0, &code, &error), &error, "compile");
  uint64_t values[] = {0, 0};
  CHECK(fsmCompiledLaunch(fsmCodeKernel(code), device, NULL, 1, 1, 1, values) == FSM_BAD_INPUT);
  CHECK(strstr(fsmRuntimeError(), strcmp(target, "target=cpu") == 0 ? "expected code for the target 'cpu', got none"
                                                                    : "where the facts 'noalias,' hold"));
  checkRuntime(fsmCompiledUnload(fsmCodeKernel(code), device), "unload");
  fsmCodeDestroy(code);
}

int main(int argc, char **argv) {
  CHECK(argc == 3 && fsmRuntimeVersion() == FSM_RUNTIME_VERSION && fsmVersion() == FSM_API_VERSION);
  FsmDevice *device = NULL;
  void *memory = NULL;
  checkRuntime(fsmDeviceOpen(argv[1], NULL, &device), "open");
  checkRuntime(fsmDeviceAllocate(device, COUNT * sizeof(float), &memory), "allocate");
  const char *target = strcmp(argv[1], "cpu") == 0 ? "target=cpu" : "target=sm_80";
  for (int factor = 2; factor < 5; ++factor)
    multiply(device, memory, target, argv[2], factor);
  refuse(device, target);
  fsmDeviceClose(device);
  printf("right on %s\n", argv[1]);
  return 0;
}
