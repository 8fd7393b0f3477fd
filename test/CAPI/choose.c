/* choose DEVICE|TARGET FILE: values of a kernel's parameters that a model chooses, for the GPU of a device or for a target; with a
 * device the kernel is launched, and must double an array of a length that is no multiple of any block. */
#include "check.h"

enum { COUNT = 5000 };

static float in[COUNT], out[COUNT];

static void launch(FsmEngine *engine, FsmSource source, const FsmChoice *choice, const FsmArgument *arguments) {
  FsmKernel *kernel = NULL;
  FsmError *error = NULL;
  source.parameters = fsmChoiceParameters(choice, &source.parameterCount);
  checkDone(fsmKernelLoad(engine, &source, NULL, 0, &kernel, &error), &error, "load");
  int32_t grid[3] = {0}, chosen[3] = {0};
  checkDone(fsmKernelGrid(kernel, arguments, 3, grid, &error), &error, "grid");
  fsmChoiceGrid(choice, chosen);
  CHECK(grid[0] == chosen[0] && grid[1] == chosen[1] && grid[2] == chosen[2]);
  for (int i = 0; i < COUNT; ++i)
    in[i] = (float)i;
  checkDone(fsmLaunch(kernel, grid[0], grid[1], grid[2], arguments, 3, NULL, &error), &error, "launch");
  for (int i = 0; i < COUNT; ++i)
    CHECK(out[i] == 2.0f * (float)i);
  fsmKernelDestroy(kernel);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  size_t length;
  char *text = readFile(argv[2], &length), target[64];
  FsmSource source = sourceOf(text, length, argv[2]);
  int isTarget = strncmp(argv[1], "sm_", 3) == 0;
  snprintf(target, sizeof(target), "target=%s", argv[1]);
  const char *const options[] = {target};
  FsmEngine *engine = isTarget ? NULL : engineOn(argv[1]);
  FsmArgument arguments[] = {buffer(out, sizeof(out)), buffer(in, sizeof(in)), integer(COUNT)};
  FsmChooser *chooser = NULL;
  FsmChoice *choice = NULL, *again = NULL;
  FsmError *error = NULL;
  checkDone(fsmChooserCreate(engine, &source, options, isTarget ? 1 : 0, &chooser, &error), &error, "chooser");
  checkDone(fsmChooserChoose(chooser, arguments, 3, &choice, &error), &error, "choose");
  checkDone(fsmChooserChoose(chooser, arguments, 3, &again, &error), &error, "choose again");
  size_t count = 0, same = 0;
  const char *const *parameters = fsmChoiceParameters(choice, &count);
  const char *const *others = fsmChoiceParameters(again, &same);
  CHECK(count == same && fsmChoiceSeconds(choice) > 0 && fsmChoiceSeconds(choice) == fsmChoiceSeconds(again));
  for (size_t i = 0; i < count; ++i) {
    CHECK(strcmp(parameters[i], others[i]) == 0);
    printf("-D %s%s", parameters[i], i + 1 < count ? " " : "\n");
  }
  if (engine)
    launch(engine, source, choice, arguments);
  fsmChoiceDestroy(again);
  fsmChoiceDestroy(choice);
  fsmChooserDestroy(chooser);
  fsmEngineDestroy(engine);
  free(text);
  return 0;
}
