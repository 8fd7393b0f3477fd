//===- Code.cpp - Code and launch contracts as values, for C --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include "fsm/Cache/KernelCache.h"
#include "fsm/Compiler/CSource.h"
#include "fsm/Target/Assembler.h"
#include "fsm/Target/HostObject.h"

using namespace fsm;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// What a target is compiled to, of what a caller asks for; a caller who asks for nothing gets the
/// first.
static Result<std::string> formOf(std::string_view form, const std::string &target) {
  bool isHost = target == "cpu";
  if (form.empty())
    return std::string(isHost ? "object" : "ptx");
  if (isHost ? form == "object" : form == "ptx" || form == "cubin")
    return std::string(form);
  return badInput("error: expected " +
                  std::string(isHost ? "the form object" : "one of the forms ptx, cubin") +
                  " for the target '" + target + "', got '" + std::string(form) + "'");
}

/// An object, whose function is called after the kernel, of which there need not be a name in the
/// options.
static Result<CompiledKernel> compileForHost(const Source &source, CompileOptions options,
                                             std::string &symbol) {
  if (options.kernel.empty()) {
    Result<std::vector<KernelSignature>> kernels = Compiler::list(source);
    if (!kernels)
      return kernels.error();
    if (kernels->size() == 1)
      options.kernel = kernels->front().name;
  }
  symbol = objectSymbol(source, options);
  return Compiler::compileObject(source, options, symbol);
}

static Result<CompiledKernel> compileForGpu(const Source &source, const CompileOptions &options,
                                            const std::string &form, std::string &symbol) {
  Result<CompiledKernel> kernel = Compiler::compile(source, options);
  if (!kernel)
    return kernel.error();
  symbol = kernel->name;
  if (form == "ptx")
    return kernel;
  Result<std::string> cubin = assemblePTX(kernel->code, options.target);
  if (!cubin)
    return Error{cubin.error().kind, source.fileName + ": " + cubin.error().message};
  kernel->code = std::move(*cubin);
  return kernel;
}

/// Fills in what FsmCompiledKernel points to.
static void describe(FsmCode &code) {
  const CompiledKernel &kernel = code.kernel;
  bool isHost = kernel.target == "cpu";
  for (const ArgumentFact &promise : kernel.promises)
    code.promises.push_back(factText(promise));
  for (size_t i = 0; i < kernel.arguments.size(); ++i)
    code.arguments.push_back({kernel.arguments[i].name.c_str(),
                              scalarTypeInfo(kernel.arguments[i].type).name.data(),
                              code.promises[i].c_str(), kernel.arguments[i].pointerDepth, 0});
  code.facts = factsText(kernel.facts);
  code.hiddenArguments = hiddenArgumentsText(kernel.hiddenArguments);
  code.instructions = isHost ? hostInstructions() : "";
  FsmCompiledCode &inC = code.codeInC;
  inC.target = kernel.target.c_str();
  inC.facts = code.facts.c_str();
  if (!isHost) {
    inC.image = reinterpret_cast<const unsigned char *>(kernel.code.c_str());
    inC.imageBytes = kernel.code.size();
  }
  inC.instructions = code.instructions.c_str();
  inC.hiddenArguments = code.hiddenArguments.c_str();
  inC.scratchBytes = kernel.scratchBytes;
  inC.numWarps = kernel.device.numWarps;
  inC.programsPerCta = kernel.device.programsPerCta;
  inC.sharedBytes = kernel.device.sharedBytes;
  inC.numCtas = kernel.device.numCtas;
  code.kernelInC = {kernel.name.c_str(),
                    code.arguments.data(),
                    &inC,
                    static_cast<uint32_t>(code.arguments.size()),
                    1,
                    kernel.contractVersion,
                    kernel.device.overlapsLaunches ? 1u : 0u};
}

static Result<std::unique_ptr<FsmCode>> compile(const FsmSource *source, const char *const *options,
                                                size_t count, std::string_view wanted) {
  Result<Request> asked = requestOf(source, options, count);
  if (!asked)
    return asked.error();
  Result<std::string> form = formOf(wanted, asked->options.target);
  if (!form)
    return form.error();
  if (asked->options.batchPrograms != "auto" && asked->options.batchPrograms != "never")
    return badInput(
        "error: option 'batch-programs': expected auto or never for code as a value, which "
        "has no place for a batch, got '" +
        asked->options.batchPrograms + "'");
  if (asked->options.loopPrograms != "auto" && asked->options.loopPrograms != "never")
    return badInput("error: option 'loop-programs': expected auto or never for code as a value, of "
                    "which all programs are "
                    "started, got '" +
                    asked->options.loopPrograms + "'");
  CompileOptions compile = optionsForC(asked->options);
  auto code = std::make_unique<FsmCode>();
  Result<CompiledKernel> kernel = *form == "object"
                                      ? compileForHost(asked->source, compile, code->symbol)
                                      : compileForGpu(asked->source, compile, *form, code->symbol);
  if (!kernel)
    return kernel.error();
  if (Result<void> silent = checkSilent(*kernel); !silent)
    return silent.error();
  code->kernel = std::move(*kernel);
  code->diagnostics = diagnosticsOf(code->kernel.diagnostics);
  describe(*code);
  return code;
}

FsmStatus fsmCompile(const FsmSource *source, const char *const *options, size_t optionCount,
                     const char *form, size_t formLength, FsmCode **code, FsmError **error) {
  return give(compile(source, options, optionCount, viewOf(form, formLength)), code,
              "a place for code", error);
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

const void *fsmCodeImage(const FsmCode *code, size_t *length) {
  return textFor(code ? std::string_view(code->kernel.code) : "", length);
}

const char *fsmCodeSymbol(const FsmCode *code, size_t *length) {
  return textFor(code ? std::string_view(code->symbol) : "", length);
}

const FsmCompiledKernel *fsmCodeKernel(const FsmCode *code) {
  return code ? &code->kernelInC : nullptr;
}

void fsmCodeDestroy(FsmCode *code) { delete code; }
