//===- Diagnostics.cpp - Errors for C -------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

using namespace fsm;

static int32_t severityOf(Diagnostic::Severity severity) {
  switch (severity) {
  case Diagnostic::Severity::Error:
    return FSM_SEVERITY_ERROR;
  case Diagnostic::Severity::Warning:
    return FSM_SEVERITY_WARNING;
  case Diagnostic::Severity::Remark:
    return FSM_SEVERITY_REMARK;
  case Diagnostic::Severity::Note:
    return FSM_SEVERITY_NOTE;
  }
  return FSM_SEVERITY_ERROR;
}

FsmStatus fsm::handOver(const Error &error, FsmError **to) {
  FsmStatus status = statusOf(error.kind);
  if (to)
    *to = new FsmError{status, error.message, parseDiagnostics(error.message)};
  return status;
}

FsmStatus fsm::finish(const Result<void> &done, FsmError **error) {
  if (error)
    *error = nullptr;
  return done ? FSM_OK : handOver(done.error(), error);
}

std::vector<Diagnostic> fsm::diagnosticsOf(const std::vector<std::string> &said) {
  std::vector<Diagnostic> all;
  for (const std::string &one : said)
    for (Diagnostic &diagnostic : parseDiagnostics(one))
      all.push_back(std::move(diagnostic));
  return all;
}

/// Shows the caller a diagnostic of a handle, which may be null.
template <typename Handle>
static void show(const Handle *handle, size_t index, FsmDiagnostic *to) {
  if (!to)
    return;
  *to = FsmDiagnostic();
  if (!handle || index >= handle->diagnostics.size())
    return;
  const Diagnostic &from = handle->diagnostics[index];
  to->severity = severityOf(from.severity);
  to->line = from.line;
  to->column = from.column;
  to->file = textFor(from.file, &to->fileLength);
  to->sentence = textFor(from.sentence, &to->sentenceLength);
}

uint32_t fsmVersion(void) { return FSM_API_VERSION; }

FsmStatus fsmErrorStatus(const FsmError *error) { return error ? error->status : FSM_OK; }

const char *fsmErrorText(const FsmError *error, size_t *length) {
  return textFor(error ? std::string_view(error->text) : "", length);
}

size_t fsmErrorCount(const FsmError *error) { return error ? error->diagnostics.size() : 0; }

void fsmErrorGet(const FsmError *error, size_t index, FsmDiagnostic *diagnostic) {
  show(error, index, diagnostic);
}

void fsmErrorDestroy(FsmError *error) { delete error; }

size_t fsmTextDiagnosticCount(const FsmText *text) { return text ? text->diagnostics.size() : 0; }

void fsmTextDiagnostic(const FsmText *text, size_t index, FsmDiagnostic *diagnostic) {
  show(text, index, diagnostic);
}

size_t fsmCodeDiagnosticCount(const FsmCode *code) { return code ? code->diagnostics.size() : 0; }

void fsmCodeDiagnostic(const FsmCode *code, size_t index, FsmDiagnostic *diagnostic) {
  show(code, index, diagnostic);
}
