//===- AxisArithTest.cpp - Every claim of axis info about arithmetic -----===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op is applied to blocks that start at every pair of i8 numbers and run in
// several ways. What holds of the operands is found by definition; what the
// transfer function claims of the result must hold of the result's numbers.
//
//===----------------------------------------------------------------------===//

#include "AxisTruth.h"

#include "gtest/gtest.h"

#include <functional>
#include <map>

using namespace fsm;
using namespace fsm::test;

/// No power of two: the last groups are cut short.
static constexpr int64_t kExtent = 12;

/// Adds to the first number, per kind of operand and position.
static int64_t stepOf(unsigned kind, int64_t at) {
  switch (kind) {
  case 0: // one number
    return 0;
  case 1: // consecutive
    return at;
  case 2: // strided
    return 4 * at;
  case 3: // equal in groups of four
    return at / 4;
  default: // consecutive in groups of four
    return at / 4 * 16 + at % 4;
  }
}
static constexpr unsigned kKinds = 5;

namespace {
struct Operand {
  Numbers numbers;
  /// Which of the distinct AxisInfos is true of the numbers.
  unsigned info;
};

/// All operands of i8, and the distinct facts about them.
struct Operands {
  std::vector<Operand> list;
  std::vector<AxisInfo> infos;

  Operands() {
    std::map<std::string, unsigned> known;
    for (unsigned kind = 0; kind < kKinds; ++kind)
      for (int first = -128; first < 128; ++first) {
        Numbers numbers{{kExtent}, {}};
        for (int64_t at = 0; at < kExtent; ++at)
          numbers.elements.push_back(static_cast<int8_t>(first + stepOf(kind, at)));
        AxisInfo info = truthOf(numbers);
        std::string text;
        llvm::raw_string_ostream os(text);
        info.print(os);
        auto [entry, isNew] = known.try_emplace(text, infos.size());
        if (isNew)
          infos.push_back(info);
        list.push_back({std::move(numbers), entry->second});
      }
  }
};

using Function = std::function<int64_t(int, int)>;
} // namespace

static const Operands &operands() {
  static const Operands all;
  return all;
}

static bool isTrivial(const AxisInfo &info) {
  return info.dims[0] == AxisGroups() && !info.constant && !info.isNonNegative;
}

static std::string show(const Numbers &numbers) {
  std::string text;
  for (int64_t element : numbers.elements)
    text += (element == kUnspecified ? "?" : std::to_string(element)) + " ";
  return text;
}

/// `function` gives the signed result or kUnspecified.
static void checkAllPairs(const std::string &op, bool isComparison, const Function &function) {
  OneOp one("%x = arith.constant dense<0> : tensor<12xi8>\n%r = arith." + op);
  ASSERT_TRUE(one.op) << op;
  std::vector<int64_t> table(65536);
  for (int x = -128; x < 128; ++x)
    for (int y = -128; y < 128; ++y) {
      int64_t value = function(x, y);
      bool keeps = value == kUnspecified || isComparison;
      table[(x + 128) * 256 + y + 128] = keeps ? value : static_cast<int8_t>(value);
    }
  const Operands &all = operands();
  size_t count = all.infos.size();
  std::vector<AxisInfo> claims(count * count);
  Numbers result{{kExtent}, std::vector<int64_t>(kExtent)};
  for (const Operand &left : all.list)
    for (const Operand &right : all.list) {
      AxisInfo &claim = claims[left.info * count + right.info];
      if (claim.rank() == 0)
        claim = inferAxisInfo(one.op, {&all.infos[left.info], &all.infos[right.info]});
      if (isTrivial(claim))
        continue;
      for (int64_t at = 0; at < kExtent; ++at)
        result.elements[at] =
            table[(left.numbers.elements[at] + 128) * 256 + right.numbers.elements[at] + 128];
      std::string wrong = falseClaim(claim, result, isComparison);
      ASSERT_TRUE(wrong.empty()) << op << ": " << wrong << " is false\n"
                                 << show(left.numbers) << "\n"
                                 << show(right.numbers) << "\n"
                                 << show(result);
    }
}

static void checkInteger(const std::string &name, const Function &function) {
  checkAllPairs(name + " %x, %x : tensor<12xi8>", false, function);
}

/// The same, and with a promise not to wrap.
static void checkBoth(const std::string &name, const Function &function) {
  checkInteger(name, function);
  checkAllPairs(name + " %x, %x overflow<nsw> : tensor<12xi8>", false, [&](int x, int y) {
    int64_t value = function(x, y);
    return value == static_cast<int8_t>(value) ? value : kUnspecified;
  });
}

static void checkComparison(const std::string &name, const Function &function) {
  checkAllPairs("cmpi " + name + ", %x, %x : tensor<12xi8>", true, function);
}

static unsigned u(int number) { return static_cast<uint8_t>(number); }

TEST(AxisArith, SumsAndProducts) {
  checkBoth("addi", [](int x, int y) { return x + y; });
  checkBoth("subi", [](int x, int y) { return x - y; });
  checkBoth("muli", [](int x, int y) { return x * y; });
}

TEST(AxisArith, UnsignedQuotients) {
  checkInteger("divui", [](int x, int y) { return y ? u(x) / u(y) : kUnspecified; });
  checkInteger("remui", [](int x, int y) { return y ? u(x) % u(y) : kUnspecified; });
  checkInteger("ceildivui",
               [](int x, int y) { return y ? (u(x) + u(y) - 1) / u(y) : kUnspecified; });
}

static bool divides(int x, int y) { return y != 0 && !(x == -128 && y == -1); }

/// Rounds down, whatever the signs.
static int64_t floorOf(int x, int y) { return (x - ((x % y) + y) % y) / y; }

TEST(AxisArith, SignedQuotients) {
  checkInteger("divsi", [](int x, int y) { return divides(x, y) ? x / y : kUnspecified; });
  checkInteger("remsi", [](int x, int y) { return divides(x, y) ? x % y : kUnspecified; });
  checkInteger("floordivsi",
               [](int x, int y) { return divides(x, y) ? floorOf(x, y) : kUnspecified; });
  checkInteger("ceildivsi",
               [](int x, int y) { return divides(x, y) ? -floorOf(-x, y) : kUnspecified; });
}

TEST(AxisArith, Shifts) {
  auto isAmount = [](int y) { return y >= 0 && y < 8; };
  checkBoth("shli", [&](int x, int y) { return isAmount(y) ? x * (1 << y) : kUnspecified; });
  checkInteger("shrui", [&](int x, int y) { return isAmount(y) ? u(x) >> y : kUnspecified; });
  checkInteger("shrsi", [&](int x, int y) { return isAmount(y) ? x >> y : kUnspecified; });
}

TEST(AxisArith, Bits) {
  checkInteger("andi", [](int x, int y) { return x & y; });
  checkInteger("ori", [](int x, int y) { return x | y; });
  checkInteger("xori", [](int x, int y) { return x ^ y; });
}

TEST(AxisArith, Extrema) {
  checkInteger("maxsi", [](int x, int y) { return std::max(x, y); });
  checkInteger("minsi", [](int x, int y) { return std::min(x, y); });
  checkInteger("maxui", [](int x, int y) { return std::max(u(x), u(y)); });
  checkInteger("minui", [](int x, int y) { return std::min(u(x), u(y)); });
}

TEST(AxisArith, SignedComparisons) {
  checkComparison("eq", [](int x, int y) { return x == y; });
  checkComparison("ne", [](int x, int y) { return x != y; });
  checkComparison("slt", [](int x, int y) { return x < y; });
  checkComparison("sle", [](int x, int y) { return x <= y; });
  checkComparison("sgt", [](int x, int y) { return x > y; });
  checkComparison("sge", [](int x, int y) { return x >= y; });
}

TEST(AxisArith, UnsignedComparisons) {
  checkComparison("ult", [](int x, int y) { return u(x) < u(y); });
  checkComparison("ule", [](int x, int y) { return u(x) <= u(y); });
  checkComparison("ugt", [](int x, int y) { return u(x) > u(y); });
  checkComparison("uge", [](int x, int y) { return u(x) >= u(y); });
}

/// Blocks that start all over the i16 numbers, at every remainder by a power of two.
static void checkConversion(const std::string &op, const std::string &from, const std::string &to,
                            const std::function<int64_t(int64_t)> &read,
                            const std::function<int64_t(int64_t)> &convert) {
  OneOp one("%x = arith.constant dense<0> : tensor<12x" + from + ">\n%r = arith." + op +
            " : tensor<12x" + from + "> to tensor<12x" + to + ">");
  ASSERT_TRUE(one.op) << op;
  for (unsigned kind = 0; kind < kKinds; ++kind)
    for (int first = -32768; first < 32768; first += 5) {
      Numbers source{{kExtent}, {}}, result{{kExtent}, {}};
      for (int64_t at = 0; at < kExtent; ++at) {
        source.elements.push_back(read(first + stepOf(kind, at)));
        result.elements.push_back(convert(source.elements.back()));
      }
      AxisInfo info = truthOf(source, from == "i1");
      std::string wrong = falseClaim(inferAxisInfo(one.op, {&info}), result, to == "i1");
      ASSERT_TRUE(wrong.empty()) << op << " from " << from << " to " << to << ": " << wrong
                                 << " is false\n"
                                 << show(source) << "\n"
                                 << show(result);
    }
}

TEST(AxisArith, Conversions) {
  auto i8 = [](int64_t x) { return static_cast<int8_t>(x); };
  auto i16 = [](int64_t x) { return static_cast<int16_t>(x); };
  auto i1 = [](int64_t x) { return x & 1; };
  checkConversion("extsi %x", "i16", "i64", i16, [](int64_t x) { return x; });
  checkConversion("extui %x", "i16", "i32", i16, [](int64_t x) { return x & 0xFFFF; });
  checkConversion("trunci %x", "i16", "i8", i16, i8);
  checkConversion("trunci %x overflow<nsw>", "i16", "i8", i16,
                  [&](int64_t x) { return i8(x) == x ? x : kUnspecified; });
  checkConversion("trunci %x", "i16", "i1", i16, i1);
  checkConversion("extsi %x", "i1", "i16", i1, [](int64_t x) { return -x; });
  checkConversion("extui %x", "i1", "i16", i1, [](int64_t x) { return x; });
}

TEST(AxisArith, SelectsByEveryMask) {
  OneOp one("%m = arith.constant dense<false> : tensor<12xi1>\n"
            "%x = arith.constant dense<0> : tensor<12xi8>\n"
            "%r = arith.select %m, %x, %x : tensor<12xi1>, tensor<12xi8>");
  ASSERT_TRUE(one.op);
  const Operands &all = operands();
  for (unsigned mask = 0; mask < 4096; ++mask) {
    Numbers condition{{kExtent}, {}};
    for (int64_t at = 0; at < kExtent; ++at)
      condition.elements.push_back(mask >> at & 1);
    AxisInfo info = truthOf(condition, /*isBoolean=*/true);
    for (size_t i = 0; i < all.list.size(); i += 101)
      for (size_t j = 0; j < all.list.size(); j += 67) {
        const Operand &yes = all.list[i], &no = all.list[j];
        Numbers result = yes.numbers;
        for (int64_t at = 0; at < kExtent; ++at)
          if (!condition.elements[at])
            result.elements[at] = no.numbers.elements[at];
        AxisInfo claim = inferAxisInfo(one.op, {&info, &all.infos[yes.info], &all.infos[no.info]});
        std::string wrong = falseClaim(claim, result);
        ASSERT_TRUE(wrong.empty()) << wrong << " is false\n" << show(condition) << show(result);
      }
  }
}

TEST(AxisArith, JoinsHoldOfBothSides) {
  const Operands &all = operands();
  for (size_t i = 0; i < all.list.size(); i += 3)
    for (size_t j = 0; j < all.list.size(); j += 7) {
      const Operand &left = all.list[i], &right = all.list[j];
      AxisInfo joined = AxisInfo::join(all.infos[left.info], all.infos[right.info]);
      ASSERT_EQ(falseClaim(joined, left.numbers), "") << show(left.numbers) << show(right.numbers);
      ASSERT_EQ(falseClaim(joined, right.numbers), "") << show(left.numbers) << show(right.numbers);
      ASSERT_TRUE(AxisInfo::join(joined, all.infos[right.info]) == joined);
    }
}
