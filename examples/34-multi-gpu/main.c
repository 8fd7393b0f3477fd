/* Softmax over rows that all GPUs of a machine share: main cuda, main sim, or main cpu, which is one device. The rows lie on the first GPU. Each of the
 * others gets its part from there, computes on a stream of its own, and gives the result back; softmax.h and softmax.o
 * are made as for 33-aot. */
#define FSM_SOFTMAX_IMPLEMENTATION
#include "softmax.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 101, COLUMNS = 781, MOST = 16 };

static void check(FsmStatus status) {
  if (status == FSM_OK)
    return;
  fprintf(stderr, "%s\n", fsmRuntimeError());
  exit(1);
}

typedef struct Part {
  FsmDevice *device;
  void *stream, *in, *out;
  int first, rows;
} Part;

static size_t bytesOf(int rows) { return (size_t)rows * COLUMNS * sizeof(float); }
static void *rowOf(void *memory, int row) { return (char *)memory + bytesOf(row); }

/* Takes rows from the first GPU, which has them all. */
static void begin(Part *part, const char *kind, int number, int count) {
  char name[32];
  snprintf(name, sizeof(name), "%s:%d", kind, number);
  part->first = ROWS * number / count;
  part->rows = ROWS * (number + 1) / count - part->first;
  check(fsmDeviceOpen(count == 1 ? kind : name, NULL, &part->device));
  check(fsmDeviceStreamCreate(part->device, &part->stream));
  int own = number == 0 ? ROWS : part->rows;
  check(fsmDeviceAllocate(part->device, bytesOf(own), &part->in));
  check(fsmDeviceAllocate(part->device, bytesOf(own), &part->out));
}

static double worstError(const float *in, const float *out) {
  double worst = 0;
  for (int row = 0; row < ROWS; ++row, in += COLUMNS, out += COLUMNS) {
    double sum = 0;
    for (int i = 0; i < COLUMNS; ++i)
      sum += exp((double)in[i]);
    for (int i = 0; i < COLUMNS; ++i)
      worst = fmax(worst, fabs((double)out[i] * sum / exp((double)in[i]) - 1));
  }
  return worst;
}

int main(int argc, char **argv) {
  const char *kind = argc > 1 ? argv[1] : "cuda";
  static float in[ROWS * COLUMNS], out[ROWS * COLUMNS];
  static Part parts[MOST];
  int32_t count = 0;
  check(fsmDeviceCount(kind, &count));
  if (count == 0)
    return printf("there is no GPU here\n"), 3;
  if (count == 1)
    printf("there is one device here, which computes all rows\n");
  count = count < MOST ? count : MOST;
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    in[i] = (float)(i % 89) / 16.0f;
  for (int i = 0; i < count; ++i)
    begin(&parts[i], kind, i, count);
  const Part *all = &parts[0];
  check(fsmDeviceWrite(all->device, all->in, in, sizeof(in)));
  for (int i = 1; i < count; ++i)
    check(fsmDeviceCopy(parts[i].device, parts[i].in, all->device, rowOf(all->in, parts[i].first), bytesOf(parts[i].rows)));
  for (int i = 0; i < count; ++i)
    check(fsm_softmax_launch(parts[i].device, parts[i].stream, parts[i].rows, 1, 1, (float *)parts[i].out,
                             (const float *)parts[i].in, COLUMNS, COLUMNS, COLUMNS));
  for (int i = 0; i < count; ++i)
    check(fsmDeviceStreamSynchronize(parts[i].device, parts[i].stream));
  for (int i = 1; i < count; ++i)
    check(fsmDeviceCopy(all->device, rowOf(all->out, parts[i].first), parts[i].device, parts[i].out, bytesOf(parts[i].rows)));
  check(fsmDeviceRead(all->device, out, all->out, sizeof(out)));
  for (int i = 0; i < count; ++i) {
    printf("%s: rows %d to %d\n", fsmDeviceName(parts[i].device), parts[i].first, parts[i].first + parts[i].rows - 1);
    check(fsmDeviceStreamDestroy(parts[i].device, parts[i].stream));
    fsmDeviceClose(parts[i].device);
  }
  double worst = worstError(in, out);
  printf("off by %s\n", worst < 1e-5 ? "less than 1e-5" : "more than 1e-5");
  return worst < 1e-5 ? 0 : 1;
}
