/* emit FILE STAGE OPTION...: prints the text of a stage, and what there was to say. */
#include "check.h"

int main(int argc, char **argv) {
  CHECK(argc >= 3);
  size_t length;
  char *text = readFile(argv[1], &length);
  FsmSource source = sourceOf(text, length, argv[1]);
  FsmText *emitted = NULL;
  FsmError *error = NULL;
  FsmStatus status = fsmEmit(&source, (const char *const *)(argv + 3), (size_t)(argc - 3), argv[2],
                             strlen(argv[2]), &emitted, &error);
  checkDone(status, &error, argv[2]);
  const char *data = fsmTextData(emitted, &length);
  CHECK(strlen(data) == length);
  fputs(data, stdout);
  for (size_t i = 0; i < fsmTextDiagnosticCount(emitted); ++i) {
    FsmDiagnostic said;
    fsmTextDiagnostic(emitted, i, &said);
    printf("%d|%s|%u|%u|%s\n", said.severity, said.file, said.line, said.column, said.sentence);
  }
  fsmTextDestroy(emitted);
  free(text);
  return 0;
}
