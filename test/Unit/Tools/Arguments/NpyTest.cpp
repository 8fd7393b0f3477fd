//===- NpyTest.cpp - NumPy's array files --------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Npy.h"
#include "fsm/Tools/Arguments/NpyHeader.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <cstring>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace fsm;

static const std::string kHeader = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

/// A version 1.0 file around a header text.
static std::string fileOf(const std::string &header, const std::string &data) {
  std::string padded = header + "\n";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(padded.size() & 0xff);
  file += static_cast<char>(padded.size() >> 8);
  return file + padded + data;
}

static Result<NpyArray> parse(const std::string &file) {
  return parseNpy(file.data(), file.size(), "x.npy");
}

/// A path in a directory of this test's own.
static std::string temporaryPath(const std::string &name) {
  static std::string directory = [] {
    std::string path = testing::TempDir() + "fsm-npy-XXXXXX";
    return std::string(mkdtemp(path.data()));
  }();
  return directory + "/" + name;
}

TEST(Npy, ReadsWhatTheHeaderSays) {
  Result<NpyArray> array = parse(fileOf(kHeader, std::string(24, 'a')));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->type, NpyType::F4);
  EXPECT_FALSE(array->fortranOrder);
  EXPECT_EQ(array->shape, (std::vector<uint64_t>{2, 3}));
  EXPECT_EQ(array->data.size(), 24u);
  EXPECT_EQ(array->data.data()[23], 'a');
}

TEST(Npy, AcceptsOtherSpellingsOfTheSameDictionary) {
  for (const char *header :
       {"{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"<f4\"}",
        "  {\n'descr' : '=f4' ,\t'fortran_order': False, 'shape': ( 2 , 3 , ) }   "}) {
    Result<NpyArray> array = parse(fileOf(header, std::string(24, '\0')));
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->shape, (std::vector<uint64_t>{2, 3}));
  }
}

TEST(Npy, SwapsBigEndianElements) {
  std::string header = "{'descr': '>u2', 'fortran_order': False, 'shape': (2,), }";
  Result<NpyArray> array = parse(fileOf(header, std::string("\x01\x02\x03\x04", 4)));
  ASSERT_TRUE(array) << array.error().message;
  uint16_t values[2];
  std::memcpy(values, array->data.data(), 4);
  EXPECT_EQ(values[0], 0x0102);
  EXPECT_EQ(values[1], 0x0304);
}

TEST(Npy, ScalarsAndEmptyArraysHaveAnAlignedAddress) {
  for (const char *shape : {"()", "(0,)", "(3, 0)"}) {
    std::string header =
        "{'descr': '|u1', 'fortran_order': True, 'shape': " + std::string(shape) + ", }";
    Result<NpyArray> array = parse(fileOf(header, shape == std::string("()") ? "a" : ""));
    ASSERT_TRUE(array) << array.error().message;
    ASSERT_NE(array->data.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array->data.data()) % 64, 0u);
  }
}

TEST(Npy, ErrorsAreLocatedAndNameBothSides) {
  Result<NpyArray> cut = parse(fileOf(kHeader, std::string(20, '\0')));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().message,
            "x.npy: byte 70: expected 24 bytes of data for float32 of shape (2, 3), got 20 (the "
            "file is cut short)");
}

TEST(Npy, ForeignTextCannotSteerTheTerminal) {
  Result<NpyArray> array =
      parseNpy("\x93NUMPY\x01\x00\x08\x00{'\x1b[2J':", 18, "\x1b]0;evil\x07.npy");
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().message.find('\x1b'), std::string::npos);
  EXPECT_EQ(array.error().message.find('\x07'), std::string::npos);
}

TEST(Npy, EveryPrefixOfAFileIsRefused) {
  std::string file = npyHeaderText(NpyType::I2, {5}, false) + std::string(10, '\1');
  ASSERT_TRUE(parse(file));
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(parse(file.substr(0, size))) << size;
}

TEST(Npy, SurvivesRandomDamage) {
  std::string good = npyHeaderText(NpyType::F8, {3, 2}, true) + std::string(48, '\2');
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string file = good;
    for (unsigned i = 0; i <= random() % 4; ++i)
      file[random() % file.size()] = static_cast<char>(random());
    Result<NpyArray> array = parse(file);
    if (!array)
      EXPECT_EQ(array.error().message.find("x.npy: byte "), 0u) << array.error().message;
  }
}

TEST(Npy, WritesWhatItReads) {
  for (const NpyTypeInfo &info : kNpyTypes)
    for (bool fortranOrder : {false, true}) {
      std::string data(6 * info.bytes, '\1');
      std::string path = temporaryPath("again.npy");
      Result<void> written = writeNpy(path, info.type, {2, 3}, fortranOrder, data.data());
      ASSERT_TRUE(written) << written.error().message;
      Result<NpyArray> array = readNpy(path);
      ASSERT_TRUE(array) << array.error().message;
      EXPECT_EQ(array->type, info.type);
      EXPECT_EQ(array->fortranOrder, fortranOrder);
      EXPECT_EQ(std::memcmp(array->data.data(), data.data(), data.size()), 0);
    }
}

TEST(Npy, HeadersAreAlignedWhateverTheirLength) {
  for (size_t rank = 0; rank <= kMaxNpyRank; ++rank) {
    std::string text = npyHeaderText(NpyType::F4, std::vector<uint64_t>(rank, 7), false);
    EXPECT_EQ(text.size() % 64, 0u);
    EXPECT_EQ(text.back(), '\n');
  }
}

TEST(Npy, AFullDiskIsAnError) {
  Result<void> written = writeNpy("/dev/full", NpyType::U1, {3}, false, "abc");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "/dev/full: cannot write: No space left on device");
}

TEST(Npy, OnlyOrdinaryFilesAreRead) {
  std::string pipe = temporaryPath("pipe.npy");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(readNpy(pipe).error().message, pipe + ": expected an ordinary file, got a pipe");
  EXPECT_EQ(readNpy("/tmp").error().message, "/tmp: expected an ordinary file, got a directory");
  EXPECT_FALSE(readNpy(temporaryPath("missing.npy")));
}

TEST(Npy, AFailedWriteLeavesTheOldFile) {
  std::string path = temporaryPath("kept.npy");
  ASSERT_TRUE(writeNpy(path, NpyType::U1, {3}, false, "abc"));
  ASSERT_FALSE(writeNpy(path, NpyType::U1, std::vector<uint64_t>(65, 1), false, "x"));
  Result<NpyArray> array = readNpy(path);
  ASSERT_TRUE(array);
  EXPECT_EQ(array->shape, (std::vector<uint64_t>{3}));
}

TEST(Npy, ArrayBytesNeverOverflow) {
  uint64_t bytes = 1;
  EXPECT_TRUE(arrayBytes({}, 8, bytes));
  EXPECT_EQ(bytes, 8u);
  EXPECT_TRUE(arrayBytes({0, 1u << 31}, 8, bytes));
  EXPECT_EQ(bytes, 0u);
  EXPECT_FALSE(arrayBytes({uint64_t(1) << 60}, 8, bytes));
  EXPECT_FALSE(arrayBytes({0, uint64_t(1) << 40, uint64_t(1) << 40}, 1, bytes));
}
