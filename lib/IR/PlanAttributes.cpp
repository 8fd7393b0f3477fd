//===- PlanAttributes.cpp - What passes tell one another -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/PlanAttributes.h"

#include "fsm/IR/DebugTable.h"
#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/HiddenArguments.h"
#include "fsm/IR/TensorMaps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Ops that carry them
//===----------------------------------------------------------------------===//

static bool isAnything(Operation *) { return true; }

template <typename... Ops>
static bool isOne(Operation *op) {
  return isa<Ops...>(op);
}

static bool isLoopWithoutResults(Operation *op) { return isa<scf::WhileOp>(op) && op->getNumResults() == 0; }

static bool isInLoop(Operation *op) { return isa_and_nonnull<scf::ForOp>(op->getParentOp()); }

//===----------------------------------------------------------------------===//
// Their values
//===----------------------------------------------------------------------===//

// Each of these makes a test of an attribute.

static auto isNumber(unsigned width, int64_t least = std::numeric_limits<int64_t>::min(),
                     int64_t most = std::numeric_limits<int64_t>::max()) {
  return [=](Attribute value) {
    auto number = dyn_cast<IntegerAttr>(value);
    return number && number.getType().isSignlessInteger(width) && number.getInt() >= least &&
           number.getInt() <= most;
  };
}

static auto isMultipleOf(int64_t factor) {
  return [=](Attribute value) {
    return isNumber(32, 0)(value) && cast<IntegerAttr>(value).getInt() % factor == 0;
  };
}

static auto isPowerOfTwo(int64_t most = std::numeric_limits<int64_t>::max()) {
  return [=](Attribute value) {
    return isNumber(32, 1, most)(value) && llvm::isPowerOf2_64(cast<IntegerAttr>(value).getInt());
  };
}

/// Without a length: of any.
static auto isList(std::optional<int64_t> length = std::nullopt) {
  return [=](Attribute value) {
    auto numbers = dyn_cast<DenseI64ArrayAttr>(value);
    return numbers && (!length || numbers.size() == *length);
  };
}

static auto isFlag() {
  return [](Attribute value) { return isa<UnitAttr>(value); };
}

static auto isNamedPlace() {
  return [](Attribute value) { return isa<NameLoc>(value); };
}

static auto isLoadBuffer() {
  return [](Attribute value) { return isa<LoadBufferAttr>(value); };
}

static auto isHiddenList() {
  return [](Attribute value) { return isHiddenArgumentList(value); };
}

static auto isTensorMaps() {
  return [](Attribute value) { return isTensorMapList(value); };
}

static auto isDebugTable() {
  return [](Attribute value) { return isDebugList(value); };
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr PlanAttribute kPlanAttributes[] = {
#define FSM_PLAN_ATTRIBUTE(constant, name, isOn, on, hasForm, form, source, writer, reader,        \
                           meaning)                                                                \
  {name, on, form, writer, PlanSource::source, isOn, [](Attribute value) -> bool {                 \
     return hasForm(value);                                                                        \
   }},
#include "fsm/IR/PlanAttributes.def"
};

const PlanAttribute *fsm::findPlanAttribute(StringRef name) {
  const PlanAttribute *found =
      llvm::find_if(kPlanAttributes, [&](const PlanAttribute &plan) { return plan.name == name; });
  return found == std::end(kPlanAttributes) ? nullptr : found;
}

LogicalResult fsm::verifyPlanAttribute(const PlanAttribute &plan, Operation *op, Attribute value) {
  if (plan.isOn(op) && plan.hasForm(value))
    return success();
  return op->emitError() << "expected '" << plan.name << "' on " << plan.on << ", with "
                         << plan.form << ", as " << plan.writer << " writes it, got " << value
                         << " on '" << op->getName() << "'";
}
