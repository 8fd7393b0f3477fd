/* What the programs of this folder share: files, sources and a way to end with a line number. */
#ifndef CHECK_H
#define CHECK_H

#include "fsm-c/fsm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                     \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* Ends with the error's text, if there is one. */
static inline void checkDone(FsmStatus status, FsmError *const *error, const char *place) {
  if (status == FSM_OK && !*error)
    return;
  fprintf(stderr, "%s: status %d: %s\n", place, (int)status, fsmErrorText(*error, NULL));
  exit(1);
}

static inline char *readFile(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  CHECK(file);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*length + 1);
  CHECK(text && fread(text, 1, *length, file) == *length);
  fclose(file);
  return text;
}

static inline FsmSource sourceOf(const char *text, size_t length, const char *name) {
  FsmSource source = {text, length, name, strlen(name), NULL, 0};
  return source;
}

static inline FsmEngine *engineOn(const char *device) {
  FsmEngine *engine = NULL;
  FsmError *error = NULL;
  checkDone(fsmEngineCreate(device, strlen(device), &engine, &error), &error, device);
  CHECK(engine);
  return engine;
}

static inline FsmArgument buffer(void *data, uint64_t bytes) {
  FsmArgument argument = {FSM_HOST_BUFFER, 0, (uint64_t)(uintptr_t)data, bytes, 0, 0.0};
  return argument;
}

static inline FsmArgument integer(int64_t value) {
  FsmArgument argument = {FSM_INTEGER, 0, 0, 0, value, 0.0};
  return argument;
}

#endif
