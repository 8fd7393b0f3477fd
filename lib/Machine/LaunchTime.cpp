//===- LaunchTime.cpp - How long a launch is likely to take ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Machine/LaunchTime.h"

#include "fsm/Artifact/CompiledKernel.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static constexpr int64_t kMost = int64_t(1) << 62;

static int64_t within(double value, int64_t exact) {
  if (std::abs(value) >= static_cast<double>(kMost))
    return value < 0 ? -kMost : kMost;
  return exact;
}

static int64_t extentOf(const Grid &grid, int64_t axis) {
  return axis == 0 ? grid.x : axis == 1 ? grid.y : grid.z;
}

static int64_t leafOf(const CostStep &step, const LaunchNumbers &launch) {
  switch (step.kind) {
  case CostStep::Kind::Number:
    return std::clamp(step.value, -kMost, kMost);
  case CostStep::Kind::Argument: {
    auto index = static_cast<size_t>(step.value);
    return index < launch.arguments.size() ? std::clamp(launch.arguments[index], -kMost, kMost) : 0;
  }
  case CostStep::Kind::ProgramId:
    return 0;
  case CostStep::Kind::Programs:
    return extentOf(launch.grid, step.value);
  case CostStep::Kind::Started:
    return launch.started ? launch.started : launch.grid.x;
  default:
    return kUnknownNumber;
  }
}

static int64_t combined(CostStep::Kind kind, int64_t a, int64_t b) {
  using Kind = CostStep::Kind;
  auto x = static_cast<double>(a), y = static_cast<double>(b);
  auto wrapping = [](int64_t value) { return static_cast<uint64_t>(value); };
  switch (kind) {
  case Kind::Add:
    return within(x + y, static_cast<int64_t>(wrapping(a) + wrapping(b)));
  case Kind::Subtract:
    return within(x - y, static_cast<int64_t>(wrapping(a) - wrapping(b)));
  case Kind::Multiply:
    return within(x * y, static_cast<int64_t>(wrapping(a) * wrapping(b)));
  case Kind::Divide:
    return b == 0 ? 0 : a / b;
  case Kind::CeilDivide:
    return b == 0 ? 0 : a / b + (a % b != 0 && (a < 0) == (b < 0));
  case Kind::Remainder:
    return b == 0 ? 0 : a % b;
  case Kind::Minimum:
    return std::min(a, b);
  case Kind::And:
    return a & b;
  case Kind::Or:
    return a | b;
  case Kind::Equal:
    return a == b;
  case Kind::Less:
    return a < b;
  default:
    return std::max(a, b);
  }
}

int64_t fsm::evaluate(const CostExpression &expression, const LaunchNumbers &launch) {
  std::vector<int64_t> stack;
  for (const CostStep &step : expression) {
    if (step.kind < CostStep::Kind::Add) {
      stack.push_back(leafOf(step, launch));
      continue;
    }
    bool isSelect = step.kind == CostStep::Kind::Select;
    if (stack.size() < (isSelect ? 3 : 2))
      return kUnknownNumber;
    int64_t right = stack.back();
    stack.pop_back();
    if (isSelect) {
      int64_t left = stack.back();
      stack.pop_back();
      stack.back() = stack.back() != 0 ? left : right;
      continue;
    }
    stack.back() = combined(step.kind, stack.back(), right);
  }
  return stack.size() == 1 ? stack.back() : kUnknownNumber;
}

bool fsm::isKnown(const CostExpression &expression) {
  return std::none_of(expression.begin(), expression.end(),
                      [](const CostStep &step) { return step.kind == CostStep::Kind::Unknown; });
}

/// How often the innermost of so many loops around a part is run.
static double tripsOf(const CostPart &part, size_t loops, const LaunchNumbers &launch) {
  double trips = 1;
  for (size_t i = 0; i < loops; ++i) {
    const CostLoop &loop = part.loops[i];
    double lower = static_cast<double>(evaluate(loop.lower, launch));
    double upper = static_cast<double>(evaluate(loop.upper, launch));
    double step = static_cast<double>(std::max<int64_t>(1, evaluate(loop.step, launch)));
    trips *= std::max(0.0, std::ceil((upper - lower) / step));
  }
  return trips;
}

/// How often a part of a program is run.
static double tripsOf(const CostPart &part, const LaunchNumbers &launch) {
  return tripsOf(part, part.loops.size(), launch);
}

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

namespace {
/// The ctas of one wave.
struct Wave {
  /// On a multiprocessor.
  double ctas = 1;
  /// Multiprocessors that have any.
  double multiprocessors = 1;
};

class Prediction {
public:
  Prediction(const ProgramCost &cost, const GpuRates &rates, const LaunchNumbers &launch)
      : cost(cost), rates(rates), launch(launch),
        multiprocessors(launch.multiprocessors ? launch.multiprocessors : rates.multiprocessors),
        fromMemory(partFromMemory()) {}
  double seconds() const;

private:
  double startedPrograms() const { return launch.started ? double(launch.started) : launch.grid.x; }
  double ctasOfLaunch() const;
  double partFromMemory() const;
  double copiedBytesOf(const CostPart &part) const;
  double l2BytesIn(const Wave &wave) const;
  double busyOf(const CostPart &part, const Wave &wave) const;
  double ownOf(const CostPart &part) const;
  double clocksOf(const CostPart &part, const Wave &wave) const;
  double clocksOf(const Wave &wave) const;

  const ProgramCost &cost;
  const GpuRates &rates;
  const LaunchNumbers &launch;
  double multiprocessors;
  /// Of the bytes that are moved, those that the L2 cache has to get first, or to write back.
  double fromMemory;
};
} // namespace

/// What a program asks the L2 cache for: of what its cluster shares, its part.
double Prediction::copiedBytesOf(const CostPart &part) const {
  double bytes = part.copiedBytes;
  for (const SharedCopies &copies : part.sharedCopies)
    if (isKnown(copies.isShared) && evaluate(copies.isShared, launch) != 0)
      bytes -= copies.bytes * (1 - 1.0 / cost.cluster);
  return bytes;
}

/// Each array comes once.
double Prediction::partFromMemory() const {
  double moved = 0;
  for (const CostPart &part : cost.parts)
    moved += tripsOf(part, launch) * (part.loadedBytes + copiedBytesOf(part) + part.storedBytes);
  moved *= startedPrograms() / cost.batch * launch.grid.y * launch.grid.z * cost.sharingCtas;
  return moved > launch.bytes ? launch.bytes / moved : 1;
}

double Prediction::ctasOfLaunch() const {
  double along = std::ceil(startedPrograms() / (double(cost.programsPerCta) * cost.batch));
  return along * launch.grid.y * launch.grid.z * cost.numCtas * cost.sharingCtas;
}

/// What is asked for most, and a little of the others, which get in its way.
static double together(std::initializer_list<double> units, const GpuRates &rates) {
  double most = 0, sum = 0;
  for (double clocks : units) {
    most = std::max(most, clocks);
    sum += clocks;
  }
  return most + rates.inTheWay * (sum - most);
}

static double productsOf(const CostPart &part, const GpuRates &rates) {
  double groups = rates.groupProducts > 0 ? rates.groupProducts : rates.warpProducts;
  return part.groupProducts / groups + part.warpProducts / rates.warpProducts;
}

/// Bytes that one of the multiprocessors gets from the L2 cache in a clock.
double Prediction::l2BytesIn(const Wave &wave) const {
  return std::min(rates.l2Bytes, rates.l2BytesOfAll * rates.multiprocessors / wave.multiprocessors);
}

/// The clocks of the units of a multiprocessor for a round of a program.
double Prediction::busyOf(const CostPart &part, const Wave &wave) const {
  double moved = part.loadedBytes + copiedBytesOf(part) + part.storedBytes;
  double memoryBytes =
      std::min(rates.l2Bytes, rates.memoryBytes / rates.clocksPerNanosecond / wave.multiprocessors);
  return together({productsOf(part, rates), part.operations / rates.operations,
                   part.sharedBytes / rates.sharedBytes, moved / l2BytesIn(wave),
                   moved * fromMemory / memoryBytes},
                  rates);
}

/// What a cta computes in a round if it is alone. The units of one warp are a quarter of the
/// multiprocessor's.
double Prediction::ownOf(const CostPart &part) const {
  double lanes = rates.operations / 4 * std::min(4u, cost.warps);
  double units[] = {productsOf(part, rates), part.operations / lanes,
                    part.sharedBytes / rates.sharedBytes};
  double own = *std::max_element(std::begin(units), std::end(units));
  if (part.storesFactors)
    own += rates.inTurn * (units[0] + units[1] + units[2] - own);
  return own * cost.programsPerCta / cost.numCtas;
}

/// The clocks of all rounds of a part.
double Prediction::clocksOf(const CostPart &part, const Wave &wave) const {
  double trips = tripsOf(part, launch);
  if (trips == 0)
    return 0;
  double busy = wave.ctas * cost.programsPerCta / cost.numCtas * busyOf(part, wave);
  double waits = rates.loadClocks * part.loads, own = ownOf(part);
  // A product waits until all boxes of a round have come, whoever asked for them.
  double arrives = rates.copyClocks + (part.isBeside ? part.copiedBytes / rates.l2Bytes : 0);
  double ahead = part.copiedBytes > 0 ? arrives / std::max(1u, part.roundsAhead) : 0;
  if (part.roundsAhead == 0)
    waits += std::exchange(ahead, 0);
  // The product in flight hides where threads wait for one another, as far as that goes.
  double aroundCopies = rates.roundClocks + rates.roundClocksOfWarp * cost.warps;
  if (part.copiesBesideProducts)
    own = std::max(own, aroundCopies);
  else
    waits += part.exchanges * rates.exchangeClocks;
  // Without one tensor cores wait meanwhile.
  if (!part.copiesBesideProducts && part.groupProducts > 0 && part.copiedBytes > 0)
    waits += aroundCopies;
  // Nothing hides the copies of the first round.
  double begins = part.copiedBytes > 0 && !part.loops.empty()
                      ? tripsOf(part, part.loops.size() - 1, launch)
                      : 0;
  double programs = wave.ctas * cost.programsPerCta / cost.numCtas;
  double first = programs * copiedBytesOf(part) / l2BytesIn(wave);
  double round = part.loops.empty() || part.isBeside ? 0 : rates.loopClocks / wave.ctas;
  double clocks = std::max(busy, waits + std::max(own, ahead));
  return trips * (clocks + round + rates.notHidden * std::max(waits, ahead)) + begins * first;
}

double Prediction::clocksOf(const Wave &wave) const {
  double ofAll = 0, beside = 0, shared = 0;
  for (const CostPart &part : cost.parts) {
    (part.isBeside ? beside : ofAll) += clocksOf(part, wave);
    shared += tripsOf(part, launch) * part.sharedBytes;
  }
  // Both share the same memory.
  shared *= wave.ctas * cost.programsPerCta / cost.numCtas / rates.sharedBytes;
  double clocks = beside > 0 ? std::max(together({ofAll, beside}, rates), shared) : ofAll;
  // What waits in local memory is written and read once.
  double spilled = 2 * cost.spilledBytes * cost.warps * kWarpThreads * wave.ctas;
  return clocks + spilled / rates.l2Bytes;
}

double Prediction::seconds() const {
  double ctas = ctasOfLaunch();
  if (cost.ctasPerMultiprocessor == 0)
    return std::numeric_limits<double>::infinity();
  double perWave = multiprocessors * cost.ctasPerMultiprocessor;
  double waves = std::floor(ctas / perWave), left = ctas - waves * perWave;
  double clocks = rates.launchClocks + rates.startClocks;
  if (waves > 0)
    clocks += waves * clocksOf({double(cost.ctasPerMultiprocessor), multiprocessors});
  if (left > 0)
    clocks += clocksOf({std::ceil(left / multiprocessors), std::min(left, multiprocessors)});
  // Another cta of the multiprocessor computes while one begins.
  double starts = waves + (left > 0 ? 1 : 0) - 1;
  clocks += std::max(0.0, starts) * rates.startClocks / cost.ctasPerMultiprocessor;
  // Who goes on stores what he has computed, beside which the first copies come: half of what
  // beginning anew takes (docs/decisions/0164-launches-of-many-products.md).
  if (launch.started)
    clocks += (std::ceil(double(launch.grid.x) / startedPrograms()) - 1) * rates.startClocks / 2;
  return clocks / rates.clocksPerNanosecond * 1e-9;
}

/// As a module has it that is loaded: DeviceModule::ctasOf.
static int64_t startedOf(const ProgramCost &cost, const GpuRates &rates,
                         const LaunchNumbers &launch) {
  uint64_t multiprocessors =
      launch.multiprocessors ? launch.multiprocessors : rates.multiprocessors;
  uint64_t atOnce = multiprocessors * cost.ctasPerMultiprocessor * cost.programsPerCta /
                    std::max(1u, cost.numCtas);
  if (*cost.loopPrograms)
    atOnce = std::min<uint64_t>(atOnce, *cost.loopPrograms);
  auto others = static_cast<uint64_t>(std::max<int64_t>(1, int64_t(launch.grid.y) * launch.grid.z));
  auto programs = static_cast<uint64_t>(std::max(0, launch.grid.x));
  return static_cast<int64_t>(
      balancedPrograms(programs, std::max<uint64_t>(1, atOnce / others), cost.cluster));
}

double fsm::predictSeconds(const ProgramCost &cost, const GpuRates &rates,
                           const LaunchNumbers &launch) {
  LaunchNumbers numbers = launch;
  if (cost.loopPrograms)
    numbers.started = startedOf(cost, rates, launch);
  return Prediction(cost, rates, numbers).seconds();
}
