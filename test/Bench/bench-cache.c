/* bench-cache DEVICE SOFTMAX.mlir: microseconds from the text of examples/04-softmax to its code, medians of 51, with
 * FSM_CACHE_DIR naming an empty folder: compiled, found in the folder by an engine that is new, and found in the memory of an
 * engine that has loaded it before. tools/dev/bench-compile calls it. */
#include "../CAPI/check.h"

#include <time.h>

enum { RUNS = 51, COLUMNS = 1024 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *one, const void *other) {
  double left = *(const double *)one, right = *(const double *)other;
  return (left > right) - (left < right);
}

static double median(double *times) {
  qsort(times, RUNS, sizeof(double), compare);
  return times[RUNS / 2];
}

/* Microseconds until the code is there, and until the kernel was loaded. */
static double load(FsmEngine *engine, const FsmSource *source, double *loaded) {
  static _Alignas(256) float in[COLUMNS], out[COLUMNS];
  FsmArgument arguments[] = {buffer(out, sizeof(out)), buffer(in, sizeof(in)), integer(COLUMNS), integer(COLUMNS),
                             integer(COLUMNS)};
  FsmKernel *kernel = NULL;
  FsmError *error = NULL;
  double begin = now();
  checkDone(fsmKernelLoad(engine, source, NULL, 0, &kernel, &error), &error, "load");
  *loaded = now() - begin;
  FsmCompileRequest request = {kernel, arguments, 5};
  checkDone(fsmCompileAll(&request, 1, &error), &error, "compile");
  double time = now() - begin;
  fsmKernelDestroy(kernel);
  return time;
}

int main(int argc, char **argv) {
  CHECK(argc == 3 && getenv("FSM_CACHE_DIR"));
  size_t length = 0;
  char *text = readFile(argv[2], &length);
  FsmSource source = sourceOf(text, length, "softmax.mlir");
  double compiled[RUNS], disk[RUNS], read[RUNS], memory[RUNS], found[RUNS], loaded;
  /* The first touches pages and tables. */
  for (int i = -1; i < RUNS; ++i) {
    char block[32];
    const char *const parameters[] = {block};
    snprintf(block, sizeof(block), "BLOCK=%d", 1024 + 16 * (i + 1));
    source.parameters = parameters;
    source.parameterCount = 1;
    FsmEngine *first = engineOn(argv[1]), *second = engineOn(argv[1]);
    int to = i < 0 ? 0 : i;
    compiled[to] = load(first, &source, &loaded);
    disk[to] = load(second, &source, &read[to]);
    memory[to] = load(second, &source, &found[to]);
    fsmEngineDestroy(first);
    fsmEngineDestroy(second);
  }
  free(text);
  printf("%s cache: compiled %.0f us, from the folder %.0f us, of which %.0f to read the text, from memory %.1f us, of which %.1f "
         "to find it\n",
         argv[1], median(compiled), median(disk), median(read), median(memory), median(found));
  return 0;
}
