//===- Libdevice.cpp - Functions of CUDA's library ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libdevice.h"

#include "../Importer.h"

using namespace mlir;
using namespace fsm;

/// The op that a function is, by its name without `__nv_` and, for f32, without the last `f`.
static StringRef opOfFunction(StringRef name) {
  static const llvm::StringMap<StringRef> ops = {
      {"acos", "math.acos"},         {"acosh", "math.acosh"},      {"asin", "math.asin"},
      {"asinh", "math.asinh"},       {"atan", "math.atan"},        {"atan2", "math.atan2"},
      {"atanh", "math.atanh"},       {"cbrt", "math.cbrt"},        {"ceil", "math.ceil"},
      {"copysign", "math.copysign"}, {"cos", "math.cos"},          {"cosh", "math.cosh"},
      {"erf", "math.erf"},           {"erfc", "math.erfc"},        {"exp", "math.exp"},
      {"exp2", "math.exp2"},         {"expm1", "math.expm1"},      {"fabs", "math.absf"},
      {"fast_cos", "math.cos"},      {"fast_exp", "math.exp"},     {"fast_fdividef", "arith.divf"},
      {"fast_log", "math.log"},      {"fast_log10", "math.log10"}, {"fast_log2", "math.log2"},
      {"fast_pow", "math.powf"},     {"fast_sin", "math.sin"},     {"fast_tan", "math.tan"},
      {"floor", "math.floor"},       {"fma", "math.fma"},          {"fmax", "arith.maxnumf"},
      {"fmin", "arith.minnumf"},     {"fmod", "arith.remf"},       {"log", "math.log"},
      {"log10", "math.log10"},       {"log1p", "math.log1p"},      {"log2", "math.log2"},
      {"pow", "math.powf"},          {"rint", "math.roundeven"},   {"round", "math.round"},
      {"rsqrt", "math.rsqrt"},       {"sin", "math.sin"},          {"sinh", "math.sinh"},
      {"sqrt", "math.sqrt"},         {"tan", "math.tan"},          {"tanh", "math.tanh"},
      {"trunc", "math.trunc"},       {"umul64hi", "fsm.umulhi"},   {"umulhi", "fsm.umulhi"},
  };
  return ops.lookup(name);
}

/// Of `types`, one letter.
static bool isOfType(Type type, char letter, bool isDouble) {
  Type element = getElementTypeOrSelf(type);
  switch (letter) {
  case 'f':
    return element.isF32();
  case 'd':
    return element.isF64();
  case 'x':
    return isDouble ? element.isF64() : element.isF32();
  case 'i':
    return element.isInteger(32);
  default:
    return element.isInteger(64);
  }
}

/// What a function is of terms, if it has that name and these types.
static std::optional<Term> write(const LibraryFunction &function, StringRef name,
                                 ArrayRef<Term> operands, Type result) {
  bool hasTwo = function.types.contains('x'), isDouble = name == function.name;
  if (!isDouble && !(hasTwo && name == (function.name + "f").str()))
    return std::nullopt;
  if (operands.size() + 1 != function.types.size() ||
      !isOfType(result, function.types[0], isDouble))
    return std::nullopt;
  SmallVector<Term, 4> terms;
  for (auto [operand, letter] : llvm::zip_equal(operands, function.types.drop_front())) {
    if (!isOfType(operand.get().getType(), letter, isDouble))
      return std::nullopt;
    terms.push_back(function.isWide && operand.isFloat() ? toFloat(operand, 64) : operand);
  }
  Term value = function.write(terms);
  return function.isWide
             ? toFloat(value, function.types[0] == 'd' || (hasTwo && isDouble) ? 64 : 32)
             : value;
}

static std::optional<Term> writeFunction(StringRef name, ArrayRef<Term> operands, Type result) {
  StringRef known = opOfFunction(name);
  if (known.empty() && name.ends_with("f"))
    known = opOfFunction(name.drop_back());
  if (!known.empty() &&
      llvm::all_of(operands, [&](const Term &x) { return x.get().getType() == result; }))
    return apply(known, operands);
  for (ArrayRef<LibraryFunction> functions :
       {integerFunctions(), floatFunctions(), specialFunctions(), besselFunctions()})
    for (const LibraryFunction &function : functions)
      if (std::optional<Term> value = write(function, name, operands, result))
        return value;
  return roundedFunction(name, operands);
}

static LogicalResult importExternal(Importer &importer, triton::ExternElementwiseOp op) {
  StringRef name = op.getSymbol();
  SmallVector<Term, 4> operands;
  for (Value source : op.getSrcs())
    operands.emplace_back(importer, importer.get(source));
  StringRef plain = name.starts_with("__nv_") ? name.drop_front(5) : name;
  std::optional<Term> value = writeFunction(plain, operands, op.getType());
  if (!value || value->get().getType() != op.getType())
    return refuse(op) << "no op is the function '" << name << "' on " << op.getOperandTypes();
  importer.set(op, value->get());
  return success();
}

void fsm::addLibdeviceRewrites(RewriteTable &table) { table.on(importExternal); }
