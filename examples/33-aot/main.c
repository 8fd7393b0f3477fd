/* Softmax over rows, compiled before: main DEVICE. There is no compiler in this program, and none is looked for:
 * softmax.h, and softmax.o for the CPU, were made of examples/04-softmax.mlir by fsm-run --emit=header and --emit=obj. */
#define FSM_SOFTMAX_IMPLEMENTATION
#include "softmax.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 37, COLUMNS = 781, COUNT = ROWS * COLUMNS };

static void check(FsmStatus status) {
  if (status == FSM_OK)
    return;
  fprintf(stderr, "%s\n", fsmRuntimeError());
  exit(1);
}

int main(int argc, char **argv) {
  static float in[COUNT], out[COUNT];
  for (int i = 0; i < COUNT; ++i)
    in[i] = (float)(i % 97) / 16.0f;
  FsmDevice *device;
  void *from, *to;
  check(fsmDeviceOpen(argc > 1 ? argv[1] : "", NULL, &device));
  check(fsmDeviceAllocate(device, sizeof(in), &from));
  check(fsmDeviceAllocate(device, sizeof(out), &to));
  check(fsmDeviceWrite(device, from, in, sizeof(in)));
  check(fsm_softmax_launch(device, NULL, ROWS, 1, 1, (float *)to, (const float *)from, COLUMNS, COLUMNS, COLUMNS));
  check(fsmDeviceRead(device, out, to, sizeof(out)));
  double worst = 0;
  for (int row = 0; row < ROWS; ++row) {
    double sum = 0;
    for (int i = row * COLUMNS; i < (row + 1) * COLUMNS; ++i)
      sum += exp((double)in[i]);
    for (int i = row * COLUMNS; i < (row + 1) * COLUMNS; ++i)
      worst = fmax(worst, fabs((double)out[i] - exp((double)in[i]) / sum) / (exp((double)in[i]) / sum));
  }
  printf("%d rows on %s, off by %s\n", ROWS, fsmDeviceName(device), worst < 1e-5 ? "less than 1e-5" : "more than 1e-5");
  fsmDeviceClose(device);
  return worst < 1e-5 ? 0 : 1;
}
