//===- HiddenArguments.cpp - What functions take besides -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/HiddenArguments.h"

#include "fsm/IR/PlanAttributes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fsm;

void fsm::setHiddenArguments(Operation *function, ArrayRef<HiddenArgument> hidden) {
  if (hidden.empty())
    return;
  SmallVector<StringRef> names;
  for (HiddenArgument argument : hidden)
    names.push_back(hiddenArgumentName(argument));
  function->setAttr(kHiddenArgumentsAttr, Builder(function->getContext()).getStrArrayAttr(names));
}

static std::optional<HiddenArgument> readArgument(Attribute entry) {
  auto name = dyn_cast<StringAttr>(entry);
  return name ? findHiddenArgument(name.getValue()) : std::nullopt;
}

std::vector<HiddenArgument> fsm::hiddenArgumentsOf(Operation *function) {
  std::vector<HiddenArgument> hidden;
  if (auto list = function->getAttrOfType<ArrayAttr>(kHiddenArgumentsAttr))
    for (Attribute entry : list)
      if (std::optional<HiddenArgument> argument = readArgument(entry))
        hidden.push_back(*argument);
  return hidden;
}

bool fsm::isHiddenArgumentList(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list &&
         llvm::all_of(list, [](Attribute entry) { return readArgument(entry).has_value(); });
}

std::optional<unsigned> fsm::placeOf(HiddenArgument argument, ArrayRef<HiddenArgument> hidden) {
  const HiddenArgument *found = llvm::find(hidden, argument);
  return found == hidden.end() ? std::nullopt
                               : std::optional<unsigned>(std::distance(hidden.begin(), found));
}
