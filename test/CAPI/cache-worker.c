/* cache-worker DEVICE KERNELS SEED: loads and launches as many kernels, in an order that follows from the seed, each of
 * which multiplies by a number of its own: code of another gives another result. FSM_CACHE_DIR says where code is kept. */
#include "check.h"

enum { MOST = 1000, COUNT = 32 };

static const char kText[] = "fsm.kernel @times(%%p: !fsm.ptr<f32>) {\n"
                            "  %%offsets = fsm.range 0, 32 : tensor<32xi32>\n"
                            "  %%x = fsm.load %%p[%%offsets] : !fsm.ptr<f32>, tensor<32xi32> -> tensor<32xf32>\n"
                            "  %%factor = arith.constant dense<%d.0> : tensor<32xf32>\n"
                            "  %%y = arith.mulf %%x, %%factor : tensor<32xf32>\n"
                            "  fsm.store %%y, %%p[%%offsets] : tensor<32xf32>, !fsm.ptr<f32>, tensor<32xi32>\n"
                            "  fsm.return\n}\n";

static void multiply(FsmEngine *engine, int factor) {
  char text[sizeof(kText) + 16];
  FsmSource source = sourceOf(text, (size_t)snprintf(text, sizeof(text), kText, factor), "times.mlir");
  FsmKernel *kernel = NULL;
  FsmError *error = NULL;
  checkDone(fsmKernelLoad(engine, &source, NULL, 0, &kernel, &error), &error, "load");
  /* What is known of its alignment is the same in each process. */
  static _Alignas(256) float data[COUNT];
  for (int i = 0; i < COUNT; ++i)
    data[i] = (float)(i + 1);
  FsmArgument argument = buffer(data, sizeof(data));
  checkDone(fsmLaunch(kernel, 1, 1, 1, &argument, 1, NULL, &error), &error, "launch");
  for (int i = 0; i < COUNT; ++i)
    CHECK(data[i] == (float)(factor * (i + 1)));
  fsmKernelDestroy(kernel);
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  int kernels = atoi(argv[2]), order[MOST];
  CHECK(kernels >= 1 && kernels <= MOST);
  srand((unsigned)atoi(argv[3]));
  for (int k = 0; k < kernels; ++k) {
    int other = rand() % (k + 1);
    order[k] = order[other];
    order[other] = k + 2;
  }
  FsmEngine *engine = engineOn(argv[1]);
  for (int k = 0; k < kernels; ++k)
    multiply(engine, order[k]);
  fsmEngineDestroy(engine);
  printf("right\n");
  return 0;
}
