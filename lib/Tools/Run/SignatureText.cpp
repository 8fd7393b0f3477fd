//===- SignatureText.cpp - Signatures as people read them ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/SignatureText.h"
#include "fsm/Tools/Arguments/Number.h"
#include "fsm/Tools/Quote.h"

using namespace fsm;

/// Argument names may come with or without their '%'.
static std::string_view bareName(std::string_view name) {
  return !name.empty() && name[0] == '%' ? name.substr(1) : name;
}

std::string fsm::argumentText(const KernelArgument &argument) {
  std::string text = "%" + printable(bareName(argument.name)) + ": ";
  for (unsigned i = 0; i < argument.pointerDepth; ++i)
    text += "!fsm.ptr<";
  text += scalarTypeInfo(argument.type).name;
  return text + std::string(argument.pointerDepth, '>');
}

std::string fsm::signatureText(const KernelSignature &signature) {
  std::string text = "@" + printable(signature.name) + "(";
  for (const KernelArgument &argument : signature.arguments)
    text += (&argument == signature.arguments.data() ? "" : ", ") + argumentText(argument);
  return text + ")";
}

std::string fsm::gridText(const KernelSignature &signature) {
  std::vector<std::string> names;
  for (const KernelArgument &argument : signature.arguments)
    names.push_back("%" + printable(bareName(argument.name)));
  std::string text;
  for (const LaunchExpression &extent : signature.grid)
    text += (text.empty() ? " grid [" : ", ") + launchExpressionText(extent, names);
  return text + (text.empty() ? "" : "]");
}

std::string fsm::argumentPlace(const KernelArgument &argument, size_t position) {
  return "argument " + std::to_string(position) + " '" + argumentText(argument) + "'";
}

Result<size_t> fsm::findArgument(const KernelSignature &signature, const std::string &reference) {
  size_t count = signature.arguments.size();
  if (std::optional<uint64_t> position = parseUnsigned(reference)) {
    if (*position < count)
      return static_cast<size_t>(*position);
    if (count == 0)
      return badInput("expected no argument, got " + reference + "; the kernel is " +
                      signatureText(signature));
    return badInput("expected an argument from 0 to " + std::to_string(count - 1) + ", got " +
                    reference + "; the kernel is " + signatureText(signature));
  }
  for (size_t i = 0; i < count; ++i)
    if (bareName(signature.arguments[i].name) == bareName(reference))
      return i;
  return badInput("no argument is named " + quoted(bareName(reference)) + "; the kernel is " +
                  signatureText(signature));
}
