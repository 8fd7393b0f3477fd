/* Each way to call the library wrongly, and what it says: lines `STATUS SEVERITY FILE LINE COLUMN
 * SENTENCE`, one for each diagnostic. */
#include "check.h"

static void show(const char *what, FsmStatus status, FsmError **given) {
  const FsmError *error = *given;
  printf("%s:\n", what);
  CHECK(status != FSM_OK && error && fsmErrorStatus(error) == status);
  CHECK(fsmErrorCount(error) > 0);
  for (size_t i = 0; i < fsmErrorCount(error); ++i) {
    FsmDiagnostic said;
    fsmErrorGet(error, i, &said);
    printf("  %d %d '%s' %u %u %s\n", status, said.severity, said.file, said.line, said.column,
           said.sentence);
  }
  FsmDiagnostic none;
  fsmErrorGet(error, fsmErrorCount(error), &none);
  CHECK(!none.file && !none.sentence && none.line == 0);
  fsmErrorDestroy(*given);
}

static const char kNothing[] = "fsm.kernel @nothing(%p: !fsm.ptr<f32>) {\n  fsm.return\n}\n";

static FsmStatus emitWith(const char *text, const char *option, const char *stage,
                          FsmError **error) {
  FsmSource source = sourceOf(text, strlen(text), "k.mlir");
  FsmText *emitted = NULL;
  FsmStatus status = fsmEmit(&source, &option, option ? 1 : 0, stage, strlen(stage), &emitted,
                             error);
  CHECK(!emitted);
  return status;
}

static void refuseOptions(void) {
  static const char *const options[] = {"num-warps=33",  "num-warps=x",      "strict=yes", "warps=4",
                                        "num-warps",     "arguments=zero",   "target=sm_1",
                                        "vector-bytes=12345678901", "spread=3", "spread=16",
                                        "roll-from=0", "roll-from=1048577"};
  FsmError *error = NULL;
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); ++i)
    show(options[i], emitWith(kNothing, options[i], "ptx", &error), &error);
}

static void refuseSources(void) {
  FsmError *error = NULL;
  show("stage", emitWith(kNothing, "target=cpu", "ptx", &error), &error);
  show("syntax", emitWith("fsm.kernel @k(%p: !fsm.ptr<f33>) {\n}", NULL, "fsm", &error), &error);
  show("note", emitWith("fsm.kernel @k() { fsm.return }\nfsm.kernel @k() { fsm.return }", NULL, "fsm",
                        &error), &error);
  FsmSource source = sourceOf(kNothing, strlen(kNothing), "");
  static const char *const parameters[] = {"BLOCK", "A=1", "A=2"};
  FsmText *text = NULL;
  source.parameters = parameters;
  source.parameterCount = 1;
  show("parameter", fsmEmit(&source, NULL, 0, "fsm", 3, &text, &error), &error);
  source.parameters = parameters + 1;
  source.parameterCount = 2;
  show("twice", fsmEmit(&source, NULL, 0, "fsm", 3, &text, &error), &error);
  source.parameters = NULL;
  show("no parameters", fsmEmit(&source, NULL, 0, "fsm", 3, &text, &error), &error);
  source.parameterCount = 0;
  show("no options", fsmEmit(&source, NULL, 1, "fsm", 3, &text, &error), &error);
  show("no source", fsmEmit(NULL, NULL, 0, "fsm", 3, &text, &error), &error);
  show("no place for a text", fsmEmit(&source, NULL, 0, "fsm", 3, NULL, &error), &error);
}

static void refuseLaunches(void) {
  FsmEngine *engine = NULL;
  FsmError *error = NULL;
  show("device", fsmEngineCreate("tpu", 3, &engine, &error), &error);
  CHECK(!engine);
  engine = engineOn("cpu");
  FsmSource source = sourceOf(kNothing, strlen(kNothing), "k.mlir");
  FsmKernel *kernel = NULL;
  show("no engine", fsmKernelLoad(NULL, &source, NULL, 0, &kernel, &error), &error);
  checkDone(fsmKernelLoad(engine, &source, NULL, 0, &kernel, &error), &error, "load");
  FsmArgument argument = integer(1);
  show("count", fsmLaunch(kernel, 1, 1, 1, NULL, 0, NULL, &error), &error);
  show("no arguments", fsmLaunch(kernel, 1, 1, 1, NULL, 1, NULL, &error), &error);
  show("number", fsmLaunch(kernel, 1, 1, 1, &argument, 1, NULL, &error), &error);
  argument.kind = 9;
  show("kind", fsmLaunch(kernel, 1, 1, 1, &argument, 1, NULL, &error), &error);
  show("no kernel", fsmLaunch(NULL, 1, 1, 1, &argument, 1, NULL, &error), &error);
  argument = buffer(NULL, 0);
  show("grid", fsmLaunch(kernel, -1, 1, 1, &argument, 1, NULL, &error), &error);
  int32_t stated[3] = {7, 8, 9};
  show("no grid", fsmKernelGrid(kernel, &argument, 1, stated, &error), &error);
  CHECK(stated[0] == 7 && stated[1] == 8 && stated[2] == 9);
  show("no place for a grid", fsmKernelGrid(kernel, &argument, 1, NULL, &error), &error);
  show("no kernel of a grid", fsmKernelGrid(NULL, &argument, 1, stated, &error), &error);
  /* Who does not want the error gets the status. */
  CHECK(fsmLaunch(kernel, -1, 1, 1, &argument, 1, NULL, NULL) == FSM_BAD_INPUT);
  fsmKernelDestroy(kernel);
  fsmEngineDestroy(engine);
}

/* What is asked of nothing is nothing. */
static void askNothing(void) {
  size_t length = 1;
  CHECK(*fsmErrorText(NULL, &length) == 0 && length == 0);
  CHECK(*fsmTextData(NULL, NULL) == 0 && *fsmEngineDevice(NULL, NULL) == 0);
  CHECK(*fsmEngineTarget(NULL, NULL) == 0 && *fsmKernelName(NULL, NULL) == 0);
  CHECK(fsmErrorStatus(NULL) == FSM_OK && fsmErrorCount(NULL) == 0);
  CHECK(fsmTextDiagnosticCount(NULL) == 0 && fsmKernelParameterCount(NULL) == 0);
  CHECK(fsmKernelParameterIsInput(NULL, 0) == 0);
  fsmErrorGet(NULL, 0, NULL);
  fsmTextDiagnostic(NULL, 0, NULL);
  fsmKernelParameter(NULL, 0, NULL);
  fsmErrorDestroy(NULL);
  fsmTextDestroy(NULL);
  fsmKernelDestroy(NULL);
  fsmEngineDestroy(NULL);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  refuseOptions();
  refuseSources();
  refuseLaunches();
  askNothing();
  return 0;
}
