//===- AxisTruth.cpp - Axis info by definition ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisTruth.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::test;

namespace {
/// One dimension of a block: neighbours along it are `stride` elements apart.
struct View {
  const Numbers &numbers;
  int64_t extent, stride;

  /// Calls `visit(position, element, element before it or null)`; false as soon
  /// as it is. Pairs with an unspecified element are left out.
  template <typename Visit>
  bool all(Visit visit) const {
    const int64_t *elements = numbers.elements.data();
    int64_t lines = numbers.elements.size() / (extent * stride);
    for (int64_t outer = 0; outer < lines; ++outer)
      for (int64_t at = 0; at < extent; ++at)
        for (int64_t inner = 0; inner < stride; ++inner) {
          const int64_t *element = elements + (outer * extent + at) * stride + inner;
          if (*element == kUnspecified)
            continue;
          const int64_t *before = at == 0 ? nullptr : element - stride;
          if (before && *before == kUnspecified)
            before = nullptr;
          if (!visit(at, *element, before))
            return false;
        }
    return true;
  }

  bool isConsecutive(int64_t group) const {
    return all([&](int64_t at, int64_t element, const int64_t *before) {
      return (at & (group - 1)) == 0 || !before || element == *before + 1;
    });
  }
  bool isEqual(int64_t group) const {
    return all([&](int64_t at, int64_t element, const int64_t *before) {
      return (at & (group - 1)) == 0 || !before || element == *before;
    });
  }
  /// Of truths: none behind a false one.
  bool isEnding(int64_t group) const {
    return all([&](int64_t at, int64_t element, const int64_t *before) {
      return (at & (group - 1)) == 0 || !before || !element || *before;
    });
  }
  bool startsAtMultiple(int64_t group, int64_t divisor) const {
    return all([&](int64_t at, int64_t element, const int64_t *) {
      return (at & (group - 1)) != 0 || (element & (divisor - 1)) == 0;
    });
  }
};
} // namespace

static std::vector<View> viewsOf(const Numbers &numbers) {
  std::vector<View> views;
  int64_t stride = numbers.elements.size();
  for (int64_t extent : numbers.shape) {
    stride /= extent;
    views.push_back({numbers, extent, stride});
  }
  return views;
}

AxisInfo test::truthOf(const Numbers &numbers, bool isBoolean) {
  AxisInfo info;
  for (const View &view : viewsOf(numbers)) {
    int64_t contiguity = 1, divisibility = 1, constancy = 1, ending = 1;
    for (int64_t group = 2; group < 2 * view.extent; group *= 2) {
      if (!isBoolean && view.isConsecutive(group))
        contiguity = group;
      if (view.isEqual(group))
        constancy = group;
      if (isBoolean && view.isEnding(group))
        ending = group;
    }
    while (divisibility < AxisInfo::kMaxDivisor &&
           view.startsAtMultiple(contiguity, 2 * divisibility))
      divisibility *= 2;
    info.dims.push_back({contiguity, divisibility, constancy, ending});
  }
  int64_t first = numbers.elements.front();
  if (llvm::all_of(numbers.elements, [&](int64_t element) { return element == first; }))
    info.constant = first;
  info.isNonNegative = llvm::all_of(
      numbers.elements, [&](int64_t element) { return element >= 0 && !(isBoolean && element); });
  return info;
}

std::string test::falseClaim(const AxisInfo &claims, const Numbers &numbers, bool isBoolean) {
  if (claims.rank() != static_cast<int64_t>(numbers.shape.size()))
    return "rank " + std::to_string(claims.rank());
  int64_t stride = numbers.elements.size();
  for (size_t dim = 0; dim < numbers.shape.size(); ++dim) {
    stride /= numbers.shape[dim];
    View view{numbers, numbers.shape[dim], stride};
    auto [contiguity, divisibility, constancy, ending] = claims.dims[dim];
    std::string where = " along dimension " + std::to_string(dim);
    if (contiguity > 1 && !view.isConsecutive(contiguity))
      return "contiguity " + std::to_string(contiguity) + where;
    if (divisibility > 1 && !view.startsAtMultiple(contiguity, divisibility))
      return "divisibility " + std::to_string(divisibility) + where;
    if (constancy > 1 && !view.isEqual(constancy))
      return "constancy " + std::to_string(constancy) + where;
    if (ending > 1 && !view.isEnding(ending))
      return "ending " + std::to_string(ending) + where;
  }
  for (int64_t element : numbers.elements) {
    if (element == kUnspecified)
      continue;
    if (claims.constant && element != *claims.constant)
      return "constant " + std::to_string(*claims.constant);
    if (claims.isNonNegative && (element < 0 || (isBoolean && element)))
      return "not negative";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// OneOp
//===----------------------------------------------------------------------===//

struct OneOp::Impl {
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
};

OneOp::OneOp(const std::string &body) : impl(std::make_unique<Impl>()) {
  impl->context.loadDialect<FSMDialect, arith::ArithDialect, scf::SCFDialect>();
  impl->module = parseSourceString<ModuleOp>("fsm.kernel @k() {\n" + body + "\nfsm.return\n}",
                                             ParserConfig(&impl->context));
  if (impl->module)
    op = (*impl->module->getOps<KernelOp>().begin())
             .getBody()
             .front()
             .getTerminator()
             ->getPrevNode();
}

OneOp::~OneOp() = default;
