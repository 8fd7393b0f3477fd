/* launch DEVICE VECTOR-ADD.mlir: adds vectors through the C API, with sizes that are known and not. */
#include "check.h"

enum { kCount = 1000 };

static FsmKernel *load(const char *device, const FsmSource *source) {
  FsmEngine *engine = engineOn(device);
  size_t length = 0;
  CHECK(strcmp(fsmEngineDevice(engine, &length), device) == 0 && length == strlen(device));
  const char *target = fsmEngineTarget(engine, NULL);
  CHECK(strcmp(target, strcmp(device, "sim") == 0 ? "sm_90a" : "cpu") == 0);
  FsmKernel *kernel = NULL;
  FsmError *error = NULL;
  const char *options[] = {"num-warps=2"};
  checkDone(fsmKernelLoad(engine, source, options, 1, &kernel, &error), &error, "load");
  /* The kernel keeps it. */
  fsmEngineDestroy(engine);
  return kernel;
}

static void checkSignature(const FsmKernel *kernel) {
  CHECK(strcmp(fsmKernelName(kernel, NULL), "vector_add") == 0);
  CHECK(fsmKernelParameterCount(kernel) == 4);
  FsmParameter parameter;
  fsmKernelParameter(kernel, 0, &parameter);
  CHECK(strcmp(parameter.name, "out") == 0 && parameter.nameLength == 3);
  CHECK(strcmp(parameter.type, "f32") == 0 && parameter.pointerDepth == 1 && parameter.isOutput);
  fsmKernelParameter(kernel, 3, &parameter);
  CHECK(strcmp(parameter.type, "i32") == 0 && parameter.pointerDepth == 0 && !parameter.isOutput);
  fsmKernelParameter(kernel, 4, &parameter);
  CHECK(!parameter.name && !parameter.type);
  for (size_t i = 0; i < 5; ++i)
    CHECK(fsmKernelParameterIsInput(kernel, i) == (i == 1 || i == 2));
}

static void checkSum(FsmKernel *kernel, uint64_t bytes) {
  static float a[kCount], b[kCount], sum[kCount + 1];
  for (int i = 0; i < kCount; ++i) {
    a[i] = (float)i;
    b[i] = 0.5f;
    sum[i] = -1.0f;
  }
  sum[kCount] = 7.0f;
  FsmArgument arguments[] = {buffer(sum, bytes), buffer(a, bytes), buffer(b, bytes),
                             integer(kCount)};
  FsmError *error = NULL;
  checkDone(fsmLaunch(kernel, 4, 1, 1, arguments, 4, NULL, &error), &error, "launch");
  for (int i = 0; i < kCount; ++i)
    CHECK(sum[i] == (float)i + 0.5f);
  CHECK(sum[kCount] == 7.0f);
}

/* What a caller that does not know sizes is told where they have to be known. */
static void checkUnknownSize(FsmKernel *kernel, const char *device) {
  static float data[kCount];
  FsmArgument arguments[] = {buffer(data, FSM_UNKNOWN_SIZE), buffer(data, sizeof(data)),
                             buffer(data, sizeof(data)), integer(kCount)};
  FsmError *error = NULL;
  CHECK(fsmLaunch(kernel, 4, 1, 1, arguments, 4, NULL, &error) == FSM_BAD_INPUT);
  FsmDiagnostic diagnostic;
  fsmErrorGet(error, 0, &diagnostic);
  CHECK(strstr(diagnostic.sentence, "takes host memory of a known size on the device '"));
  CHECK(strstr(diagnostic.sentence, device));
  fsmErrorDestroy(error);
}

/* A buffer that is too small is found on interp and sim. */
static void checkBounds(FsmKernel *kernel) {
  static float data[3][kCount];
  FsmArgument arguments[] = {buffer(data[0], sizeof(data[0])), buffer(data[1], sizeof(data[1]) - 4),
                             buffer(data[2], sizeof(data[2])), integer(kCount)};
  FsmError *error = NULL;
  CHECK(fsmLaunch(kernel, 4, 1, 1, arguments, 4, NULL, &error) == FSM_EXECUTION);
  CHECK(error && strstr(fsmErrorText(error, NULL), "%a"));
  fsmErrorDestroy(error);
}

static void checkStatedGrid(const char *device) {
  static const char text[] =
      "fsm.kernel @k(%m: i32, %n: i32) grid [ceildiv(%m, 64), %n + 1] { fsm.return }";
  FsmSource source = sourceOf(text, strlen(text), "k.mlir");
  FsmKernel *kernel = load(device, &source);
  FsmArgument arguments[] = {integer(129), integer(4)};
  FsmError *error = NULL;
  int32_t grid[3];
  checkDone(fsmKernelGrid(kernel, arguments, 2, grid, &error), &error, "grid");
  CHECK(grid[0] == 3 && grid[1] == 5 && grid[2] == 1);
  fsmKernelDestroy(kernel);
}

int main(int argc, char **argv) {
  CHECK(argc == 3 && fsmVersion() == FSM_API_VERSION);
  size_t length;
  char *text = readFile(argv[2], &length);
  FsmSource source = sourceOf(text, length, argv[2]);
  const char *parameters[] = {"BLOCK=256", "T=f32"};
  source.parameters = parameters;
  source.parameterCount = 2;
  FsmKernel *kernel = load(argv[1], &source);
  checkSignature(kernel);
  checkStatedGrid(argv[1]);
  checkSum(kernel, kCount * sizeof(float));
  if (strcmp(argv[1], "cpu") == 0) {
    checkSum(kernel, FSM_UNKNOWN_SIZE);
  } else {
    checkUnknownSize(kernel, argv[1]);
    checkBounds(kernel);
  }
  fsmKernelDestroy(kernel);
  free(text);
  puts("right");
  return 0;
}
