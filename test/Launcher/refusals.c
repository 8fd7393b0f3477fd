/* Each way to call the runtime wrongly, and what it says. */
#include "twice.h"

#include <stdio.h>
#include <stdlib.h>

static FsmDevice *cpu;

static void show(const char *what, FsmStatus status) {
  printf("%s: %d %s\n", what, (int)status, status == FSM_OK ? "" : fsmRuntimeError());
}

static FsmStatus launch(const FsmCompiledKernel *kernel, int32_t x, int32_t z, uint64_t first) {
  uint64_t values[2] = {first, 0};
  return fsmCompiledLaunch(kernel, cpu, NULL, x, 1, z, values);
}

static void refuseDevices(void) {
  FsmDevice *device = NULL;
  show("device", fsmDeviceOpen("tpu", NULL, &device));
  show("number", fsmDeviceOpen("cuda:x", NULL, &device));
  show("name", fsmDeviceOpen(NULL, NULL, &device));
  show("place", fsmDeviceOpen("cpu", NULL, NULL));
  show("far", fsmDeviceOpen("sim:7", NULL, &device));
  show("none", fsmDeviceSynchronize(NULL));
  int32_t count = 7;
  show("kind", fsmDeviceCount("cuda:0", &count));
  show("no count", fsmDeviceCount("cpu", NULL));
  show("one", fsmDeviceCount("cpu", &count));
  if (count != 1)
    printf("%d CPUs\n", (int)count);
  show("no stream", fsmDeviceStreamCreate(cpu, NULL));
  if (fsmDeviceOpen("sim", NULL, &device))
    exit(1);
  show("another's stream", fsmDeviceStreamSynchronize(device, &count));
  show("another's stream", fsmDeviceStreamDestroy(device, &count));
  show("copy", fsmDeviceCopy(cpu, NULL, NULL, NULL, 0));
  fsmDeviceClose(device);
  device = NULL;
  if (device)
    printf("a device was made\n");
}

static void refuseMemory(void) {
  char bytes[8] = {0};
  void *memory = NULL;
  if (fsmDeviceAllocate(cpu, 100, &memory))
    exit(1);
  show("no place", fsmDeviceAllocate(cpu, 1, NULL));
  show("too much", fsmDeviceAllocate(cpu, UINT64_MAX, &memory));
  show("foreign", fsmDeviceFree(cpu, bytes));
  show("inside", fsmDeviceFree(cpu, (char *)memory + 1));
  show("over the end", fsmDeviceWrite(cpu, (char *)memory + 93, bytes, 8));
  show("to the end", fsmDeviceWrite(cpu, (char *)memory + 92, bytes, 8));
  show("elsewhere", fsmDeviceRead(cpu, bytes, bytes, 8));
}

/* The kernel with one thing changed. */
static void refuseKernels(void) {
  FsmCompiledKernel kernel = twice;
  FsmCompiledArgument arguments[2] = {twiceArguments[0], twiceArguments[1]};
  FsmCompiledCode code = twiceCodes[1];
  kernel.contractVersion = 2;
  show("older", launch(&kernel, 1, 1, 0));
  FsmCompiledKernel newer = twice;
  newer.contractVersion = twice.contractVersion + 1;
  show("newer", launch(&newer, 1, 1, 0));
  FsmCompiledKernel typed = twice;
  typed.arguments = arguments;
  arguments[0].type = "f31";
  show("type", launch(&typed, 1, 1, 0));
  arguments[0].type = "f32";
  arguments[1].promise = "often";
  show("promise", launch(&typed, 1, 1, 0));
  FsmCompiledKernel one = twice;
  one.codes = &code;
  one.codeCount = 1;
  code.facts = "16";
  show("facts", launch(&one, 1, 1, 0));
  code.facts = "16,often";
  show("fact", launch(&one, 1, 1, 0));
  code.facts = "";
  code.hiddenArguments = "debug_records";
  show("hidden", launch(&one, 1, 1, 0));
  code.hiddenArguments = "";
  code.function = NULL;
  show("code", launch(&one, 1, 1, 0));
  code.function = twiceOnHost;
  code.instructions = "x86-64-v9";
  show("instructions", launch(&one, 1, 1, 0));
  /* What was read of a kernel is kept until it is unloaded. */
  if (fsmCompiledUnload(&one, cpu))
    exit(1);
  code.target = NULL;
  show("no name of a target", launch(&one, 1, 1, 0));
  FsmCompiledKernel empty = twice;
  empty.arguments = NULL;
  show("no arguments", launch(&empty, 1, 1, 0));
  FsmCompiledKernel bare = twice;
  bare.codes = NULL;
  show("no codes", launch(&bare, 1, 1, 0));
  FsmCompiledKernel other = twice;
  other.codeCount = 1;
  show("target", launch(&other, 1, 1, 0));
  FsmCompiledKernel aligned = twice;
  FsmCompiledCode strict = twiceCodes[1];
  strict.facts = "16,";
  aligned.codes = &strict;
  aligned.codeCount = 1;
  show("unaligned", launch(&aligned, 1, 1, 4));
}

static void refuseLaunches(void) {
  int stream = 0;
  uint64_t values[2] = {0, 0};
  show("no kernel", launch(NULL, 1, 1, 0));
  show("no device", fsmCompiledLaunch(&twice, NULL, NULL, 1, 1, 1, values));
  show("no values", fsmCompiledLaunch(&twice, cpu, NULL, 1, 1, 1, NULL));
  show("stream", fsmCompiledLaunch(&twice, cpu, &stream, 1, 1, 1, values));
  show("negative", launch(&twice, -1, 1, 0));
  show("many", fsmCompiledLaunch(&twice, cpu, NULL, 2147483647, 2147483647, 2, values));
  show("promised", launch(&twice, 1, 1, 2));
  if (fsmCompiledTarget(NULL, cpu, values))
    exit(1);
  printf("no target: %s\n", fsmRuntimeError());
  if (fsmCompiledTarget(&twice, cpu, NULL))
    exit(1);
  printf("no values for a target: %s\n", fsmRuntimeError());
  show("unload nothing", fsmCompiledUnload(NULL, cpu));
  show("unload nowhere", fsmCompiledUnload(&twice, NULL));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  if (fsmDeviceOpen("cpu", NULL, &cpu))
    return 1;
  refuseDevices();
  refuseMemory();
  refuseKernels();
  refuseLaunches();
  fsmDeviceClose(cpu);
  return 0;
}
