/* Launches a kernel that was compiled before, with libfsm-runtime and nothing else of FSM. */
#define FSM_SCALE_IMPLEMENTATION
#include "scale.h"
#include <stdio.h>

int main(void) {
  float numbers[100];
  void *memory = NULL;
  FsmDevice *device = NULL;
  for (int i = 0; i < 100; ++i)
    numbers[i] = (float)i;
  if (fsmDeviceOpen("cpu", NULL, &device) || fsmDeviceAllocate(device, sizeof(numbers), &memory) ||
      fsmDeviceWrite(device, memory, numbers, sizeof(numbers)) ||
      fsm_scale_launch(device, NULL, 1, 1, 1, (float *)memory, 2.5f) ||
      fsmDeviceRead(device, numbers, memory, sizeof(numbers))) {
    fprintf(stderr, "%s\n", fsmRuntimeError());
    return 1;
  }
  fsmDeviceClose(device);
  printf("2.5 times 99 is %g\n", (double)numbers[99]);
  return numbers[99] == 247.5f ? 0 : 1;
}
