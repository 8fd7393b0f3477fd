//===- Launch.cpp - Launches for C ----------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include "fsm/Artifact/LaunchRules.h"

using namespace fsm;

static Result<Argument> argumentOf(const FsmArgument &argument, size_t index) {
  size_t bytes = argument.bytes == FSM_UNKNOWN_SIZE ? Argument::kUnknownSize : argument.bytes;
  switch (argument.kind) {
  case FSM_HOST_BUFFER:
    return Argument::buffer(reinterpret_cast<void *>(argument.address), bytes);
  case FSM_DEVICE_BUFFER:
    return Argument::deviceBuffer(argument.address, bytes);
  case FSM_INTEGER:
    return Argument::integer(argument.integer);
  case FSM_REAL:
    return Argument::real(argument.real);
  }
  return badInput("error: argument " + std::to_string(index) +
                  ": expected one of the kinds 0 to 3 of FsmArgument, got " +
                  std::to_string(argument.kind));
}

Result<std::vector<Argument>> fsm::argumentsOf(const FsmArgument *arguments, size_t count) {
  if (count != 0)
    if (Result<void> given = checkGiven(arguments, "arguments"); !given)
      return given.error();
  std::vector<Argument> result;
  for (size_t i = 0; i < count; ++i) {
    Result<Argument> argument = argumentOf(arguments[i], i);
    if (!argument)
      return argument.error();
    result.push_back(*argument);
  }
  return result;
}

static Result<void> compileAll(const FsmCompileRequest *requests, size_t count) {
  if (count == 0)
    return {};
  if (Result<void> given = checkGiven(requests, "requests"); !given)
    return given;
  std::vector<CompileRequest> all;
  for (size_t i = 0; i < count; ++i) {
    if (Result<void> given = checkGiven(requests[i].kernel, "a kernel"); !given)
      return given;
    Result<std::vector<Argument>> arguments =
        argumentsOf(requests[i].arguments, requests[i].argumentCount);
    if (!arguments)
      return arguments.error();
    all.push_back({requests[i].kernel->kernel, std::move(*arguments)});
  }
  return requests[0].kernel->engine->compileAll(all);
}

FsmStatus fsmCompileAll(const FsmCompileRequest *requests, size_t requestCount, FsmError **error) {
  return finish(compileAll(requests, requestCount), error);
}

static Result<void> statedGrid(const FsmKernel *kernel, const FsmArgument *arguments, size_t count,
                               int32_t *to) {
  if (Result<void> given = checkGiven(kernel, "a kernel"); !given)
    return given;
  if (Result<void> given = checkGiven(to, "a place for a grid"); !given)
    return given;
  Result<std::vector<Argument>> converted = argumentsOf(arguments, count);
  if (!converted)
    return converted.error();
  Result<Grid> grid = gridOf(kernel->kernel.signature(), *converted);
  if (!grid)
    return grid.error();
  to[0] = grid->x;
  to[1] = grid->y;
  to[2] = grid->z;
  return {};
}

FsmStatus fsmKernelGrid(const FsmKernel *kernel, const FsmArgument *arguments, size_t argumentCount,
                        int32_t *grid, FsmError **error) {
  return finish(statedGrid(kernel, arguments, argumentCount, grid), error);
}

static LaunchOptions optionsOf(const FsmLaunchOptions *options) {
  LaunchOptions result;
  if (!options)
    return result;
  result.allowsRaces = options->allowsRaces != 0;
  if (options->printRecords != 0)
    result.printRecords = options->printRecords;
  if (FsmPrintLine print = options->print)
    result.print = [print, user = options->user](const std::string &line) {
      print(user, line.data(), line.size());
    };
  return result;
}

static Result<void> launch(FsmKernel *kernel, Grid grid, const FsmArgument *arguments, size_t count,
                           const FsmLaunchOptions *options) {
  if (Result<void> given = checkGiven(kernel, "a kernel"); !given)
    return given;
  Result<std::vector<Argument>> converted = argumentsOf(arguments, count);
  if (!converted)
    return converted.error();
  return kernel->engine->launch(kernel->kernel, grid, *converted, optionsOf(options));
}

FsmStatus fsmLaunch(FsmKernel *kernel, int32_t x, int32_t y, int32_t z,
                    const FsmArgument *arguments, size_t argumentCount,
                    const FsmLaunchOptions *options, FsmError **error) {
  return finish(launch(kernel, {x, y, z}, arguments, argumentCount, options), error);
}
