//===- Text.cpp - Kernels as input of the whole compiler ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeepStack.h"
#include "Target.h"
#include "Trial.h"

#include "fsm/Compiler/Compiler.h"
#include "fsm/Compiler/ParsedSource.h"
#include "fsm/Compiler/Pipelines.h"
#include "fsm/Interpreter/Interpreter.h"

#include <cstdio>
#include <cstdlib>

using namespace fsm;

static constexpr uint64_t kMostElements = 1 << 20;
static constexpr size_t kBufferBytes = 4096;

[[noreturn]] static void find(const std::string &fault) {
  std::fprintf(stderr, "FSM is wrong: %s\n", fault.c_str());
  std::abort();
}

static CompileOptions optionsFor(size_t choice) {
  static constexpr const char *targets[] = {"cpu", "sm_90a", "sm_80", "cpu", "sm_75"};
  static constexpr unsigned warps[] = {0, 1, 4}, stages[] = {0, 1, 3};
  CompileOptions options;
  options.target = targets[choice % std::size(targets)];
  options.numWarps = warps[choice / 8 % std::size(warps)];
  options.numStages = stages[choice / 32 % std::size(stages)];
  options.packPrograms = choice / 128 % 2;
  options.remarks = choice / 256 % 2;
  options.batchPrograms = choice % 3 == 1 ? "4" : "auto";
  options.spread = choice % 7 == 1 ? 4 : 0;
  return options;
}

/// An error of a compilation is one of the text, with a place.
static void compile(const Source &source, const std::string &kernel, size_t choice) {
  CompileOptions options = optionsFor(choice);
  options.kernel = kernel;
  Result<CompiledKernel> compiled = Compiler::compile(source, options);
  if (!compiled && compiled.error().kind == Error::Kind::Internal)
    find(compiled.error().message);
  if (!compiled && compiled.error().message.empty())
    find("a source is refused without saying why");
}

static std::vector<Argument> argumentsFor(KernelOp kernel, std::vector<uint64_t> &memory) {
  std::vector<Argument> arguments;
  const KernelSignature signature = signatureOf(kernel);
  memory.assign(signature.arguments.size() * kBufferBytes / 8, 0x0000000100000001);
  for (const KernelArgument &argument : signature.arguments) {
    uint64_t *buffer = memory.data() + arguments.size() * kBufferBytes / 8;
    bool isFloat = scalarTypeInfo(argument.type).name.find('f') != std::string_view::npos;
    arguments.push_back(argument.isPointer() ? Argument::buffer(buffer, kBufferBytes)
                        : isFloat            ? Argument::real(1.5)
                                             : Argument::integer(33));
  }
  return arguments;
}

static void runKernel(KernelOp kernel) {
  std::vector<uint64_t> memory;
  std::vector<Argument> arguments = argumentsFor(kernel, memory);
  InterpretOptions options;
  options.mostElements = kMostElements;
  Result<void> done = interpret(kernel, {2, 1, 1}, arguments, options);
  if (!done && done.error().message.empty())
    find("the interpreter fails without saying why");
}

static void take(const std::string &text, size_t choice) {
  static const bool areRegistered = (registerPasses(), true);
  (void)areRegistered;
  volatile fuzz::Stage stage = fuzz::Stage::Preparing;
  std::optional<uint64_t> singlePass;
  if (choice / 512 % 2)
    singlePass = choice / 1024;
  std::string fault = fuzz::tryMutant(text, stage, singlePass);
  if (!fault.empty())
    find(fault);
  if (stage < fuzz::Stage::Compiling)
    return;
  Source source{text, "input.mlir", {}};
  Result<std::unique_ptr<ParsedSource>> parsed = ParsedSource::parse(source);
  if (!parsed)
    return;
  std::vector<KernelOp> kernels = (*parsed)->kernels();
  if (kernels.empty())
    return;
  KernelOp kernel = kernels[choice / 2048 % kernels.size()];
  runKernel(kernel);
  compile(source, kernel.getSymName().str(), choice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  fuzz::onDeepStack([&] { take(text, std::hash<std::string>()(text)); });
  return 0;
}
