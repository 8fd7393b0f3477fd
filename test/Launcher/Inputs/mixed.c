/* mixed DEVICE: numbers of all sizes arrive, and each program knows its place. */
#define FSM_MIXED_IMPLEMENTATION
#include "mixed.h"
#define FSM_NOTHING_IMPLEMENTATION
#include "nothing.h"

#include <stdio.h>

int main(int argc, char **argv) {
  FsmDevice *device = NULL;
  void *memory = NULL;
  double out[6] = {0, 0, 0, 0, 0, 0};
  /* 0x4100 is 2.5 as an f16. */
  if (argc != 2 || fsmDeviceOpen(argv[1], NULL, &device) || fsmDeviceAllocate(device, sizeof(out), &memory) ||
      fsm_mixed_launch(device, NULL, 3, 2, 1, (double *)memory, 1099511627776, 0x4100, -8.0, -3) ||
      fsm_nothing_launch(device, NULL, 1, 1, 1) || fsmDeviceRead(device, out, memory, sizeof(out))) {
    fprintf(stderr, "%s\n", fsmRuntimeError());
    return 1;
  }
  for (int i = 0; i < 6; ++i)
    if (out[i] != 1099511627776.0 - 20.0 - 3.0)
      return 2;
  printf("right on %s\n", fsmDeviceName(device));
  if (fsm_mixed_launch(device, NULL, 1, 1, 1, (double *)memory, 6, 0, 0.0, 0) == FSM_OK)
    return 3;
  printf("%s\n", fsmRuntimeError());
  fsmDeviceClose(device);
  return 0;
}
