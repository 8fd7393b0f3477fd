//===- AffineOffsetsTest.cpp - Every form and what follows from it -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random kernels of integer blocks, whose numbers are computed here, in integers that wrap, for a
// few values of their argument. What AffineOffsets claims must hold of all of them. In half of the
// kernels the argument is a loop's counter: what comes once must differ from one value to the
// other.
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/ScalarRanges.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <functional>
#include <random>
#include <set>

using namespace mlir;
using namespace fsm;

/// Values of the argument that are tried at once.
static constexpr size_t kWorlds = 3;

namespace {
/// A block (or scalar: no dimensions) of the text, with its numbers in each world.
struct Value3 {
  std::string name;
  std::vector<int64_t> shape;
  unsigned width;
  std::vector<int64_t> numbers[kWorlds];
};

/// Writes a kernel op by op.
class Writer {
public:
  explicit Writer(unsigned seed) : isLoop(seed % 2 != 0), dice(seed) {}

  /// The text and its values in order.
  std::string write();
  std::vector<Value3> values;
  const bool isLoop;

private:
  int64_t pick(std::initializer_list<int64_t> numbers) {
    return numbers.begin()[dice() % numbers.size()];
  }
  const Value3 *some(bool isBlock, const Value3 *like = nullptr);
  void add(const std::string &op, std::vector<int64_t> shape, unsigned width,
           const std::function<int64_t(size_t world, size_t at)> &number);
  bool fits(unsigned width, size_t size, const std::function<__int128(size_t, size_t)> &exact);
  void scalar();
  void scalarSum();
  void source();
  void tile();
  void arithmetic();
  void division();
  void widen();
  void move();
  void hint();

  std::mt19937 dice;
  std::string text;
};
} // namespace

static size_t sizeOf(ArrayRef<int64_t> shape) {
  size_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  return size;
}

static std::string typeOf(ArrayRef<int64_t> shape, unsigned width) {
  std::string element = "i" + std::to_string(width);
  if (shape.empty())
    return element;
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

static std::string typeOf(const Value3 &value) { return typeOf(value.shape, value.width); }

void Writer::add(const std::string &op, std::vector<int64_t> shape, unsigned width,
                 const std::function<int64_t(size_t, size_t)> &number) {
  Value3 value{"%v" + std::to_string(values.size()), std::move(shape), width, {}};
  for (size_t world = 0; world < kWorlds; ++world)
    for (size_t at = 0; at < sizeOf(value.shape); ++at)
      value.numbers[world].push_back(
          llvm::SignExtend64(static_cast<uint64_t>(number(world, at)), width));
  text += value.name + " = " + op + "\n";
  values.push_back(std::move(value));
}

/// Nothing if there is none of the kind, or of the other's shape and width.
const Value3 *Writer::some(bool isBlock, const Value3 *like) {
  std::vector<const Value3 *> fitting;
  for (const Value3 &value : values)
    if (value.shape.empty() != isBlock &&
        (!like || (value.shape == like->shape && value.width == like->width)))
      fitting.push_back(&value);
  return fitting.empty() ? nullptr : fitting[dice() % fitting.size()];
}

/// Whether the numbers are those that `width` bits hold.
bool Writer::fits(unsigned width, size_t size,
                  const std::function<__int128(size_t, size_t)> &exact) {
  for (size_t world = 0; world < kWorlds; ++world)
    for (size_t at = 0; at < size; ++at)
      if (exact(world, at) != llvm::SignExtend64(static_cast<uint64_t>(exact(world, at)), width))
        return false;
  return true;
}

/// A constant, or the argument times one.
void Writer::scalar() {
  int64_t factor = pick({0, 1, 2, 3, 4, 64, 100, 128, -64, 1 << 28, 2147483646});
  if (dice() % 2)
    return add("arith.constant " + std::to_string(factor) + " : i32", {}, 32,
               [&](size_t, size_t) { return factor; });
  add("arith.constant " + std::to_string(factor) + " : i32", {}, 32,
      [&](size_t, size_t) { return factor; });
  Value3 by = values.back();
  const Value3 &n = values[0];
  auto number = [&](size_t world, size_t) { return n.numbers[world][0] * factor; };
  bool hasPromise = fits(32, 1, number) && dice() % 2;
  add("arith.muli " + n.name + ", " + by.name + (hasPromise ? " overflow<nsw> : i32" : " : i32"),
      {}, 32, number);
}

void Writer::scalarSum() {
  const Value3 *first = some(false), *second = some(false);
  Value3 x = *first, y = *second;
  auto number = [&](size_t world, size_t) { return x.numbers[world][0] + y.numbers[world][0]; };
  bool hasPromise = fits(32, 1, number) && dice() % 2;
  add("arith.addi " + x.name + ", " + y.name + (hasPromise ? " overflow<nsw> : i32" : " : i32"), {},
      32, number);
}

static const std::vector<int64_t> kShapes[] = {{160}, {2, 80}, {80, 2}, {80}, {2, 128}};

void Writer::source() {
  if (dice() % 2) {
    int64_t first = pick({0, 64, 128, 1, 3, -64, -5, 2147483520});
    int64_t extent = pick({80, 80, 2});
    return add("fsm.range " + std::to_string(first) + ", " + std::to_string(first + extent) +
                   " : tensor<" + std::to_string(extent) + "xi32>",
               {extent}, 32, [&](size_t, size_t at) { return first + int64_t(at); });
  }
  if (const Value3 *found = some(false)) {
    Value3 of = *found;
    std::vector<int64_t> shape = kShapes[dice() % 5];
    add("fsm.splat " + of.name + " : " + typeOf(shape, of.width), shape, of.width,
        [&](size_t world, size_t) { return of.numbers[world][0]; });
  }
}

/// Row times a constant plus column, as the offsets of a tile are, whose rows may overlap.
void Writer::tile() {
  int64_t pitch = pick({0, 1, 79, 80, 128, -80});
  auto name = [&, start = values.size()](size_t behind) {
    return "%v" + std::to_string(start + behind);
  };
  add("fsm.range 0, 2 : tensor<2xi32>", {2}, 32, [](size_t, size_t at) { return int64_t(at); });
  add("arith.constant dense<" + std::to_string(pitch) + "> : tensor<2xi32>", {2}, 32,
      [&](size_t, size_t) { return pitch; });
  add("arith.muli " + name(0) + ", " + name(1) + " overflow<nsw> : tensor<2xi32>", {2}, 32,
      [&](size_t, size_t at) { return int64_t(at) * pitch; });
  add("fsm.expand_dims " + name(2) + " axis 1 : tensor<2xi32> -> tensor<2x1xi32>", {2, 1}, 32,
      [&](size_t, size_t at) { return int64_t(at) * pitch; });
  add("fsm.broadcast " + name(3) + " : tensor<2x1xi32> -> tensor<2x80xi32>", {2, 80}, 32,
      [&](size_t, size_t at) { return int64_t(at) / 80 * pitch; });
  add("fsm.range 0, 80 : tensor<80xi32>", {80}, 32, [](size_t, size_t at) { return int64_t(at); });
  add("fsm.expand_dims " + name(5) + " axis 0 : tensor<80xi32> -> tensor<1x80xi32>", {1, 80}, 32,
      [](size_t, size_t at) { return int64_t(at); });
  add("fsm.broadcast " + name(6) + " : tensor<1x80xi32> -> tensor<2x80xi32>", {2, 80}, 32,
      [](size_t, size_t at) { return int64_t(at) % 80; });
  add("arith.addi " + name(4) + ", " + name(7) + " overflow<nsw> : tensor<2x80xi32>", {2, 80}, 32,
      [&](size_t, size_t at) { return int64_t(at) / 80 * pitch + int64_t(at) % 80; });
}

void Writer::arithmetic() {
  const Value3 *first = some(true);
  const Value3 *second = first ? some(true, first) : nullptr;
  if (!second)
    return;
  Value3 x = *first, y = *second;
  unsigned kind = dice() % 4;
  auto exact = [&](size_t world, size_t at) {
    __int128 a = x.numbers[world][at], b = y.numbers[world][at];
    return kind == 0 ? a - b : kind == 1 ? a * b : a + b;
  };
  bool hasPromise = fits(x.width, sizeOf(x.shape), exact) && dice() % 2;
  static const char *const names[] = {"subi ", "muli ", "addi ", "addi "};
  add(std::string("arith.") + names[kind] + x.name + ", " + y.name +
          (hasPromise ? " overflow<nsw> : " : " : ") + typeOf(x),
      x.shape, x.width,
      [&](size_t world, size_t at) { return static_cast<int64_t>(exact(world, at)); });
}

/// A quotient or a remainder, of blocks or scalars, where the language says what it is.
void Writer::division() {
  const Value3 *first = some(dice() % 2);
  const Value3 *second = first ? some(!first->shape.empty(), first) : nullptr;
  auto canDivide = [](const std::vector<int64_t> &numbers) {
    return llvm::none_of(numbers, [](int64_t number) { return number == 0 || number == -1; });
  };
  if (!second || !llvm::all_of(second->numbers, canDivide))
    return;
  Value3 x = *first, y = *second;
  bool isRest = dice() % 2;
  add((isRest ? "arith.remsi " : "arith.divsi ") + x.name + ", " + y.name + " : " + typeOf(x),
      x.shape, x.width, [&](size_t world, size_t at) {
        int64_t a = x.numbers[world][at], b = y.numbers[world][at];
        return isRest ? a % b : a / b;
      });
}

/// To a wider or a narrower type.
void Writer::widen() {
  const Value3 *found = some(true);
  if (!found)
    return;
  Value3 x = *found;
  unsigned width = x.width == 32 ? (dice() % 2 ? 64 : 8) : 32;
  std::string op = width > x.width ? "arith.extsi " : "arith.trunci ";
  add(op + x.name + " : " + typeOf(x) + " to " + typeOf(x.shape, width), x.shape, width,
      [&](size_t world, size_t at) { return x.numbers[world][at]; });
}

/// To another shape: transposed, with a new dimension, repeated, or in other rows.
void Writer::move() {
  const Value3 *found = some(true);
  if (!found)
    return;
  Value3 x = *found;
  std::vector<int64_t> shape = x.shape;
  unsigned kind = dice() % 4;
  std::string op = "fsm.reshape " + x.name;
  std::function<size_t(size_t)> from = [](size_t at) { return at; };
  if (kind == 0 && shape.size() == 2) {
    op = "fsm.transpose " + x.name + " order [1, 0]";
    std::swap(shape[0], shape[1]);
    from = [&](size_t at) { return at % shape[1] * shape[0] + at / shape[1]; };
  } else if (kind == 1 && shape.size() == 1) {
    bool isRow = dice() % 2;
    op = "fsm.expand_dims " + x.name + " axis " + (isRow ? "0" : "1");
    shape.insert(isRow ? shape.begin() : shape.end(), 1);
  } else if (kind == 2 && shape.size() == 2 && (shape[0] == 1 || shape[1] == 1)) {
    op = "fsm.broadcast " + x.name;
    unsigned dim = shape[0] == 1 ? 0 : 1;
    shape[dim] = shape[1 - dim] == 2 && dice() % 2 ? 80 : 2;
    int64_t inner = x.shape[1];
    from = [&, dim, inner](size_t at) { return dim == 0 ? at % inner : at / shape[1]; };
  } else {
    int64_t size = int64_t(sizeOf(shape));
    shape = kShapes[dice() % 5];
    if (int64_t(sizeOf(shape)) != size)
      shape = {size / 2, 2};
  }
  if (sizeOf(shape) > 512)
    return;
  add(op + " : " + typeOf(x) + " -> " + typeOf(shape, x.width), shape, x.width,
      [&](size_t world, size_t at) { return x.numbers[world][from(at)]; });
}

/// Whether neighbours in aligned groups of a row differ by `stride`.
static bool hasStride(const Value3 &value, int64_t stride, int64_t group) {
  int64_t extent = value.shape.back();
  for (const std::vector<int64_t> &numbers : value.numbers)
    for (size_t at = 1; at < numbers.size(); ++at) {
      int64_t place = int64_t(at) % extent;
      if (place % group && numbers[at] - numbers[at - 1] != stride)
        return false;
    }
  return true;
}

/// A promise of whole rows, where it is true.
void Writer::hint() {
  for (const Value3 &found : values)
    for (int64_t stride : {1, 0}) {
      if (found.shape.size() != 1 || found.width != 8 || dice() % 2 ||
          !hasStride(found, stride, found.shape[0]))
        continue;
      Value3 x = found;
      return add("fsm.hint " + x.name + (stride ? " {max_contiguous" : " {max_constancy") +
                     " = array<i64: " + std::to_string(x.shape[0]) + ">} : " + typeOf(x),
                 x.shape, x.width, [&](size_t world, size_t at) { return x.numbers[world][at]; });
    }
}

std::string Writer::write() {
  static const int64_t arguments[kWorlds] = {16, -48, 1 << 27};
  static const int64_t counters[kWorlds] = {0, 16, 1 << 20};
  const int64_t *n = isLoop ? counters : arguments;
  Value3 argument{"%v0", {}, 32, {}};
  for (size_t world = 0; world < kWorlds; ++world)
    argument.numbers[world] = {n[world]};
  values.push_back(argument);
  for (unsigned i = 0; i < 24; ++i) {
    static constexpr void (Writer::*steps[])() = {
        &Writer::scalar,     &Writer::source,     &Writer::source,    &Writer::arithmetic,
        &Writer::arithmetic, &Writer::arithmetic, &Writer::widen,     &Writer::move,
        &Writer::move,       &Writer::hint,       &Writer::scalarSum, &Writer::tile,
        &Writer::division};
    (this->*steps[i < 3 ? i : dice() % 13])();
  }
  if (isLoop)
    return "fsm.kernel @k() {\n%first = arith.constant 0 : i32\n%end = arith.constant 2097152 : "
           "i32\n%step = arith.constant 16 : i32\nscf.for %v0 = %first to %end step %step : i32 "
           "{\n" +
           text + "}\nfsm.return\n}";
  return "fsm.kernel @k(%v0: i32 {fsm.divisible = 16 : i32}) {\n" + text + "fsm.return\n}";
}

static bool isDivided(const Value3 &value, int64_t divisor) {
  int64_t extent = value.shape.empty() ? 1 : value.shape.back();
  for (const std::vector<int64_t> &numbers : value.numbers)
    for (size_t at = 0; at < numbers.size(); ++at)
      if (int64_t(at) % extent % AffineOffsets::kAlignedGroup == 0 && numbers[at] % divisor != 0)
        return false;
  return true;
}

/// Whether neighbours along a dimension, in the same group of the rows, differ by `step`.
static bool hasStep(const Value3 &value, size_t dim, int64_t step, int64_t group) {
  int64_t inner = 1;
  for (size_t other = dim + 1; other < value.shape.size(); ++other)
    inner *= value.shape[other];
  for (const std::vector<int64_t> &numbers : value.numbers)
    for (size_t at = inner; at < numbers.size(); ++at) {
      int64_t index = int64_t(at) / inner % value.shape[dim];
      if (index != 0 && (dim + 1 != value.shape.size() || index % group != 0) &&
          static_cast<uint64_t>(numbers[at]) - static_cast<uint64_t>(numbers[at - inner]) !=
              static_cast<uint64_t>(step))
        return false;
    }
  return true;
}

static bool areDistinct(const Value3 &value) {
  return llvm::all_of(value.numbers, [](const std::vector<int64_t> &numbers) {
    return std::set<int64_t>(numbers.begin(), numbers.end()).size() == numbers.size();
  });
}

/// Whether no number of one iteration is one of another.
static bool comesOnce(const Value3 &value) {
  std::set<int64_t> all;
  size_t count = 0;
  for (const std::vector<int64_t> &numbers : value.numbers) {
    std::set<int64_t> some(numbers.begin(), numbers.end());
    count += some.size();
    all.insert(some.begin(), some.end());
  }
  return all.size() == count;
}

namespace {
/// Holds what is claimed of a kernel's values against their numbers.
class Checker {
public:
  Checker(const Writer &writer, Block &body) : loop(dyn_cast<scf::ForOp>(body.getParentOp())) {
    of[body.getArgument(0)] = writer.values.data();
    size_t index = 1;
    for (Operation &op : body.without_terminator())
      of[op.getResult(0)] = &writer.values[index++];
  }

  void check(Value value);

  unsigned forms = 0, steps = 0, divisors = 0, distinct = 0, once = 0, ranges = 0;

private:
  bool isSum(Value value, const AffineForm &form);
  void checkRange(Value scalar);

  scf::ForOp loop;
  llvm::DenseMap<Value, const Value3 *> of;
  AffineOffsets offsets;
};
} // namespace

/// Whether the numbers are what the form's terms make, in the bits that it is meant in.
bool Checker::isSum(Value value, const AffineForm &form) {
  const Value3 &numbers = *of[value];
  for (size_t world = 0; world < kWorlds; ++world)
    for (size_t at = 0; at < sizeOf(numbers.shape); ++at) {
      __int128 sum = form.constant;
      for (const AffineTerm &term : form.terms) {
        size_t inner = 1;
        for (size_t dim = term.dim + 1; !term.symbol && dim < numbers.shape.size(); ++dim)
          inner *= numbers.shape[dim];
        const Value3 *symbol = term.symbol ? of[term.symbol] : nullptr;
        int64_t number = symbol ? symbol->numbers[world][symbol->shape.empty() ? 0 : at]
                                : int64_t(at / inner % numbers.shape[term.dim]);
        sum += static_cast<__int128>(term.factor) * number;
      }
      int64_t is = numbers.numbers[world][at];
      unsigned bits = form.exactness == Exactness::Bits ? numbers.width : 64;
      if (form.exactness == Exactness::Number
              ? sum != is
              : llvm::SignExtend64(static_cast<uint64_t>(sum - is), bits) != 0)
        return false;
    }
  return true;
}

void Checker::checkRange(Value scalar) {
  ConstantIntRanges range = rangeOf(scalar);
  for (const std::vector<int64_t> &numbers : of[scalar]->numbers) {
    ASSERT_LE(range.smin().getSExtValue(), numbers[0]) << of[scalar]->name;
    ASSERT_GE(range.smax().getSExtValue(), numbers[0]) << of[scalar]->name;
  }
  ranges += !range.smin().isMinSignedValue() && !range.smax().isMaxSignedValue() &&
            range.smin() != range.smax();
}

void Checker::check(Value value) {
  const Value3 &numbers = *of[value];
  if (numbers.shape.empty())
    checkRange(value);
  const AffineForm &form = offsets.of(value);
  std::string where = numbers.name;
  ASSERT_TRUE(isSum(value, form)) << where;
  forms += form.terms.size() > 1 && form.exactness != Exactness::Bits;
  ASSERT_TRUE(isDivided(numbers, form.divisor)) << where << " by " << form.divisor;
  divisors += form.divisor > 1;
  ASSERT_EQ(form.steps.size(), numbers.shape.size());
  for (size_t dim = 0; dim < form.steps.size(); ++dim) {
    if (!form.steps[dim])
      continue;
    steps += *form.steps[dim] != 0;
    int64_t group = form.inGroups ? AffineOffsets::kAlignedGroup : numbers.shape.back();
    ASSERT_TRUE(hasStep(numbers, dim, *form.steps[dim], group))
        << where << " by " << *form.steps[dim] << " along " << dim;
  }
  if (offsets.areDistinct(value)) {
    ASSERT_TRUE(areDistinct(numbers)) << where << " is not distinct";
    distinct += !numbers.shape.empty();
  }
  std::optional<Movement> moved = loop ? offsets.movementOf(value, loop) : std::nullopt;
  if (moved && offsets.comesOnce(*moved, loop)) {
    ASSERT_TRUE(comesOnce(numbers)) << where << " comes again";
    ++once;
  }
}

TEST(AffineOffsets, EveryClaimHolds) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<FSMDialect, arith::ArithDialect, scf::SCFDialect>();
  unsigned forms = 0, steps = 0, divisors = 0, distinct = 0, once = 0, ranges = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Writer writer(seed);
    std::string text = writer.write();
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    ASSERT_TRUE(module) << text;
    Block *body = &(*module->getOps<KernelOp>().begin()).getBody().front();
    for (scf::ForOp loop : body->getOps<scf::ForOp>())
      body = loop.getBody();
    Checker checker(writer, *body);
    SCOPED_TRACE(text);
    for (Operation &op : body->without_terminator()) {
      checker.check(op.getResult(0));
      if (HasFatalFailure())
        return;
    }
    forms += checker.forms;
    steps += checker.steps;
    divisors += checker.divisors;
    distinct += checker.distinct;
    once += checker.once;
    ranges += checker.ranges;
  }
  EXPECT_GT(forms, 800u);
  EXPECT_GT(steps, 3000u);
  EXPECT_GT(divisors, 3000u);
  EXPECT_GT(distinct, 3000u);
  EXPECT_GT(once, 3000u);
  EXPECT_GT(ranges, 1000u);
}
