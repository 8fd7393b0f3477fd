//===- Control.cpp - Loops and branches as functions ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Builder/KernelBuilder.h"

#include "Operands.h"

using namespace fsm;

static std::vector<ValueType> typesList(const Values &values) {
  std::vector<ValueType> types;
  for (const Value &value : values)
    types.push_back(value.type());
  return types;
}

/// ` -> (f32, i32)`
static std::string resultText(const Values &values) {
  return values.empty() ? "" : " -> (" + typesOf(values) + ")";
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Values KernelBuilder::loop(Operand first, Operand end, Operand step, Values start,
                           const std::function<Values(Value, Values)> &body, unsigned stages) {
  Operands operands(kernel.get(), {&first, &end, &step});
  bool isLong = false;
  for (const Operand *bound : {&first, &end, &step})
    isLong |= bound->kind == Operand::Kind::Value && bound->value.type().element == ScalarType::I64;
  ScalarType counter = isLong ? ScalarType::I64 : ScalarType::I32;
  Values bounds;
  for (const Operand *bound : {&first, &end, &step})
    bounds.push_back(operands.scalar(*bound, counter, "scalars for the bounds of a loop"));
  for (const Value &value : start)
    if (operands.isUsable())
      kernel->isUsable(operands.at(), value);
  if (step.isNumber() && step.real <= 0)
    operands.fail("expected a step of at least 1, got " + std::to_string(step.integer));
  if (!body)
    operands.fail("expected a body for a loop, got none");
  if (!operands.isUsable() || kernel->hasFailed())
    return Values(start.size());

  // The names of what the loop carries are known when its body is open.
  std::vector<ValueType> types = typesList(start);
  Values results = kernel->open(types, "scf.for ");
  Value number = kernel->regionArgument({counter, 0, {}});
  Values carried;
  std::string pairs;
  for (const Value &value : start) {
    carried.push_back(kernel->regionArgument(value.type()));
    pairs += (pairs.empty() ? "" : ", ") + KernelText::nameOf(carried.back()) + " = " +
             KernelText::nameOf(value);
  }
  kernel->append(KernelText::nameOf(number) + " = " + KernelText::nameOf(bounds[0]) + " to " +
                 KernelText::nameOf(bounds[1]) + " step " + KernelText::nameOf(bounds[2]) +
                 (pairs.empty() ? "" : " iter_args(" + pairs + ")" + resultText(start)) + " : " +
                 textOf({counter, 0, {}}) + " {\n");
  Values given = body(number, carried);
  kernel->yield(operands.at(), "scf.yield", given, types);
  kernel->close(operands.at(),
                stages ? "} {fsm.num_stages = " + std::to_string(stages) + " : i32}" : "}");
  return kernel->hasFailed() ? Values(start.size()) : results;
}

Value KernelBuilder::loop(Operand first, Operand end, Operand step, Value start,
                          const std::function<Value(Value, Value)> &body, unsigned stages) {
  return loop(std::move(first), std::move(end), std::move(step), Values{start},
              body ? [&](const Value &number,
                         const Values &carried) { return Values{body(number, carried.front())}; }
                   : std::function<Values(Value, Values)>(),
              stages)
      .front();
}

void KernelBuilder::loop(Operand first, Operand end, Operand step,
                         const std::function<void(Value)> &body, unsigned stages) {
  loop(
      std::move(first), std::move(end), std::move(step), Values(),
      body ? [&](const Value &number, const Values &) {
        body(number);
        return Values();
      } : std::function<Values(Value, Values)>(),
      stages);
}

Values KernelBuilder::repeatWhile(Values start, const std::function<Value(Values)> &condition,
                                  const std::function<Values(Values)> &body, const char *file,
                                  unsigned line) {
  CallSite at{file, line};
  for (const Value &value : start)
    if (!kernel->isUsable(at, value))
      return Values(start.size());
  if (!condition || !body)
    kernel->fail(at, "expected a condition and a body for a loop, got none");
  if (kernel->hasFailed())
    return Values(start.size());
  std::vector<ValueType> types = typesList(start);
  Values results = kernel->open(types, "scf.while ");
  Values before, after;
  std::string pairs;
  for (const Value &value : start) {
    before.push_back(kernel->regionArgument(value.type()));
    pairs += (pairs.empty() ? "" : ", ") + KernelText::nameOf(before.back()) + " = " +
             KernelText::nameOf(value);
  }
  kernel->append((pairs.empty() ? "" : "(" + pairs + ") ") + ": (" + typesOf(start) + ") -> (" +
                 typesOf(start) + ") {\n");
  Value goesOn = condition(before);
  if (kernel->isUsable(at, goesOn) && goesOn.type() != ValueType{ScalarType::I1, 0, {}})
    kernel->fail(at, "expected a condition that is a scalar i1, got " + textOf(goesOn.type()));
  if (kernel->hasFailed())
    return Values(start.size());
  kernel->addLine(
      at, "scf.condition(" + KernelText::nameOf(goesOn) + ")" +
              (before.empty() ? "" : " " + KernelText::namesOf(before) + " : " + typesOf(before)));
  kernel->between("} do {\n");
  for (const ValueType &type : types)
    after.push_back(kernel->regionArgument(type));
  kernel->addLabel({&after});
  kernel->yield(at, "scf.yield", body(after), types);
  kernel->close(at, "}");
  return kernel->hasFailed() ? Values(start.size()) : results;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

Values KernelBuilder::choose(Operand condition, const std::function<Values()> &then,
                             const std::function<Values()> &otherwise) {
  Operands operands(kernel.get(), {&condition});
  Value truth = operands.scalar(condition, ScalarType::I1, "a scalar condition",
                                "; 'select' chooses element by element");
  if (!then || !otherwise)
    operands.fail("expected two bodies to choose from, got none");
  if (!operands.isUsable() || kernel->hasFailed())
    return {};
  // What it gives is known when the first body is written: its text goes in front of that.
  size_t begin = kernel->mark();
  kernel->open({}, "");
  Values given = then();
  std::vector<ValueType> types = typesList(given);
  kernel->yield(operands.at(), "scf.yield", given, types);
  kernel->between("} else {\n");
  Values others = otherwise();
  kernel->yield(operands.at(), "scf.yield", others, types);
  kernel->close(operands.at(), "}");
  return kernel->giveFrom(begin, types,
                          "scf.if " + KernelText::nameOf(truth) + resultText(given) + " {\n");
}

void KernelBuilder::when(Operand condition, const std::function<void()> &then) {
  Operands operands(kernel.get(), {&condition});
  Value truth =
      operands.scalar(condition, ScalarType::I1, "a scalar condition", "; a store takes a mask");
  if (!then)
    operands.fail("expected a body, got none");
  if (!operands.isUsable() || kernel->hasFailed())
    return;
  kernel->open({}, "scf.if " + KernelText::nameOf(truth) + " {\n");
  then();
  kernel->close(operands.at(), "}");
}
