//===- ArgumentSpecTest.cpp - From --arg to launchable values -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/ArgumentSpec.h"
#include "fsm/Tools/Arguments/ArgumentValue.h"
#include "fsm/Tools/Arguments/Float.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <unistd.h>

using namespace fsm;

static KernelArgument pointerTo(ScalarType type) { return {"p", type, 1}; }
static KernelArgument scalarOf(ScalarType type) { return {"n", type, 0}; }

static Result<ArgumentValue> make(const std::string &text, const KernelArgument &argument) {
  Result<ArgumentSpec> spec = parseArgumentSpec(text);
  if (!spec)
    return spec.error();
  return materialize(*spec, argument, 2);
}

static std::string errorOf(const std::string &text, const KernelArgument &argument) {
  Result<ArgumentValue> value = make(text, argument);
  return value ? "no error" : value.error().message;
}

static std::string parseErrorOf(const std::string &text) {
  Result<ArgumentSpec> spec = parseArgumentSpec(text);
  return spec ? "no error" : spec.error().message;
}

template <typename T>
static std::vector<T> elementsOf(const ArgumentValue &value) {
  std::vector<T> elements(value.data.size() / sizeof(T));
  if (!elements.empty())
    std::memcpy(elements.data(), value.data.data(), value.data.size());
  return elements;
}

/// The elements of a float array as numbers.
static std::vector<double> numbersOf(const std::string &text, ScalarType type) {
  Result<ArgumentValue> value = make(text, pointerTo(type));
  EXPECT_TRUE(value) << value.error().message;
  std::vector<double> numbers;
  size_t bytes = scalarTypeInfo(type).bytes;
  for (size_t i = 0; value && i < value->data.size(); i += bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, value->data.data() + i, bytes);
    numbers.push_back(widenFloat(bits, type));
  }
  return numbers;
}

/// A file written for one test.
static std::string fileOf(NpyType type, const std::vector<uint64_t> &shape, bool fortranOrder,
                          const void *data) {
  static int count = 0;
  std::string path = testing::TempDir() + "fsm-spec-" + std::to_string(getpid()) + "-" +
                     std::to_string(count++) + ".npy";
  EXPECT_TRUE(writeNpy(path, type, shape, fortranOrder, data));
  return path;
}

TEST(ArgumentSpec, SplitsTheName) {
  EXPECT_EQ(parseArgumentSpec("n=781")->name, "n");
  EXPECT_EQ(parseArgumentSpec("%out=f32[2]")->name, "out");
  EXPECT_EQ(parseArgumentSpec("@a=b.npy")->name, "");
  EXPECT_EQ(parseArgumentSpec("@a=b.npy")->path, "a=b.npy");
  EXPECT_EQ(parseArgumentSpec("x=bf16:@a=b.npy")->path, "a=b.npy");
  EXPECT_EQ(parseArgumentSpec("-1")->name, "");
}

TEST(ArgumentSpec, ReadsShapes) {
  EXPECT_EQ(parseArgumentSpec("f32[1823x781]")->shape, (std::vector<uint64_t>{1823, 781}));
  EXPECT_EQ(parseArgumentSpec("f32[0]")->shape, (std::vector<uint64_t>{0}));
  EXPECT_TRUE(parseArgumentSpec("f8E4M3FN[]")->shape.empty());
}

TEST(ArgumentSpec, RefusesWithBothSides) {
  EXPECT_EQ(parseErrorOf("f32[3x]"),
            "argument 'f32[3x]': expected extents as in [1823x781], each below 2^63, got '3x'");
  EXPECT_EQ(parseErrorOf("u8[3]"), "argument 'u8[3]': expected an element type (i1 i8 i16 i32 i64 "
                                   "f16 bf16 f32 f64 f8E4M3FN f8E5M2) before '[', got 'u8'");
  EXPECT_EQ(parseErrorOf("f32[3]:ones"), "argument 'f32[3]:ones': expected randn:SEED, "
                                         "uniform:SEED, arange or full:V after the array, got "
                                         "'ones'");
  EXPECT_EQ(parseErrorOf("f32[3]:randn"), "argument 'f32[3]:randn': expected a seed, an integer "
                                          "of 0 or more, after randn:, got nothing");
  EXPECT_EQ(parseErrorOf("x.npy"), "argument 'x.npy': expected a number, f32[1823x781] or "
                                   "@file.npy, optionally after NAME=, got 'x.npy'");
}

TEST(ArgumentSpec, RefusesWhatIsNoSpec) {
  for (const char *text : {"",
                           "n=",
                           "@",
                           "f32",
                           "f32[",
                           "f32[]x",
                           "f32[-1]",
                           "f32[x]",
                           "f32[1 2]",
                           "f32[1]:full:",
                           "f32[1]:full:x",
                           "f32[1]:arange:1",
                           "f32[1]:randn:-1",
                           "f32[1]:",
                           "bf16:x.npy",
                           "bf16:@",
                           "f33:@x.npy",
                           "1.2.3",
                           "0x",
                           "1e",
                           "--1",
                           "infinity",
                           "nan(1)",
                           " 1",
                           "1 ",
                           "0x1p",
                           "."})
    EXPECT_NE(parseErrorOf(text), "no error") << text;
}

TEST(ArgumentSpec, RefusesSizesNoMachineHas) {
  for (const char *text :
       {"f32[4294967296x4294967296]", "f32[18446744073709551616]", "i8[70368744177665]",
        "f64[0x4294967296x4294967296x4294967296]", "f32[9223372036854775807]"})
    EXPECT_NE(parseErrorOf(text), "no error") << text;
  EXPECT_EQ(parseErrorOf("i8[70368744177664]"), "no error"); // 2^46, refused by the system or not
}

TEST(ArgumentSpec, ScalarsTakeTheTypeOfTheSignature) {
  EXPECT_EQ(make("781", scalarOf(ScalarType::I32))->forLaunch().integerValue, 781);
  EXPECT_EQ(make("-0x10", scalarOf(ScalarType::I64))->forLaunch().integerValue, -16);
  EXPECT_EQ(make("4294967295", scalarOf(ScalarType::I32))->forLaunch().integerValue, -1);
  EXPECT_EQ(make("1", scalarOf(ScalarType::I1))->forLaunch().integerValue, 1);
  EXPECT_EQ(make("781", scalarOf(ScalarType::F32))->forLaunch().realValue, 781.0);
  EXPECT_EQ(make("0x1.8p1", scalarOf(ScalarType::F64))->forLaunch().realValue, 3.0);
  EXPECT_TRUE(std::signbit(make("-0", scalarOf(ScalarType::F32))->forLaunch().realValue));
  EXPECT_TRUE(std::isnan(make("nan", scalarOf(ScalarType::F16))->forLaunch().realValue));
  EXPECT_EQ(make("-inf", scalarOf(ScalarType::BF16))->forLaunch().realValue, -HUGE_VAL);
}

TEST(ArgumentSpec, DecimalsAreRoundedToSingleOnce) {
  // Just above the tie between 1 and the next float, but a double rounds it to
  // the tie itself.
  Result<ArgumentValue> value =
      make("1.00000005960464477539062500000000001", scalarOf(ScalarType::F32));
  EXPECT_EQ(value->forLaunch().realValue, 1 + std::ldexp(1.0, -23));
}

TEST(ArgumentSpec, ScalarsMustFit) {
  EXPECT_EQ(errorOf("4294967296", scalarOf(ScalarType::I32)),
            "argument 2 '%n: i32': expected an integer from -2147483648 to 4294967295 for i32, got "
            "'4294967296'");
  EXPECT_EQ(errorOf("0.5", scalarOf(ScalarType::I32)),
            "argument 2 '%n: i32': expected an integer for i32, got '0.5'");
  EXPECT_EQ(errorOf("1e39", scalarOf(ScalarType::F32)),
            "argument 2 '%n: f32': expected a number within the range of f32 (or inf), got '1e39'");
  for (const char *text : {"-1", "2", "inf"})
    EXPECT_NE(errorOf(text, scalarOf(ScalarType::I1)), "no error") << text;
  EXPECT_NE(errorOf("-9223372036854775809", scalarOf(ScalarType::I64)), "no error");
  EXPECT_NE(errorOf("18446744073709551616", scalarOf(ScalarType::I64)), "no error");
  EXPECT_EQ(errorOf("18446744073709551615", scalarOf(ScalarType::I64)), "no error");
}

TEST(ArgumentSpec, KindsMustAgree) {
  EXPECT_EQ(errorOf("781", pointerTo(ScalarType::F32)),
            "argument 2 '%p: !fsm.ptr<f32>': expected an array such as f32[1024] or @file.npy, got "
            "the scalar '781'");
  EXPECT_EQ(errorOf("f32[2]", scalarOf(ScalarType::F32)),
            "argument 2 '%n: f32': expected a scalar such as 781, got the array 'f32[2]'");
  EXPECT_EQ(errorOf("f64[2]", pointerTo(ScalarType::F32)),
            "argument 2 '%p: !fsm.ptr<f32>': expected elements of f32, got 'f64[2]'");
  EXPECT_NE(errorOf("f32[2]", KernelArgument{"pp", ScalarType::F32, 2}), "no error");
}

TEST(ArgumentSpec, FilesMustHoldTheTypeOfThePointer) {
  double doubles[2] = {1, 2};
  std::string path = fileOf(NpyType::F8, {2}, false, doubles);
  EXPECT_EQ(errorOf("@" + path, pointerTo(ScalarType::F32)),
            "argument 2 '%p: !fsm.ptr<f32>': expected a file of float32, got " + path +
                " of float64");
  EXPECT_EQ(errorOf("@" + path, pointerTo(ScalarType::F64)), "no error");
  uint32_t words[2] = {1, 2};
  EXPECT_EQ(errorOf("@" + fileOf(NpyType::U4, {2}, false, words), pointerTo(ScalarType::I32)),
            "no error");
  EXPECT_NE(errorOf("@" + fileOf(NpyType::U1, {2}, false, words), pointerTo(ScalarType::I1)),
            "no error");
  EXPECT_EQ(errorOf("@" + fileOf(NpyType::Bool, {1}, false, words), pointerTo(ScalarType::I1)),
            "no error");
}

TEST(ArgumentSpec, BitsNeedTheirTypeNamed) {
  uint16_t bits[2] = {0x3f80, 0x4000};
  std::string path = fileOf(NpyType::U2, {2}, false, bits);
  EXPECT_EQ(errorOf("bf16:@" + path, pointerTo(ScalarType::BF16)), "no error");
  EXPECT_EQ(errorOf("@" + path, pointerTo(ScalarType::BF16)),
            "argument 2 '%p: !fsm.ptr<bf16>': expected bf16:@" + path +
                " to read integers as the bits of bf16, got '@" + path + "'");
  EXPECT_EQ(errorOf("f8E5M2:@" + path, pointerTo(ScalarType::F8E5M2)),
            "argument 2 '%p: !fsm.ptr<f8E5M2>': expected a file of uint8 (the bits of f8E5M2), "
            "got " +
                path + " of uint16");
}

TEST(ArgumentSpec, FilesArePassedRowByRowOrColumnByColumn) {
  // [[0, 1, 2], [3, 4, 5]]
  const std::vector<float> rows = {0, 1, 2, 3, 4, 5}, columns = {0, 3, 1, 4, 2, 5};
  for (bool isFortran : {false, true}) {
    std::string path = fileOf(NpyType::F4, {2, 3}, isFortran, (isFortran ? columns : rows).data());
    Result<ArgumentValue> byRows = make("@" + path, pointerTo(ScalarType::F32));
    ASSERT_TRUE(byRows) << byRows.error().message;
    EXPECT_FALSE(byRows->fortranOrder);
    EXPECT_EQ(elementsOf<float>(*byRows), rows);
    Result<ArgumentValue> byColumns = make("fortran:@" + path, pointerTo(ScalarType::F32));
    ASSERT_TRUE(byColumns) << byColumns.error().message;
    EXPECT_TRUE(byColumns->fortranOrder);
    EXPECT_EQ(elementsOf<float>(*byColumns), columns);
    // Written, both are the file again.
    for (ArgumentValue *value : {&*byRows, &*byColumns}) {
      ASSERT_TRUE(value->write(path));
      Result<NpyArray> file = readNpy(path);
      ASSERT_TRUE(file);
      EXPECT_EQ(file->fortranOrder, isFortran);
      const float *begin = reinterpret_cast<const float *>(file->data.data());
      EXPECT_EQ(std::vector<float>(begin, begin + 6), isFortran ? columns : rows);
    }
  }
}

TEST(ArgumentSpec, ClonesHaveElementsOfTheirOwn) {
  float memory[6] = {0, 3, 1, 4, 2, 5};
  Result<ArgumentValue> value =
      make("fortran:@" + fileOf(NpyType::F4, {2, 3}, true, memory), pointerTo(ScalarType::F32));
  ASSERT_TRUE(value) << value.error().message;
  Result<ArgumentValue> copy = value->clone();
  ASSERT_TRUE(copy);
  EXPECT_NE(copy->data.data(), value->data.data());
  EXPECT_EQ(elementsOf<float>(*copy), elementsOf<float>(*value));
}

TEST(ArgumentSpec, FillsCountAndRepeat) {
  EXPECT_EQ(elementsOf<int32_t>(*make("i32[2x2]:arange", pointerTo(ScalarType::I32))),
            (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(elementsOf<int16_t>(*make("i16[3]:full:-7", pointerTo(ScalarType::I16))),
            (std::vector<int16_t>{-7, -7, -7}));
  EXPECT_EQ(elementsOf<uint8_t>(*make("i8[257]:arange", pointerTo(ScalarType::I8)))[256], 0);
  EXPECT_EQ(elementsOf<uint8_t>(*make("i1[3]:arange", pointerTo(ScalarType::I1))),
            (std::vector<uint8_t>{0, 1, 0}));
  EXPECT_EQ(elementsOf<float>(*make("f32[2]", pointerTo(ScalarType::F32))),
            (std::vector<float>{0, 0}));
  EXPECT_EQ(numbersOf("f8E4M3FN[2]:full:1000", ScalarType::F8E4M3FN),
            (std::vector<double>{448, 448}));
  EXPECT_EQ(numbersOf("f16[70000]:arange", ScalarType::F16)[2049], 2048.0);
  EXPECT_EQ(numbersOf("f16[70000]:arange", ScalarType::F16)[65520], HUGE_VAL);
}

TEST(ArgumentSpec, PhiloxHasItsPublishedAnswers) {
  // The known-answer tests of Random123.
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(ArgumentSpec, RandnIsNormal) {
  for (ScalarType type : {ScalarType::F16, ScalarType::F32, ScalarType::F64}) {
    std::string name(scalarTypeInfo(type).name);
    std::vector<double> numbers = numbersOf(name + "[200001]:randn:7", type);
    double sum = 0, squares = 0, fourths = 0;
    for (double x : numbers) {
      sum += x;
      squares += x * x;
      fourths += x * x * x * x;
    }
    double count = static_cast<double>(numbers.size());
    EXPECT_NEAR(sum / count, 0, 0.01);
    EXPECT_NEAR(squares / count, 1, 0.02);
    EXPECT_NEAR(fourths / count, 3, 0.1);
  }
}

TEST(ArgumentSpec, UniformStaysBelowOne) {
  for (const ScalarTypeInfo &info : kScalarTypes) {
    if (!info.isFloat)
      continue;
    std::vector<double> numbers =
        numbersOf(std::string(info.name) + "[100000]:uniform:3", info.type);
    double sum = 0;
    for (double x : numbers) {
      ASSERT_TRUE(x >= 0 && x < 1) << x;
      sum += x;
    }
    double step = std::ldexp(1.0, -static_cast<int>(floatPrecision(info.type)));
    EXPECT_NEAR(sum / 100000, 0.5 - step / 2, 0.005) << info.name;
  }
}

TEST(ArgumentSpec, UniformIntegersUseTheirWholeRange) {
  std::vector<int8_t> bytes =
      elementsOf<int8_t>(*make("i8[10000]:uniform:1", pointerTo(ScalarType::I8)));
  std::vector<int> seen(256, 0);
  for (int8_t byte : bytes)
    ++seen[byte + 128];
  for (int count : seen)
    EXPECT_GT(count, 0);
  for (uint8_t bit : elementsOf<uint8_t>(*make("i1[99]:uniform:1", pointerTo(ScalarType::I1))))
    EXPECT_LE(bit, 1);
  EXPECT_EQ(errorOf("i32[2]:randn:1", pointerTo(ScalarType::I32)),
            "argument 2 '%p: !fsm.ptr<i32>': expected a float type for randn (integers have "
            "uniform), got i32");
}

TEST(ArgumentSpec, SeedsDecideAndLengthsDoNot) {
  std::vector<double> some = numbersOf("f32[10]:randn:1", ScalarType::F32);
  std::vector<double> more = numbersOf("f32[11]:randn:1", ScalarType::F32);
  more.pop_back();
  EXPECT_EQ(some, more);
  EXPECT_NE(some, numbersOf("f32[10]:randn:2", ScalarType::F32));
}

/// Binds --arg words to @k(%out: !fsm.ptr<f32>, %n: i32).
static std::string bound(const std::vector<std::string> &words) {
  KernelSignature signature{"k", {{"out", ScalarType::F32, 1}, {"n", ScalarType::I32, 0}}, {}};
  std::vector<ArgumentSpec> specs;
  for (const std::string &word : words)
    specs.push_back(*parseArgumentSpec(word));
  Result<std::vector<const ArgumentSpec *>> result = bindArguments(specs, signature);
  if (!result)
    return result.error().message;
  return (*result)[0]->text + " " + (*result)[1]->text;
}

TEST(ArgumentSpec, BindsByPositionAndByName) {
  EXPECT_EQ(bound({"f32[2]", "3"}), "f32[2] 3");
  EXPECT_EQ(bound({"n=3", "f32[2]"}), "f32[2] n=3");
  EXPECT_EQ(bound({"n=3", "out=f32[2]"}), "out=f32[2] n=3");
  EXPECT_EQ(bound({"f32[2]"}), "argument 1 '%n: i32': no value was given, expected 2 arguments, "
                               "got 1; the kernel is @k(%out: !fsm.ptr<f32>, %n: i32)");
  EXPECT_EQ(bound({"1", "2", "3"}), "expected 2 arguments, got '3' beyond them; the kernel is "
                                    "@k(%out: !fsm.ptr<f32>, %n: i32)");
  EXPECT_EQ(bound({"f32[2]", "3", "n=4"}),
            "argument 1 '%n: i32': expected one value, got '3' and 'n=4'");
  EXPECT_EQ(bound({"f32[2]", "m=4"}),
            "no argument is named 'm'; the kernel is @k(%out: !fsm.ptr<f32>, %n: i32)");
}
