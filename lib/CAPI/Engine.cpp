//===- Engine.cpp - Engines and kernels for C -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include "fsm/Cache/KernelCache.h"

using namespace fsm;

//===----------------------------------------------------------------------===//
// Engines
//===----------------------------------------------------------------------===//

static Result<std::unique_ptr<FsmEngine>> create(std::string_view device, void *context) {
  EngineOptions options;
  options.context = context;
  options.cacheFolder = cacheFolderOfEnvironment();
  options.sharedCacheFolder = sharedCacheFolderOfEnvironment();
  Result<Engine> engine = Engine::create(device, options);
  if (!engine)
    return engine.error();
  auto result = std::make_unique<FsmEngine>();
  result->engine = std::make_shared<Engine>(std::move(*engine));
  result->target = result->engine->target();
  return result;
}

FsmStatus fsmEngineCreate(const char *device, size_t deviceLength, FsmEngine **engine,
                          FsmError **error) {
  return fsmEngineCreateInContext(device, deviceLength, nullptr, engine, error);
}

FsmStatus fsmEngineCreateInContext(const char *device, size_t deviceLength, void *context,
                                   FsmEngine **engine, FsmError **error) {
  return give(create(viewOf(device, deviceLength), context), engine, "a place for an engine",
              error);
}

const char *fsmEngineDevice(const FsmEngine *engine, size_t *length) {
  return textFor(engine ? engine->engine->device() : "", length);
}

const char *fsmEngineTarget(const FsmEngine *engine, size_t *length) {
  return textFor(engine ? std::string_view(engine->target) : "", length);
}

void fsmEngineDestroy(FsmEngine *engine) { delete engine; }

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static Result<std::unique_ptr<FsmKernel>> load(FsmEngine *engine, const FsmSource *source,
                                               const char *const *options, size_t count) {
  if (Result<void> given = checkGiven(engine, "an engine"); !given)
    return given.error();
  Result<Request> asked = requestOf(source, options, count);
  if (!asked)
    return asked.error();
  Result<Kernel> kernel = engine->engine->load(asked->source, asked->options);
  if (!kernel)
    return kernel.error();
  return std::make_unique<FsmKernel>(FsmKernel{engine->engine, std::move(*kernel)});
}

FsmStatus fsmKernelLoad(FsmEngine *engine, const FsmSource *source, const char *const *options,
                        size_t optionCount, FsmKernel **kernel, FsmError **error) {
  return give(load(engine, source, options, optionCount), kernel, "a place for a kernel", error);
}

const char *fsmKernelName(const FsmKernel *kernel, size_t *length) {
  return textFor(kernel ? std::string_view(kernel->kernel.signature().name) : "", length);
}

size_t fsmKernelParameterCount(const FsmKernel *kernel) {
  return kernel ? kernel->kernel.signature().arguments.size() : 0;
}

void fsmKernelParameter(const FsmKernel *kernel, size_t index, FsmParameter *parameter) {
  if (!parameter)
    return;
  *parameter = FsmParameter();
  if (index >= fsmKernelParameterCount(kernel))
    return;
  const KernelArgument &argument = kernel->kernel.signature().arguments[index];
  parameter->name = textFor(argument.name, &parameter->nameLength);
  parameter->type = textFor(scalarTypeInfo(argument.type).name, &parameter->typeLength);
  parameter->pointerDepth = argument.pointerDepth;
  parameter->isOutput = argument.isOutput;
}

int32_t fsmKernelParameterIsInput(const FsmKernel *kernel, size_t index) {
  return index < fsmKernelParameterCount(kernel) &&
         kernel->kernel.signature().arguments[index].isInput;
}

void fsmKernelDestroy(FsmKernel *kernel) { delete kernel; }
