/* newcomers DEVICE: what those try who have not read the header to its end. Each attempt prints lines `STATUS FILE:LINE:COLUMN
 * SENTENCE`, or what it led to; none ends the process. */
#include "check.h"

static void show(const char *what, FsmStatus status, FsmError **given) {
  FsmError *error = *given;
  printf("%s:", what);
  if (status == FSM_OK) {
    CHECK(!error);
    printf(" fine\n");
    return;
  }
  CHECK(error && fsmErrorCount(error) > 0);
  for (size_t i = 0; i < fsmErrorCount(error); ++i) {
    FsmDiagnostic said;
    fsmErrorGet(error, i, &said);
    printf(" %d %s:%u:%u %s\n", (int)status, said.file, said.line, said.column, said.sentence);
  }
  fsmErrorDestroy(error);
}

static const char kTwo[] = "fsm.kernel @a(%p: !fsm.ptr<f32>) {\n  fsm.return\n}\n"
                           "fsm.kernel @b(%p: !fsm.ptr<f32>) {\n  fsm.return\n}\n";
static const char kFill[] = "fsm.kernel @fill(%p: !fsm.ptr<i32>, %v: i32) {\n"
                            "  %i = fsm.program_id x : i32\n"
                            "  %q = fsm.offset %p, %i : !fsm.ptr<i32>, i32\n"
                            "  fsm.store %v, %q : i32, !fsm.ptr<i32>\n"
                            "  fsm.return\n}\n";

static FsmStatus loadText(FsmEngine *engine, const char *text, size_t length, const char *option, FsmKernel **kernel,
                          FsmError **error) {
  FsmSource source = sourceOf(text, length, "k.mlir");
  return fsmKernelLoad(engine, &source, &option, option ? 1 : 0, kernel, error);
}

static void tryTexts(FsmEngine *engine) {
  FsmKernel *kernel = NULL;
  FsmError *error = NULL;
  struct {
    const char *what, *text, *option;
  } tries[] = {
      {"two kernels", kTwo, NULL},
      {"the second of two", kTwo, "kernel=b"},
      {"a name that is none", kTwo, "kernel=c"},
      {"a name with an @", kTwo, "kernel=@b"},
      {"an empty name", kTwo, "kernel="},
      {"an empty text", "", NULL},
      {"blanks", "\n\n  \n", NULL},
      {"a comment", "// nothing\n", NULL},
      {"a text of C", "int main(void) { return 0; }\n", NULL},
      {"text of MLIR without a kernel", "module {\n}\n", NULL},
      {"umlauts in a comment", "// Größe, 大きさ, \xF0\x9F\x98\x80\nfsm.kernel @u() {\n  fsm.return\n}\n", NULL},
      {"umlauts in a name", "fsm.kernel @größe() {\n  fsm.return\n}\n", NULL},
      {"a name in quotes", "fsm.kernel @\"größe\"() {\n  fsm.return\n}\n", NULL},
      {"bytes that are no UTF-8", "fsm.kernel @k() {\n  \xff\xfe\n}\n", NULL},
      {"a mark of bytes' order", "\xEF\xBB\xBF" "fsm.kernel @k() {\n  fsm.return\n}\n", NULL},
      {"ends of lines of Windows", "fsm.kernel @k() {\r\n  fsm.return\r\n}\r\n", NULL},
      {"a place that is taken", kTwo, "target=sm_90a"},
  };
  for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); ++i) {
    FsmStatus status = loadText(engine, tries[i].text, strlen(tries[i].text), tries[i].option, &kernel, &error);
    show(tries[i].what, status, &error);
    CHECK((status == FSM_OK) == (kernel != NULL));
    fsmKernelDestroy(kernel);
    kernel = NULL;
  }
  FsmSource source = {NULL, 0, NULL, 0, NULL, 0};
  show("nothing at all", fsmKernelLoad(engine, &source, NULL, 0, &kernel, &error), &error);
  source.textLength = 100;
  show("a length without a text", fsmKernelLoad(engine, &source, NULL, 0, &kernel, &error), &error);
  show("a zero in the text", loadText(engine, "fsm.kernel @k() {\n\0 fsm.return\n}\n", 33, NULL, &kernel, &error), &error);
  show("a text that ends early", loadText(engine, kTwo, 40, NULL, &kernel, &error), &error);
  show("no place for a kernel", loadText(engine, kTwo, strlen(kTwo), "kernel=a", NULL, &error), &error);
}

static void tryDevices(void) {
  static const char *const names[] = {"CPU", "cpu ", "cuda:-1", "cuda:99999999999", "sim:x", "gpu", "cuda:", "größe"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    FsmEngine *engine = NULL;
    FsmError *error = NULL;
    FsmStatus status = fsmEngineCreate(names[i], strlen(names[i]), &engine, &error);
    CHECK(status == FSM_NO_DEVICE && !engine && error && fsmErrorCount(error) == 1);
    fsmErrorDestroy(error);
  }
  FsmError *error = NULL;
  show("no place for an engine", fsmEngineCreate("cpu", 3, NULL, &error), &error);
  CHECK(fsmEngineCreate("tpu", 3, NULL, NULL) == FSM_NO_DEVICE);
}

static void tryArguments(FsmEngine *engine) {
  FsmKernel *kernel = NULL;
  FsmError *error = NULL;
  checkDone(loadText(engine, kFill, strlen(kFill), NULL, &kernel, &error), &error, "fill");
  static _Alignas(64) int32_t data[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  FsmArgument good[] = {buffer(data, sizeof(data)), integer(7), integer(0)};
  FsmArgument tries[][2] = {
      {good[1], good[0]},                                        /* in the wrong order */
      {good[0], buffer(data, sizeof(data))},                     /* a buffer for a number */
      {good[0], {FSM_REAL, 0, 0, 0, 0, 2.5}},                    /* a number with a fraction */
      {good[0], integer(5000000000)},                            /* one that does not fit */
      {buffer(NULL, 32), good[1]},                               /* no memory */
      {good[0], {-1, 0, 0, 0, 0, 0}},                            /* a kind that is none */
  };
  for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); ++i) {
    char what[32];
    snprintf(what, sizeof(what), "arguments %d", (int)i);
    show(what, fsmLaunch(kernel, 1, 1, 1, tries[i], 2, NULL, &error), &error);
  }
  /* The simulator would end as a GPU does: nothing succeeds there any more. */
  FsmArgument elsewhere[] = {{FSM_DEVICE_BUFFER, 0, 4096, 32, 0, 0}, good[1]};
  if (strcmp(fsmEngineDevice(engine, NULL), "sim") != 0)
    show("memory of another device", fsmLaunch(kernel, 1, 1, 1, elsewhere, 2, NULL, &error), &error);
  show("too many arguments", fsmLaunch(kernel, 1, 1, 1, good, 3, NULL, &error), &error);
  show("a count without arguments", fsmLaunch(kernel, 1, 1, 1, NULL, 2, NULL, &error), &error);
  /* A grid of nothing is a launch of nothing. */
  show("no programs along x", fsmLaunch(kernel, 0, 1, 1, good, 2, NULL, &error), &error);
  show("no programs along z", fsmLaunch(kernel, 8, 1, 0, good, 2, NULL, &error), &error);
  for (int i = 0; i < 8; ++i)
    CHECK(data[i] == 1);
  show("the smallest grid", fsmLaunch(kernel, INT32_MIN, 1, 1, good, 2, NULL, &error), &error);
  show("the greatest grid", fsmLaunch(kernel, INT32_MAX, INT32_MAX, INT32_MAX, good, 2, NULL, &error), &error);
  show("a launch", fsmLaunch(kernel, 8, 1, 1, good, 2, NULL, &error), &error);
  for (int i = 0; i < 8; ++i)
    CHECK(data[i] == 7);
  FsmParameter parameter;
  fsmKernelParameter(kernel, 2, &parameter);
  CHECK(!parameter.name && !parameter.type && parameter.pointerDepth == 0);
  fsmKernelDestroy(kernel);
}

/* Prepared launches, of another count, of nothing, and behind the end of all else. */
static void tryPrepared(const char *device) {
  FsmEngine *engine = engineOn(device);
  FsmKernel *kernel = NULL;
  FsmPrepared *prepared = NULL;
  FsmError *error = NULL;
  checkDone(loadText(engine, kFill, strlen(kFill), NULL, &kernel, &error), &error, "fill");
  static _Alignas(64) int32_t data[8];
  FsmMemory *memory = NULL;
  int hasMemory = strcmp(device, "sim") == 0;
  if (hasMemory)
    checkDone(fsmMemoryCreate(engine, sizeof(data), &memory, &error), &error, "memory");
  uint64_t address = hasMemory ? fsmMemoryAddress(memory) : (uint64_t)(uintptr_t)data;
  FsmArgument arguments[] = {{hasMemory ? FSM_DEVICE_BUFFER : FSM_HOST_BUFFER, 0, address, sizeof(data), 0, 0}, integer(3)};
  show("prepare with one argument", fsmPrepare(kernel, arguments, 1, &prepared, &error), &error);
  show("prepare nothing", fsmPrepare(NULL, arguments, 2, &prepared, &error), &error);
  show("prepare nowhere", fsmPrepare(kernel, arguments, 2, NULL, &error), &error);
  checkDone(fsmPrepare(kernel, arguments, 2, &prepared, &error), &error, "prepare");
  /* Whatever it was made with may go first. */
  fsmKernelDestroy(kernel);
  fsmEngineDestroy(engine);
  uint64_t values[] = {address, 3};
  show("values", fsmPreparedLaunch(prepared, 8, 1, 1, values, 1, NULL, &error), &error);
  show("values of nothing", fsmPreparedLaunch(prepared, 8, 1, 1, NULL, 2, NULL, &error), &error);
  show("nothing prepared", fsmPreparedLaunch(NULL, 8, 1, 1, values, 2, NULL, &error), &error);
  show("warm up nothing", fsmPreparedWarmUp(NULL, values, 2, &error), &error);
  show("warm up one value", fsmPreparedWarmUpGrid(prepared, 8, 1, 1, values, 1, &error), &error);
  show("prepared for no programs", fsmPreparedLaunch(prepared, 0, 0, 0, values, 2, NULL, &error), &error);
  show("prepared for fewer than none", fsmPreparedLaunch(prepared, -8, 1, 1, values, 2, NULL, &error), &error);
  show("warmed up for fewer than none", fsmPreparedWarmUpGrid(prepared, -8, 1, 1, values, 2, &error), &error);
  show("prepared", fsmPreparedLaunch(prepared, 8, 1, 1, values, 2, NULL, &error), &error);
  if (hasMemory) {
    show("over the end", fsmMemoryRead(memory, 4, data, sizeof(data), &error), &error);
    show("to nowhere", fsmMemoryRead(memory, 0, NULL, sizeof(data), &error), &error);
    show("from nowhere", fsmMemoryWrite(memory, 0, NULL, 4, &error), &error);
    show("an offset without end", fsmMemoryWrite(memory, UINT64_MAX - 1, data, 4, &error), &error);
    checkDone(fsmMemoryRead(memory, 0, data, sizeof(data), &error), &error, "read");
  }
  for (int i = 0; i < 8; ++i)
    CHECK(data[i] == 3);
  fsmMemoryDestroy(memory);
  fsmPreparedDestroy(prepared);
}

/* What a GPU has, of nothing and of a device that is none. */
static void tryStreams(FsmEngine *engine) {
  FsmStream *stream = NULL;
  FsmEvent *event = NULL;
  FsmMemory *memory = NULL;
  FsmError *error = NULL;
  double seconds = 0;
  show("memory of nothing", fsmMemoryCreate(NULL, 4, &memory, &error), &error);
  show("memory nowhere", fsmMemoryCreate(engine, 4, NULL, &error), &error);
  show("a stream of nothing", fsmStreamCreate(NULL, &stream, &error), &error);
  show("an event of nothing", fsmEventCreate(NULL, &event, &error), &error);
  show("wait for no stream", fsmStreamSynchronize(NULL, &error), &error);
  show("record no event", fsmEventRecord(NULL, NULL, &error), &error);
  show("hold up no event", fsmEventHoldUp(NULL, NULL, &error), &error);
  show("wait for no event", fsmEventSynchronize(NULL, &error), &error);
  show("between no events", fsmEventSeconds(NULL, NULL, &seconds, &error), &error);
  show("write to nothing", fsmMemoryWrite(NULL, 0, &seconds, 8, &error), &error);
  show("read from nothing", fsmMemoryRead(NULL, 0, &seconds, 8, &error), &error);
  CHECK(!stream && !event && !memory && fsmMemoryAddress(NULL) == 0 && !fsmStreamHandle(NULL) && !fsmEventHandle(NULL));
  fsmMemoryDestroy(NULL);
  fsmStreamDestroy(NULL);
  fsmEventDestroy(NULL);
  fsmPreparedDestroy(NULL);
}

static void tryCode(void) {
  FsmSource source = sourceOf(kTwo, strlen(kTwo), "k.mlir");
  FsmCode *code = NULL;
  FsmChooser *chooser = NULL;
  FsmChoice *choice = NULL;
  FsmError *error = NULL;
  size_t count = 7;
  int32_t grid[] = {7, 8, 9};
  static const char *const second[] = {"kernel=b", "target=sm_80"}, *const none[] = {"kernel=c", "target=sm_80"};
  show("code of two", fsmCompile(&source, NULL, 0, NULL, 0, &code, &error), &error);
  show("code of none", fsmCompile(&source, none, 2, NULL, 0, &code, &error), &error);
  show("code of nothing", fsmCompile(NULL, NULL, 0, NULL, 0, &code, &error), &error);
  show("code nowhere", fsmCompile(&source, second, 2, NULL, 0, NULL, &error), &error);
  show("code of a form", fsmCompile(&source, second, 2, "sass", 4, &code, &error), &error);
  show("code", fsmCompile(&source, second, 2, NULL, 0, &code, &error), &error);
  CHECK(strcmp(fsmCodeKernel(code)->name, "b") == 0);
  FsmDiagnostic said;
  fsmCodeDiagnostic(code, 0, &said);
  CHECK(!said.sentence && fsmCodeDiagnosticCount(code) == 0);
  fsmCodeDestroy(code);
  show("choose of nothing", fsmChooserCreate(NULL, NULL, NULL, 0, &chooser, &error), &error);
  show("choose nowhere", fsmChooserCreate(NULL, &source, NULL, 0, NULL, &error), &error);
  show("choose by nothing", fsmChooserChoose(NULL, NULL, 0, &choice, &error), &error);
  checkDone(fsmChooserCreate(NULL, &source, second, 2, &chooser, &error), &error, "chooser");
  show("choose without arguments", fsmChooserChoose(chooser, NULL, 1, &choice, &error), &error);
  show("choose of what is fixed", fsmChooserChoose(chooser, NULL, 0, &choice, &error), &error);
  fsmChooserDestroy(chooser);
  fsmChoiceGrid(NULL, grid);
  CHECK(!fsmChoiceParameters(NULL, &count) && count == 0 && fsmChoiceSeconds(NULL) == 0 && grid[0] == 0 && grid[2] == 0);
  CHECK(!fsmCodeKernel(NULL) && *fsmCodeSymbol(NULL, &count) == 0 && fsmCodeImage(NULL, NULL));
  fsmChoiceGrid(NULL, NULL);
  fsmChoiceDestroy(NULL);
  fsmChooserDestroy(NULL);
  fsmCodeDestroy(NULL);
}

/* A kernel with a domain, and arguments that are not those of the kernel. */
static void tryChoices(void) {
  static const char text[] = "// param B = 64 in 32, 64\n"
                             "fsm.kernel @k(%p: !fsm.ptr<i32>, %n: i32) grid [ceildiv(%n, ${B})] {\n"
                             "  %r = fsm.range 0, ${B} : tensor<${B}xi32>\n"
                             "  fsm.store %r, %p[%r] : tensor<${B}xi32>, !fsm.ptr<i32>, tensor<${B}xi32>\n"
                             "  fsm.return\n}\n";
  FsmSource source = sourceOf(text, strlen(text), "k.mlir");
  FsmChooser *chooser = NULL;
  FsmChoice *choice = NULL;
  FsmError *error = NULL;
  static int32_t data[64];
  FsmArgument arguments[] = {buffer(data, sizeof(data)), integer(64), integer(3)};
  static const char *const known[] = {"target=sm_90a", "arguments=16,16"};
  for (size_t options = 1; options <= 2; ++options) {
    checkDone(fsmChooserCreate(NULL, &source, known, options, &chooser, &error), &error, "chooser");
    for (size_t count = 0; count <= 3; ++count) {
      if (count == 2)
        continue;
      FsmStatus status = fsmChooserChoose(chooser, arguments, count, &choice, &error);
      printf("%d of 2 arguments, ", (int)count);
      show(options == 1 ? "choose" : "choose for what is known", status, &error);
    }
    FsmArgument turned[] = {integer(64), buffer(data, sizeof(data))};
    FsmStatus status = fsmChooserChoose(chooser, turned, 2, &choice, &error);
    show("choose in the wrong order", status, &error);
    fsmChoiceDestroy(choice);
    choice = NULL;
    fsmChooserDestroy(chooser);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  setvbuf(stdout, NULL, _IONBF, 0);
  FsmEngine *engine = engineOn(argv[1]);
  tryTexts(engine);
  tryDevices();
  tryArguments(engine);
  tryStreams(engine);
  fsmEngineDestroy(engine);
  tryPrepared(argv[1]);
  tryCode();
  tryChoices();
  return 0;
}
