/* compile-all DEVICE FILE COUNT one|all: compiles COUNT kernels, one after the other or all at once, says how long that took on
 * standard error, and launches the last. FILE is examples/04-softmax.mlir; its BLOCK differs from kernel to kernel. */
#include "check.h"

#include <time.h>

enum { MOST = 64, COLUMNS = 100 };

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What fails is said for the first of the requests that did, and the others are compiled. */
static void refuse(FsmEngine *engine, FsmCompileRequest good) {
  static const char text[] = "fsm.kernel @wide(%p: !fsm.ptr<f32>, %n: i32) {\n  fsm.return\n}\n";
  FsmSource source = sourceOf(text, strlen(text), "wide.mlir");
  FsmKernel *kernel = NULL;
  FsmError *error = NULL;
  checkDone(fsmKernelLoad(engine, &source, NULL, 0, &kernel, &error), &error, "load");
  FsmArgument number = integer(1);
  FsmCompileRequest requests[3] = {good, {kernel, &number, 1}, {kernel, NULL, 0}};
  CHECK(fsmCompileAll(requests, 3, &error) == FSM_BAD_INPUT);
  CHECK(strstr(fsmErrorText(error, NULL), "expected 2 arguments for kernel @wide") &&
        strstr(fsmErrorText(error, NULL), "got 1"));
  fsmErrorDestroy(error);
  requests[1].kernel = NULL;
  CHECK(fsmCompileAll(requests, 2, &error) == FSM_BAD_INPUT);
  CHECK(strcmp(fsmErrorText(error, NULL), "error: expected a kernel, got a null pointer") == 0);
  fsmErrorDestroy(error);
  CHECK(fsmCompileAll(NULL, 1, NULL) == FSM_BAD_INPUT);
  checkDone(fsmCompileAll(NULL, 0, &error), &error, "none");
  fsmKernelDestroy(kernel);
}

int main(int argc, char **argv) {
  CHECK(argc == 5);
  FsmEngine *engine = engineOn(argv[1]);
  size_t length = 0, count = (size_t)atoi(argv[3]);
  char *text = readFile(argv[2], &length);
  CHECK(count >= 1 && count <= MOST);
  static float in[COLUMNS], out[COLUMNS];
  FsmArgument arguments[] = {buffer(out, sizeof(out)), buffer(in, sizeof(in)), integer(COLUMNS), integer(COLUMNS),
                             integer(COLUMNS)};
  FsmKernel *kernels[MOST];
  FsmCompileRequest requests[MOST];
  FsmError *error = NULL;
  for (size_t i = 0; i < count; ++i) {
    char parameter[32];
    const char *const parameters[] = {parameter};
    snprintf(parameter, sizeof(parameter), "BLOCK=%d", (int)(128 + 16 * i));
    FsmSource source = sourceOf(text, length, "softmax.mlir");
    source.parameters = parameters;
    source.parameterCount = 1;
    checkDone(fsmKernelLoad(engine, &source, NULL, 0, &kernels[i], &error), &error, "load");
    FsmCompileRequest request = {kernels[i], arguments, 5};
    requests[i] = request;
  }
  double begin = seconds();
  if (strcmp(argv[4], "all") == 0)
    checkDone(fsmCompileAll(requests, count, &error), &error, "all");
  for (size_t i = 0; i < count; ++i)
    checkDone(fsmCompileAll(&requests[i], 1, &error), &error, "one");
  fprintf(stderr, "%d kernels in %.3f s\n", (int)count, seconds() - begin);
  refuse(engine, requests[0]);
  checkDone(fsmLaunch(kernels[count - 1], 1, 1, 1, arguments, 5, NULL, &error), &error, "launch");
  for (int i = 0; i < COLUMNS; ++i)
    CHECK(out[i] > 0.0099999f && out[i] < 0.0100001f);
  for (size_t i = 0; i < count; ++i)
    fsmKernelDestroy(kernels[i]);
  fsmEngineDestroy(engine);
  free(text);
  printf("right\n");
  return 0;
}
