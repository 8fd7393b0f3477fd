/* Compiles a kernel and launches it, with what is installed of FSM and nothing else. */
#include <fsm-c/fsm.h>
#include <stdio.h>
#include <string.h>

static const char kernelText[] =
    "fsm.kernel @twice(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {\n"
    "  %offs = fsm.range 0, 100 : tensor<100xi32>\n"
    "  %x = fsm.load %in[%offs] : !fsm.ptr<f32>, tensor<100xi32> -> tensor<100xf32>\n"
    "  %y = arith.addf %x, %x : tensor<100xf32>\n"
    "  fsm.store %y, %out[%offs] : tensor<100xf32>, !fsm.ptr<f32>, tensor<100xi32>\n"
    "  fsm.return\n"
    "}\n";

int main(void) {
  static float in[100], out[100];
  for (int i = 0; i < 100; ++i)
    in[i] = (float)i;
  FsmEngine *engine = NULL;
  FsmKernel *kernel = NULL;
  FsmError *error = NULL;
  FsmSource source = {kernelText, strlen(kernelText), "twice.mlir", 10, NULL, 0};
  FsmArgument arguments[2] = {{FSM_HOST_BUFFER, 0, (uint64_t)(uintptr_t)out, sizeof(out), 0, 0},
                              {FSM_HOST_BUFFER, 0, (uint64_t)(uintptr_t)in, sizeof(in), 0, 0}};
  if (fsmEngineCreate("cpu", 3, &engine, &error) ||
      fsmKernelLoad(engine, &source, NULL, 0, &kernel, &error) ||
      fsmLaunch(kernel, 1, 1, 1, arguments, 2, NULL, &error)) {
    fprintf(stderr, "%s\n", fsmErrorText(error, NULL));
    return 1;
  }
  fsmKernelDestroy(kernel);
  fsmEngineDestroy(engine);
  printf("twice %g is %g\n", in[99], out[99]);
  return out[99] == 198 ? 0 : 1;
}
