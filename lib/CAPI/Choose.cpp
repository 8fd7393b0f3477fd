//===- Choose.cpp - Values of parameters by a model, for C ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

using namespace fsm;

static Result<std::unique_ptr<FsmChooser>> makeChooser(const FsmEngine *engine,
                                                       const FsmSource *source,
                                                       const char *const *options, size_t count) {
  Result<Request> asked = requestOf(source, options, count);
  if (!asked)
    return asked.error();
  if (engine)
    return std::unique_ptr<FsmChooser>(
        new FsmChooser{KernelChooser(*engine->engine, std::move(asked->source), std::move(asked->options))});
  return std::unique_ptr<FsmChooser>(
      new FsmChooser{KernelChooser(std::move(asked->source), std::move(asked->options))});
}

FsmStatus fsmChooserCreate(const FsmEngine *engine, const FsmSource *source,
                           const char *const *options, size_t optionCount, FsmChooser **chooser,
                           FsmError **error) {
  return give(makeChooser(engine, source, options, optionCount), chooser, "a place for a chooser",
              error);
}

static Result<std::unique_ptr<FsmChoice>> choose(FsmChooser *chooser, const FsmArgument *arguments,
                                                 size_t count) {
  if (Result<void> given = checkGiven(chooser, "a chooser"); !given)
    return given.error();
  Result<std::vector<Argument>> converted = argumentsOf(arguments, count);
  if (!converted)
    return converted.error();
  Result<Candidate> best = chooser->chooser.choose(*converted);
  if (!best)
    return best.error();
  auto choice = std::make_unique<FsmChoice>();
  for (const auto &[name, value] : chooser->chooser.sourceOf(*best).parameters)
    choice->words.push_back(name + "=" + value);
  for (const std::string &word : choice->words)
    choice->parameters.push_back(word.c_str());
  choice->grid = best->grid;
  choice->seconds = best->seconds;
  return choice;
}

FsmStatus fsmChooserChoose(FsmChooser *chooser, const FsmArgument *arguments, size_t argumentCount,
                           FsmChoice **choice, FsmError **error) {
  return give(choose(chooser, arguments, argumentCount), choice, "a place for a choice", error);
}

void fsmChooserDestroy(FsmChooser *chooser) { delete chooser; }

const char *const *fsmChoiceParameters(const FsmChoice *choice, size_t *count) {
  if (count)
    *count = choice ? choice->parameters.size() : 0;
  return choice ? choice->parameters.data() : nullptr;
}

double fsmChoiceSeconds(const FsmChoice *choice) { return choice ? choice->seconds : 0; }

void fsmChoiceGrid(const FsmChoice *choice, int32_t *grid) {
  if (!grid)
    return;
  Grid of = choice ? choice->grid : Grid{0, 0, 0};
  grid[0] = of.x;
  grid[1] = of.y;
  grid[2] = of.z;
}

void fsmChoiceDestroy(FsmChoice *choice) { delete choice; }
