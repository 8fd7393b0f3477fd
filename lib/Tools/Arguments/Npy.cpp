//===- Npy.cpp - NumPy's array files ------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Npy.h"
#include "fsm/Tools/Arguments/NpyHeader.h"
#include "fsm/Tools/Quote.h"
#include "fsm/Tools/WholeFile.h"

#include <algorithm>
#include <cstring>

using namespace fsm;

static void swapBytes(AlignedBuffer &data, unsigned elementBytes) {
  for (size_t i = 0; i < data.size(); i += elementBytes)
    std::reverse(data.data() + i, data.data() + i + elementBytes);
}

/// Allocates the array a checked header describes.
static Result<NpyArray> createArray(const NpyHeader &header, const std::string &name) {
  NpyArray array;
  array.type = header.type;
  array.fortranOrder = header.fortranOrder;
  array.shape = header.shape;
  Result<AlignedBuffer> data = AlignedBuffer::create(header.dataBytes);
  if (!data)
    return badInput(printable(name) + ": " + data.error().message);
  array.data = std::move(*data);
  return array;
}

/// What is left to do once the bytes are in memory: byte order, bools.
static Result<void> finishArray(NpyArray &array, const NpyHeader &header, const std::string &name) {
  constexpr bool hostIsBig = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  unsigned elementBytes = npyTypeInfo(array.type).bytes;
  if (header.bigEndian != hostIsBig && elementBytes > 1)
    swapBytes(array.data, elementBytes);
  if (array.type != NpyType::Bool)
    return {};
  // A bool of any other value would be an i1 of neither true nor false.
  const unsigned char *begin = array.data.data(), *end = begin + array.data.size();
  const unsigned char *odd = std::find_if(begin, end, [](unsigned char c) { return c > 1; });
  if (odd == end)
    return {};
  return badInput(printable(name) + ": byte " +
                  std::to_string(header.dataOffset + static_cast<uint64_t>(odd - begin)) +
                  ": expected a bool of 0 or 1, got " + std::to_string(*odd));
}

Result<NpyArray> fsm::parseNpy(const void *bytes, size_t size, const std::string &name) {
  std::string_view file(static_cast<const char *>(bytes), size);
  Result<NpyHeader> header = parseNpyHeader(file, size, name);
  if (!header)
    return header.error();
  Result<NpyArray> array = createArray(*header, name);
  if (!array)
    return array;
  if (header->dataBytes)
    std::memcpy(array->data.data(), file.data() + header->dataOffset, header->dataBytes);
  if (Result<void> finished = finishArray(*array, *header, name); !finished)
    return finished.error();
  return array;
}

Result<NpyArray> fsm::readNpy(const std::string &path) {
  uint64_t fileBytes = 0;
  Result<int> opened = openRegularFile(path, fileBytes);
  if (!opened)
    return opened.error();
  FileDescriptor file(*opened);
  std::string start(std::min(fileBytes, kNpyPreambleBytes + kMaxNpyHeaderBytes), '\0');
  if (Result<void> read = readExactly(file.get(), path, start.data(), start.size(), 0); !read)
    return read.error();
  Result<NpyHeader> header = parseNpyHeader(start, fileBytes, path);
  if (!header)
    return header.error();
  Result<NpyArray> array = createArray(*header, path);
  if (!array)
    return array;
  if (Result<void> read =
          readExactly(file.get(), path, array->data.data(), header->dataBytes, header->dataOffset);
      !read)
    return read.error();
  if (Result<void> finished = finishArray(*array, *header, path); !finished)
    return finished.error();
  return array;
}

Result<void> fsm::writeNpy(const std::string &path, NpyType type,
                           const std::vector<uint64_t> &shape, bool fortranOrder,
                           const void *data) {
  uint64_t bytes = 0;
  if (!arrayBytes(shape, npyTypeInfo(type).bytes, bytes) || shape.size() > kMaxNpyRank)
    return badInput(printable(path) + ": expected an array of fewer than 2^63 bytes and at most " +
                    std::to_string(kMaxNpyRank) + " extents, got " +
                    printable(shapeText(shape), 80));
  std::string header = npyHeaderText(type, shape, fortranOrder);
  return writeWholeFile(path, {header, {static_cast<const char *>(data), bytes}});
}

Result<AlignedBuffer> fsm::inOtherOrder(const AlignedBuffer &data,
                                        const std::vector<uint64_t> &shape, uint64_t elementBytes,
                                        bool fortranOrder) {
  Result<AlignedBuffer> other = AlignedBuffer::create(data.size());
  if (!other)
    return other;
  // From the index that varies fastest to the one that varies slowest.
  std::vector<uint64_t> extents = shape;
  if (!fortranOrder)
    std::reverse(extents.begin(), extents.end());
  // How far apart the neighbours along each are in the other order.
  std::vector<uint64_t> strides(extents.size());
  uint64_t stride = elementBytes;
  for (size_t i = extents.size(); i-- > 0; stride *= extents[i])
    strides[i] = stride;
  std::vector<uint64_t> index(extents.size());
  uint64_t to = 0;
  for (size_t from = 0; from < data.size(); from += elementBytes) {
    std::memcpy(other->data() + to, data.data() + from, elementBytes);
    for (size_t i = 0; i < index.size(); ++i) {
      to += strides[i];
      if (++index[i] < extents[i])
        break;
      to -= strides[i] * extents[i];
      index[i] = 0;
    }
  }
  return other;
}
