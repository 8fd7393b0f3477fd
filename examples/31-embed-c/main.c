/* Compiles a kernel and runs it on arrays of this program: main DEVICE examples/02-vector-add.mlir. */
#include "fsm-c/fsm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(FsmStatus status, FsmError **error) {
  if (status == FSM_OK)
    return;
  fprintf(stderr, "%s\n", fsmErrorText(*error, NULL));
  exit(1);
}

int main(int argc, char **argv) {
  static char text[1 << 16];
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  if (!file)
    return fputs("expected a device and a file, as in: main cpu examples/02-vector-add.mlir\n", stderr), 2;
  FsmSource source = {text, fread(text, 1, sizeof(text), file), argv[2], strlen(argv[2]), NULL, 0};
  static float a[1000], b[1000], sum[1000];
  for (int i = 0; i < 1000; ++i)
    a[i] = 1.5f, b[i] = (float)i;
  FsmArgument arguments[] = {{FSM_HOST_BUFFER, 0, (uintptr_t)sum, sizeof(sum), 0, 0},
                             {FSM_HOST_BUFFER, 0, (uintptr_t)a, sizeof(a), 0, 0},
                             {FSM_HOST_BUFFER, 0, (uintptr_t)b, sizeof(b), 0, 0},
                             {FSM_INTEGER, 0, 0, 0, 1000, 0}};
  FsmEngine *engine;
  FsmKernel *kernel;
  FsmError *error;
  check(fsmEngineCreate(argv[1], strlen(argv[1]), &engine, &error), &error);
  check(fsmKernelLoad(engine, &source, NULL, 0, &kernel, &error), &error);
  check(fsmLaunch(kernel, 1, 1, 1, arguments, 4, NULL, &error), &error);
  fsmKernelDestroy(kernel);
  fsmEngineDestroy(engine);
  printf("1.5 + 999 is %g\n", (double)sum[999]);
  fclose(file);
  return 0;
}
