/* prepared DEVICE VECTOR-ADD.mlir: prepared launches from 16 threads, on 4 streams where there are
 * some. */
#include "check.h"

#include <threads.h>

enum { kThreads = 16, kStreams = 4, kRounds = 20, kCount = 512 };

static FsmEngine *engine;
static FsmKernel *kernel;
static FsmStream *streams[kStreams];
static int isGpu;

/* A vector, on the device where that has memory of its own. */
typedef struct {
  float values[kCount];
  FsmMemory *memory;
} Vector;

static FsmArgument argumentOf(Vector *vector) {
  FsmArgument argument = buffer(vector->values, sizeof(vector->values));
  if (isGpu) {
    FsmError *error = NULL;
    checkDone(fsmMemoryCreate(engine, sizeof(vector->values), &vector->memory, &error), &error,
              "memory");
    checkDone(fsmMemoryWrite(vector->memory, 0, vector->values, sizeof(vector->values), &error),
              &error, "write");
    argument.kind = FSM_DEVICE_BUFFER;
    argument.address = fsmMemoryAddress(vector->memory);
  }
  return argument;
}

/* a + b, then a + (a + b), ...: each launch reads what the one before has written. */
static int work(void *given) {
  int thread = *(int *)given;
  FsmError *error = NULL;
  static Vector all[kThreads][3];
  Vector *vectors = all[thread];
  FsmArgument arguments[4];
  for (int v = 0; v < 3; ++v) {
    for (int i = 0; i < kCount; ++i)
      vectors[v].values[i] = v == 1 ? (float)(thread + 1) : 0.0f;
    arguments[v] = argumentOf(&vectors[v]);
  }
  arguments[3] = integer(kCount);
  FsmPrepared *prepared = NULL;
  checkDone(fsmPrepare(kernel, arguments, 4, &prepared, &error), &error, "prepare");
  FsmStream *stream = isGpu ? streams[thread % kStreams] : NULL;
  for (int round = 0; round < kRounds; ++round) {
    int to = round % 2 == 0 ? 0 : 2;
    uint64_t values[] = {arguments[to].address, arguments[1].address, arguments[2 - to].address,
                         kCount};
    checkDone(fsmPreparedLaunch(prepared, kCount / 256, 1, 1, values, 4, fsmStreamHandle(stream),
                                &error),
              &error, "launch");
  }
  Vector *last = &vectors[2];
  if (isGpu) {
    checkDone(fsmStreamSynchronize(stream, &error), &error, "synchronize");
    checkDone(fsmMemoryRead(last->memory, 0, last->values, sizeof(last->values), &error), &error,
              "read");
  }
  for (int i = 0; i < kCount; ++i)
    CHECK(last->values[i] == (float)(kRounds * (thread + 1)));
  for (int v = 0; v < 3; ++v)
    fsmMemoryDestroy(vectors[v].memory);
  fsmPreparedDestroy(prepared);
  return 0;
}

static void refuse(FsmStatus status, FsmError **error, const char *sentence) {
  CHECK(status == FSM_BAD_INPUT && strstr(fsmErrorText(*error, NULL), sentence));
  fsmErrorDestroy(*error);
  *error = NULL;
}

/* What is wrong with calls of a prepared launch. */
static void checkRefusals(void) {
  FsmError *error = NULL;
  FsmPrepared *prepared = NULL;
  static float data[kCount];
  FsmArgument arguments[] = {buffer(data, sizeof(data)), buffer(data, sizeof(data)),
                             buffer(data, sizeof(data)), integer(kCount)};
  refuse(fsmPrepare(NULL, arguments, 4, &prepared, &error), &error, "expected a kernel, got a null");
  refuse(fsmPrepare(kernel, arguments, 4, NULL, &error), &error,
         isGpu ? "takes memory of the device in a prepared launch"
               : "expected a place for a prepared launch, got a null pointer");
  refuse(fsmPreparedLaunch(NULL, 1, 1, 1, NULL, 0, NULL, &error), &error,
         "expected a prepared launch, got a null pointer");
  refuse(fsmMemoryCreate(NULL, 1, NULL, &error), &error, "expected an engine, got a null pointer");
  refuse(fsmMemoryRead(NULL, 0, data, 1, &error), &error, "expected memory, got a null pointer");
  refuse(fsmStreamCreate(NULL, NULL, &error), &error, "expected an engine, got a null pointer");
  refuse(fsmStreamSynchronize(NULL, &error), &error, "expected a stream, got a null pointer");
  CHECK(fsmStreamHandle(NULL) == NULL && fsmMemoryAddress(NULL) == 0);
  if (isGpu)
    return;
  FsmMemory *memory = NULL;
  FsmStream *stream = NULL;
  refuse(fsmMemoryCreate(engine, 1, &memory, &error), &error, "to allocate on, got the device '");
  refuse(fsmStreamCreate(engine, &stream, &error), &error, "to make a stream on, got the device '");
  checkDone(fsmPrepare(kernel, arguments, 4, &prepared, &error), &error, "prepare");
  refuse(fsmPreparedLaunch(prepared, 1, 1, 1, NULL, 3, NULL, &error), &error,
         "expected 4 values for a prepared launch, got 3");
  refuse(fsmPreparedWarmUp(prepared, NULL, 4, &error), &error, "expected values, got a null");
  uint64_t values[4] = {0, 0, 0, 1};
  checkDone(fsmPreparedWarmUp(prepared, values, 4, &error), &error, "warm up");
  refuse(fsmPreparedLaunch(prepared, 1, 1, 1, values, 4, values, &error), &error,
         "expected no stream on the device '");
  fsmPreparedDestroy(prepared);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  isGpu = strcmp(argv[1], "cpu") != 0 && strcmp(argv[1], "interp") != 0;
  size_t length;
  char *text = readFile(argv[2], &length);
  FsmSource source = sourceOf(text, length, argv[2]);
  const char *parameters[] = {"BLOCK=256"};
  source.parameters = parameters;
  source.parameterCount = 1;
  engine = engineOn(argv[1]);
  FsmError *error = NULL;
  checkDone(fsmKernelLoad(engine, &source, NULL, 0, &kernel, &error), &error, "load");
  for (int s = 0; isGpu && s < kStreams; ++s)
    checkDone(fsmStreamCreate(engine, &streams[s], &error), &error, "stream");
  checkRefusals();
  thrd_t threads[kThreads];
  int numbers[kThreads];
  for (int t = 0; t < kThreads; ++t) {
    numbers[t] = t;
    CHECK(thrd_create(&threads[t], work, &numbers[t]) == thrd_success);
  }
  for (int t = 0; t < kThreads; ++t)
    CHECK(thrd_join(threads[t], NULL) == thrd_success);
  /* The engine last or first: each keeps it. */
  fsmEngineDestroy(engine);
  for (int s = 0; s < kStreams; ++s)
    fsmStreamDestroy(streams[s]);
  fsmKernelDestroy(kernel);
  free(text);
  puts("right");
  return 0;
}
