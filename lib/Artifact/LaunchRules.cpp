//===- LaunchRules.cpp - What a launch must keep to -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/LaunchRules.h"

using namespace fsm;

//===----------------------------------------------------------------------===//
// How errors name things
//===----------------------------------------------------------------------===//

static std::string argumentText(const KernelArgument &argument) {
  std::string text = "%" + argument.name + ": ";
  for (unsigned i = 0; i < argument.pointerDepth; ++i)
    text += "!fsm.ptr<";
  text += scalarTypeInfo(argument.type).name;
  return text + std::string(argument.pointerDepth, '>');
}

static std::string signatureText(const KernelSignature &signature) {
  std::string text = "@" + signature.name + "(";
  for (const KernelArgument &argument : signature.arguments)
    text += (&argument == signature.arguments.data() ? "" : ", ") + argumentText(argument);
  return text + ")";
}

std::string fsm::kernelText(const KernelSignature &signature) {
  return "kernel " + signatureText(signature);
}

Error fsm::argumentError(const KernelSignature &signature, size_t index,
                         const std::string &sentence) {
  const KernelArgument &argument = signature.arguments[index];
  std::string note = argument.place.empty() ? "" : "\n" + argument.place + ": note: it is here";
  return badInput("error: argument " + std::to_string(index) + " '" + argumentText(argument) +
                  "' " + sentence + "; the kernel is " + signatureText(signature) + note);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

unsigned fsm::widthOf(ScalarType type) {
  return type == ScalarType::I1 ? 1 : 8 * static_cast<unsigned>(scalarTypeInfo(type).bytes);
}

static int64_t signedValue(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

int64_t fsm::integerOf(uint64_t bits, ScalarType type) {
  return type == ScalarType::I1 ? static_cast<int64_t>(bits & 1) : signedValue(bits, widthOf(type));
}

Result<void> fsm::checkPromises(const KernelSignature &signature,
                                const std::vector<ArgumentFact> &promises, const uint64_t *values,
                                size_t count) {
  for (size_t i = 0; i < promises.size() && i < count; ++i) {
    const KernelArgument &argument = signature.arguments[i];
    const ArgumentFact &promise = promises[i];
    auto divisor = [&] { return std::to_string(promise.divisible); };
    if (argument.isPointer()) {
      if (values[i] % promise.divisible != 0)
        return argumentError(signature, i,
                             "promises 'fsm.align = " + divisor() +
                                 "', but the buffer is not aligned to " + divisor() + " bytes");
      continue;
    }
    int64_t value = signedValue(values[i], widthOf(argument.type));
    if (value % static_cast<int64_t>(promise.divisible) != 0)
      return argumentError(signature, i,
                           "promises 'fsm.divisible = " + divisor() + "', but is " +
                               std::to_string(value));
    if (promise.isOne && value != 1)
      return argumentError(signature, i,
                           "promises 'fsm.equal_to = 1', but is " + std::to_string(value));
    if (value < promise.atLeast)
      return argumentError(signature, i, "promises 'fsm.at_least = " + std::to_string(promise.atLeast) +
                                             "', but is " + std::to_string(value));
    if (value > promise.atMost)
      return argumentError(signature, i, "promises 'fsm.at_most = " + std::to_string(promise.atMost) +
                                             "', but is " + std::to_string(value));
  }
  return {};
}

bool fsm::holds(const ArgumentFact &fact, const KernelArgument &argument, uint64_t value) {
  if (argument.isPointer())
    return !fact.noAlias && value % fact.divisible == 0;
  if (scalarTypeInfo(argument.type).isFloat)
    return true;
  int64_t integer = integerOf(value, argument.type);
  return integer % static_cast<int64_t>(fact.divisible) == 0 && (!fact.isOne || integer == 1) &&
         fact.isWithin(integer);
}

//===----------------------------------------------------------------------===//
// Grids and targets
//===----------------------------------------------------------------------===//

Result<void> fsm::checkGrid(const KernelSignature &signature, Grid grid, bool forDevice) {
  auto text = [&] {
    return "(" + std::to_string(grid.x) + ", " + std::to_string(grid.y) + ", " +
           std::to_string(grid.z) + ")";
  };
  if (grid.x < 0 || grid.y < 0 || grid.z < 0)
    return badInput("error: expected a grid without negative extents for kernel @" +
                    signature.name + ", got " + text());
  if (forDevice && (grid.y > 65535 || grid.z > 65535))
    return badInput("error: expected a grid of at most 2147483647 x 65535 x 65535 programs on a "
                    "GPU for kernel @" +
                    signature.name + ", got " + text());
  if (grid.z != 0 && int64_t(grid.x) * grid.y > (int64_t(1) << 62) / grid.z)
    return badInput("error: expected a grid of at most 2^62 programs for kernel @" +
                    signature.name + ", got " + text());
  return {};
}

/// What an argument's bits will say as an integer, which a whole real may be given for.
static int64_t integerOf(const Argument &argument, ScalarType type) {
  constexpr double most = 0x1p62;
  bool isReal = argument.kind == Argument::Kind::Real;
  if (isReal && !(argument.realValue > -most && argument.realValue < most))
    return 0;
  int64_t value = isReal ? static_cast<int64_t>(argument.realValue) : argument.integerValue;
  return integerOf(static_cast<uint64_t>(value), type);
}

Result<Grid> fsm::gridOf(const KernelSignature &signature,
                         const std::vector<Argument> &arguments) {
  if (signature.grid.empty())
    return badInput("error: expected a grid: kernel @" + signature.name + " states none");
  if (arguments.size() < signature.arguments.size())
    return badInput("error: expected " + std::to_string(signature.arguments.size()) +
                    " arguments for the grid that " + kernelText(signature) + " states, got " +
                    std::to_string(arguments.size()));
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    numbers.push_back(::integerOf(arguments[i], signature.arguments[i].type));
  Grid grid;
  int32_t *extents[] = {&grid.x, &grid.y, &grid.z};
  for (size_t i = 0; i < signature.grid.size() && i < 3; ++i) {
    int64_t most = i == 0 ? INT32_MAX : 65535;
    std::optional<int64_t> extent = evaluate(signature.grid[i], numbers.data(), numbers.size());
    if (!extent || *extent < 0 || *extent > most)
      return badInput("error: expected 0 to " + std::to_string(most) + " programs along " +
                      "xyz"[i] + " of the grid that kernel @" + signature.name + " states, " +
                      (extent ? "got " + std::to_string(*extent)
                              : "which divides by 0 or less, or leaves 64 bits"));
    *extents[i] = static_cast<int32_t>(*extent);
  }
  return grid;
}

std::optional<int> fsm::capabilityOf(std::string_view target) {
  if (target.substr(0, 3) != "sm_")
    return std::nullopt;
  std::string_view digits = target.substr(3);
  if (!digits.empty() && digits.back() == 'a')
    digits.remove_suffix(1);
  if (digits.size() < 2 || digits.size() > 3)
    return std::nullopt;
  int number = 0;
  for (char digit : digits) {
    if (digit < '0' || digit > '9')
      return std::nullopt;
    number = 10 * number + (digit - '0');
  }
  return number;
}

bool fsm::runsOn(std::string_view target, int capability) {
  std::optional<int> wanted = capabilityOf(target);
  bool isSpecific = !target.empty() && target.back() == 'a';
  return wanted && (isSpecific ? *wanted == capability : *wanted <= capability);
}
