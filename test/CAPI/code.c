/* code FORM TARGET FILE IMAGE OPTION...: compiles a file's kernel to a value, writes its code to the file IMAGE, and prints what a
 * launch has to know, as JSON in the words of the stage "contract". */
#include "check.h"

static void printText(const char *name, const char *text) { printf(" \"%s\": \"%s\",", name, text); }

static void print(const FsmCode *code) {
  const FsmCompiledKernel *kernel = fsmCodeKernel(code);
  CHECK(kernel && kernel->codeCount == 1);
  const FsmCompiledCode *of = kernel->codes;
  printf("{");
  printText("name", kernel->name);
  printText("symbol", fsmCodeSymbol(code, NULL));
  printText("target", of->target);
  printText("facts", of->facts);
  printText("hidden_arguments", of->hiddenArguments);
  printText("instructions", of->instructions);
  printf(" \"version\": %u, \"num_warps\": %u, \"programs_per_cta\": %u, \"num_ctas\": %u, \"shared_bytes\": %u,",
         (unsigned)kernel->contractVersion, (unsigned)of->numWarps, (unsigned)of->programsPerCta,
         (unsigned)of->numCtas, (unsigned)of->sharedBytes);
  printf(" \"scratch_bytes\": %llu, \"arguments\": [", (unsigned long long)of->scratchBytes);
  for (uint32_t i = 0; i < kernel->argumentCount; ++i) {
    const FsmCompiledArgument *argument = &kernel->arguments[i];
    printf("%s{", i ? ", " : "");
    printText("name", argument->name);
    printText("type", argument->type);
    printText("promise", argument->promise);
    printf(" \"pointer_depth\": %u}", (unsigned)argument->pointerDepth);
  }
  printf("]}\n");
}

int main(int argc, char **argv) {
  CHECK(argc >= 5);
  const char *options[16] = {NULL};
  char target[64];
  size_t length, count = 1;
  snprintf(target, sizeof(target), "target=%s", argv[2]);
  options[0] = target;
  for (int i = 5; i < argc; ++i)
    options[count++] = argv[i];
  char *text = readFile(argv[3], &length);
  FsmSource source = sourceOf(text, length, argv[3]);
  FsmCode *code = NULL;
  FsmError *error = NULL;
  FsmStatus status = fsmCompile(&source, options, count, argv[1], strlen(argv[1]), &code, &error);
  free(text);
  if (status != FSM_OK) {
    CHECK(!code && fsmErrorStatus(error) == status);
    printf("%d %s\n", (int)status, fsmErrorText(error, NULL));
    fsmErrorDestroy(error);
    return 1;
  }
  const void *image = fsmCodeImage(code, &length);
  FILE *file = fopen(argv[4], "wb");
  CHECK(file && fwrite(image, 1, length, file) == length && fclose(file) == 0);
  const FsmCompiledCode *of = fsmCodeKernel(code)->codes;
  CHECK(strcmp(of->target, "cpu") == 0 ? !of->image && !of->function : of->image == image && of->imageBytes == length);
  print(code);
  for (size_t i = 0; i < fsmCodeDiagnosticCount(code); ++i) {
    FsmDiagnostic said;
    fsmCodeDiagnostic(code, i, &said);
    fprintf(stderr, "%d|%s|%u|%u|%s\n", said.severity, said.file, said.line, said.column, said.sentence);
  }
  fsmCodeDestroy(code);
  return 0;
}
