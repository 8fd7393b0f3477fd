/* prepared DEVICE VECTOR-ADD.mlir: prepared launches from 16 threads, on 4 streams where there are
 * some. Meanwhile two threads compile, two open and end engines of their own, and the engine that the
 * 16 launch on ends. tools/dev/check-api runs it with sanitizers. */
#include "check.h"

#include <pthread.h>

enum { kThreads = 16, kStreams = 4, kRounds = 20, kCount = 512, kCompiles = 4, kEngines = 3 };

static const char *device;
static FsmSource text;
static FsmEngine *engine;
static FsmKernel *kernel;
static FsmStream *streams[kStreams];
static int isGpu;

/* How many threads need the handles of the engine and the kernel no more. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void getReady(void) {
  pthread_mutex_lock(&mutex);
  ++ready;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

/* The kernel with blocks of a size, on the engine or another. */
static FsmKernel *load(FsmEngine *on, int block) {
  char parameter[32];
  const char *const parameters[] = {parameter};
  snprintf(parameter, sizeof(parameter), "BLOCK=%d", block);
  FsmSource source = text;
  source.parameters = parameters;
  source.parameterCount = 1;
  FsmKernel *loaded = NULL;
  FsmError *error = NULL;
  checkDone(fsmKernelLoad(on, &source, NULL, 0, &loaded, &error), &error, "load");
  return loaded;
}

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
static void *work(void *given) {
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
  getReady();
  FsmStream *stream = isGpu ? streams[thread % kStreams] : NULL;
  for (int round = 0; round < kRounds; ++round) {
    int to = round % 2 == 0 ? 0 : 2;
    /* The last element is left out at times: that takes other code. */
    uint64_t values[] = {arguments[to].address, arguments[1].address, arguments[2 - to].address,
                         (uint64_t)(round % 4 < 2 ? kCount : kCount - 1)};
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
  for (int i = 0; i < kCount - 1; ++i)
    CHECK(last->values[i] == (float)(kRounds * (thread + 1)));
  for (int v = 0; v < 3; ++v)
    fsmMemoryDestroy(vectors[v].memory);
  fsmPreparedDestroy(prepared);
  return NULL;
}

/* Compiles other kernels of the engine, which they keep, and texts of stages. */
static void *compile(void *given) {
  int first = 32 * kCompiles * *(int *)given + 32;
  static float data[kCount];
  FsmArgument arguments[] = {buffer(data, sizeof(data)), buffer(data, sizeof(data)),
                             buffer(data, sizeof(data)), integer(1)};
  FsmCompileRequest requests[kCompiles];
  for (int k = 0; k < kCompiles; ++k) {
    FsmCompileRequest request = {load(engine, first + 32 * k), arguments, 4};
    requests[k] = request;
  }
  getReady();
  FsmError *error = NULL;
  checkDone(fsmCompileAll(requests, kCompiles, &error), &error, "compile");
  for (int k = 0; k < kCompiles; ++k) {
    FsmText *stage = NULL;
    const char *const options[] = {"target=sm_90a"}, *const parameters[] = {"BLOCK=64"};
    FsmSource source = text;
    source.parameters = parameters;
    source.parameterCount = 1;
    checkDone(fsmEmit(&source, options, 1, "ptx", 3, &stage, &error), &error, "emit");
    CHECK(strstr(fsmTextData(stage, NULL), ".entry"));
    fsmTextDestroy(stage);
    fsmKernelDestroy(requests[k].kernel);
  }
  return NULL;
}

/* Opens engines, and launches on them before and after their handles are gone. */
static void *openEngines(void *given) {
  float values[3][8] = {{0}};
  FsmError *error = NULL;
  for (int round = 0; round < kEngines; ++round) {
    FsmEngine *own = engineOn(device);
    FsmKernel *kernels[] = {load(own, 32), load(own, 64)};
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 8; ++i)
        values[0][i] = 0.0f, values[1][i] = (float)*(int *)given, values[2][i] = 0.5f;
      FsmArgument arguments[] = {buffer(values[0], sizeof(values[0])), buffer(values[1], sizeof(values[1])),
                                 buffer(values[2], sizeof(values[2])), integer(8)};
      checkDone(fsmLaunch(kernels[k], 1, 1, 1, arguments, 4, NULL, &error), &error, "launch");
      for (int i = 0; i < 8; ++i)
        CHECK(values[0][i] == (float)*(int *)given + 0.5f);
      fsmKernelDestroy(kernels[k]);
      if (k == 0)
        fsmEngineDestroy(own);
    }
  }
  return NULL;
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
  double seconds = 0;
  refuse(fsmEventCreate(NULL, NULL, &error), &error, "expected an engine, got a null pointer");
  refuse(fsmEventRecord(NULL, NULL, &error), &error, "expected an event, got a null pointer");
  refuse(fsmEventHoldUp(NULL, NULL, &error), &error, "expected an event, got a null pointer");
  refuse(fsmEventSynchronize(NULL, &error), &error, "expected an event, got a null pointer");
  refuse(fsmEventSeconds(NULL, NULL, &seconds, &error), &error, "expected an event, got a null");
  CHECK(fsmStreamHandle(NULL) == NULL && fsmMemoryAddress(NULL) == 0 && !fsmEventHandle(NULL));
  if (isGpu)
    return;
  FsmEvent *event = NULL;
  refuse(fsmEventCreate(engine, &event, &error), &error, "to make an event on, got the device '");
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
  refuse(fsmPreparedWarmUpGrid(prepared, 1, 1, 1, values, 3, &error), &error,
         "expected 4 values for a prepared launch, got 3");
  checkDone(fsmPreparedWarmUpGrid(prepared, 2, 1, 1, values, 4, &error), &error, "warm up a grid");
  refuse(fsmPreparedLaunch(prepared, 1, 1, 1, values, 4, values, &error), &error,
         "expected no stream on the device '");
  fsmPreparedDestroy(prepared);
}

/* Moments of two streams: the second one's comes behind that of the first, which it waits for. */
static void checkEvents(void) {
  FsmError *error = NULL;
  FsmEvent *events[2] = {NULL};
  double seconds = -1;
  for (int e = 0; e < 2; ++e)
    checkDone(fsmEventCreate(engine, &events[e], &error), &error, "event");
  CHECK(fsmEventHandle(events[0]) && fsmEventHandle(events[0]) != fsmEventHandle(events[1]));
  CHECK(fsmEventSeconds(events[0], events[1], &seconds, &error) == FSM_EXECUTION && seconds == -1);
  fsmErrorDestroy(error);
  checkDone(fsmEventRecord(events[0], fsmStreamHandle(streams[0]), &error), &error, "record");
  checkDone(fsmEventHoldUp(events[0], fsmStreamHandle(streams[1]), &error), &error, "hold up");
  checkDone(fsmEventRecord(events[1], fsmStreamHandle(streams[1]), &error), &error, "record");
  checkDone(fsmEventSynchronize(events[1], &error), &error, "wait");
  checkDone(fsmEventSeconds(events[0], events[1], &seconds, &error), &error, "seconds");
  CHECK(seconds >= 0 && seconds < 60);
  refuse(fsmEventSeconds(events[0], events[1], NULL, &error), &error,
         "expected a place for seconds, got a null pointer");
  /* The default stream. */
  checkDone(fsmEventRecord(events[0], NULL, &error), &error, "record");
  checkDone(fsmEventSynchronize(events[0], &error), &error, "wait");
  for (int e = 0; e < 2; ++e)
    fsmEventDestroy(events[e]);
}

/* What the threads do: 16 launch, two compile, two open engines. */
static void *(*const kWork[])(void *) = {work, compile, openEngines};
enum { kAll = kThreads + 4 };

int main(int argc, char **argv) {
  CHECK(argc == 3);
  device = argv[1];
  isGpu = strcmp(device, "cpu") != 0 && strcmp(device, "interp") != 0;
  size_t length;
  char *data = readFile(argv[2], &length);
  text = sourceOf(data, length, argv[2]);
  engine = engineOn(device);
  kernel = load(engine, 256);
  FsmError *error = NULL;
  for (int s = 0; isGpu && s < kStreams; ++s)
    checkDone(fsmStreamCreate(engine, &streams[s], &error), &error, "stream");
  checkRefusals();
  if (isGpu)
    checkEvents();
  pthread_t threads[kAll];
  int numbers[kAll];
  for (int t = 0; t < kAll; ++t) {
    int kind = t < kThreads ? 0 : 1 + t % 2;
    numbers[t] = t < kThreads ? t : (t - kThreads) / 2;
    CHECK(pthread_create(&threads[t], NULL, kWork[kind], &numbers[t]) == 0);
  }
  /* The engine ends while others run: what was made with it keeps it. */
  pthread_mutex_lock(&mutex);
  while (ready < kThreads + 2)
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  fsmEngineDestroy(engine);
  fsmKernelDestroy(kernel);
  for (int t = 0; t < kAll; ++t)
    CHECK(pthread_join(threads[t], NULL) == 0);
  for (int s = 0; s < kStreams; ++s)
    fsmStreamDestroy(streams[s]);
  free(data);
  puts("right");
  return 0;
}
