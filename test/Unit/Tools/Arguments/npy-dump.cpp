//===- npy-dump.cpp - Show what the .npy reader sees ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// npy-dump FILE...: for each file one line, either its type, shape, memory order
// and a hash of its elements, or the reader's error.
// npy-dump --copy FROM TO: reads one file and writes the other.
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Npy.h"

#include <cstdio>
#include <fstream>
#include <iterator>

using namespace fsm;

/// FNV-1a, 64 bits, over the elements in memory order.
static uint64_t hashOf(const AlignedBuffer &data) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < data.size(); ++i)
    hash = (hash ^ data.data()[i]) * 0x100000001b3;
  return hash;
}

static std::string describe(const std::string &path, const Result<NpyArray> &array) {
  if (!array)
    return array.error().message;
  char hash[17];
  std::snprintf(hash, sizeof(hash), "%016llx",
                static_cast<unsigned long long>(hashOf(array->data)));
  return path + ": " + std::string(npyTypeInfo(array->type).name) + " " + shapeText(array->shape) +
         " " + (array->fortranOrder ? "F" : "C") + " " + hash;
}

static int fail(const Error &error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 2;
}

static int copy(const char *from, const char *to) {
  Result<NpyArray> array = readNpy(from);
  if (!array)
    return fail(array.error());
  Result<void> written =
      writeNpy(to, array->type, array->shape, array->fortranOrder, array->data.data());
  return written ? 0 : fail(written.error());
}

/// Both ways of reading, which must agree.
static int dump(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  std::string fromFile = describe(path, readNpy(path));
  std::string fromMemory = describe(path, parseNpy(bytes.data(), bytes.size(), path));
  std::printf("%s\n", fromFile.c_str());
  if (!stream || fromFile == fromMemory)
    return 0;
  std::printf("from memory instead: %s\n", fromMemory.c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc == 4 && std::string(argv[1]) == "--copy")
    return copy(argv[2], argv[3]);
  int status = 0;
  for (int i = 1; i < argc; ++i)
    status |= dump(argv[i]);
  return status;
}
