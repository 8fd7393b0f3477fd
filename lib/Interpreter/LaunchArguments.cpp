//===- LaunchArguments.cpp - From a launch to a kernel's values ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchArguments.h"

#include "fsm/Interpreter/ArgumentBits.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// `%in` when the argument's location carries its name, else nothing.
static std::string givenName(KernelOp kernel, unsigned index) {
  Location loc = kernel.getBody().front().getArgument(index).getLoc();
  auto name = loc->findInstanceOf<NameLoc>();
  if (!name || name.getName().getValue().empty())
    return "";
  StringRef spelled = name.getName().getValue();
  return (spelled.starts_with("%") ? "" : "%") + spelled.str();
}

static std::string nameOf(KernelOp kernel, unsigned index) {
  std::string name = givenName(kernel, index);
  return "argument " + std::to_string(index) + (name.empty() ? "" : " '" + name + "'");
}

static std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::string signatureOf(KernelOp kernel) {
  std::string text;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    std::string name = givenName(kernel, index);
    text += (index ? ", " : "") + (name.empty() ? "" : name + ": ") + spell(type);
  }
  return "(" + text + ")";
}

//===----------------------------------------------------------------------===//
// One argument
//===----------------------------------------------------------------------===//

static std::string describe(const Argument &argument) {
  switch (argument.kind) {
  case Argument::Kind::Buffer:
    return "a buffer";
  case Argument::Kind::Integer:
    return "the integer " + std::to_string(argument.integerValue);
  case Argument::Kind::Real:
    return "the number " + std::to_string(argument.realValue);
  }
  return "something unknown";
}

/// The bits of the argument in the kernel's type, or nothing when it has none.
static std::optional<uint64_t> convertArgument(const Argument &argument, Type type) {
  bool isBuffer = argument.kind == Argument::Kind::Buffer;
  if (isBuffer != isa<PointerType>(type))
    return std::nullopt;
  if (isBuffer)
    return reinterpret_cast<uint64_t>(argument.data);
  return argumentBits(argument, scalarTypeOf(type));
}

//===----------------------------------------------------------------------===//
// Promises
//===----------------------------------------------------------------------===//

/// Says which promise of the kernel's argument the value breaks, or nothing.
static std::optional<std::string> brokenPromise(KernelOp kernel, unsigned index, uint64_t bits) {
  Type type = kernel.getArgumentTypes()[index];
  int64_t value = signExtend(bits, widthOf(type));
  auto number = [&](StringRef name) {
    auto attribute = kernel.getArgAttrOfType<IntegerAttr>(index, name);
    return attribute ? attribute.getInt() : 0;
  };
  auto promise = [](StringRef name, int64_t promised) {
    return "'" + name.str() + " = " + std::to_string(promised) + "'";
  };
  if (int64_t align = number(kAlignAttr); align > 0 && bits % align != 0)
    return promise(kAlignAttr, align) + ", but the buffer is not aligned to " +
           std::to_string(align) + " bytes";
  if (int64_t divisor = number(kDivisibleAttr); divisor > 0 && value % divisor != 0)
    return promise(kDivisibleAttr, divisor) + ", but is " + std::to_string(value);
  if (int64_t equal = number(kEqualToAttr); equal > 0 && value != equal)
    return promise(kEqualToAttr, equal) + ", but is " + std::to_string(value);
  if (int64_t least = number(kAtLeastAttr); least > 0 && value < least)
    return promise(kAtLeastAttr, least) + ", but is " + std::to_string(value);
  if (int64_t most = number(kAtMostAttr); most > 0 && value > most)
    return promise(kAtMostAttr, most) + ", but is " + std::to_string(value);
  return std::nullopt;
}

Result<LaunchArguments> interpreter::convertArguments(KernelOp kernel,
                                                      const std::vector<Argument> &arguments) {
  std::string place = placeOf(kernel.getLoc()), name = "'@" + kernel.getSymName().str() + "'";
  ArrayRef<Type> types = kernel.getArgumentTypes();
  if (types.size() != arguments.size())
    return badInput(place + "kernel " + name + " takes " + std::to_string(types.size()) +
                    " arguments " + signatureOf(kernel) + ", got " +
                    std::to_string(arguments.size()));
  LaunchArguments launch;
  for (unsigned index = 0; index < types.size(); ++index) {
    const Argument &argument = arguments[index];
    std::optional<uint64_t> bits = convertArgument(argument, types[index]);
    if (!bits)
      return badInput(place + nameOf(kernel, index) + " of kernel " + name + " is " +
                      spell(types[index]) + ", got " + describe(argument));
    if (std::optional<std::string> broken = brokenPromise(kernel, index, *bits))
      return badInput(place + nameOf(kernel, index) + " of kernel " + name + " promises " +
                      *broken);
    bool isPointer = isa<PointerType>(types[index]);
    launch.values.push_back(std::make_shared<Elements>(
        Elements{types[index], {*bits}, isPointer ? static_cast<int>(index) : -1}));
    launch.buffers.push_back(Buffer{isPointer ? *bits : 0, isPointer ? argument.bytes : 0,
                                    kernel.getArgAttr(index, kReadOnlyAttr) != nullptr,
                                    nameOf(kernel, index)});
  }
  return launch;
}
