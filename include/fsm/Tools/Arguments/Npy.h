//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_NPY_H
#define FSM_TOOLS_ARGUMENTS_NPY_H

#include "fsm/Support/Result.h"
#include "fsm/Tools/Arguments/AlignedBuffer.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// The plain numeric types of NumPy, in the order of kNpyTypes.
enum class NpyType : uint8_t { Bool, I1, I2, I4, I8, U1, U2, U4, U8, F2, F4, F8 };

/// One row per type.
struct NpyTypeInfo {
  NpyType type;
  /// 'b', 'i', 'u' or 'f', as in `<f4`.
  char kind;
  unsigned bytes;
  /// As NumPy prints it: float32.
  std::string_view name;
};

inline constexpr std::array<NpyTypeInfo, 12> kNpyTypes = {{
    {NpyType::Bool, 'b', 1, "bool"},
    {NpyType::I1, 'i', 1, "int8"},
    {NpyType::I2, 'i', 2, "int16"},
    {NpyType::I4, 'i', 4, "int32"},
    {NpyType::I8, 'i', 8, "int64"},
    {NpyType::U1, 'u', 1, "uint8"},
    {NpyType::U2, 'u', 2, "uint16"},
    {NpyType::U4, 'u', 4, "uint32"},
    {NpyType::U8, 'u', 8, "uint64"},
    {NpyType::F2, 'f', 2, "float16"},
    {NpyType::F4, 'f', 4, "float32"},
    {NpyType::F8, 'f', 8, "float64"},
}};

constexpr const NpyTypeInfo &npyTypeInfo(NpyType type) {
  return kNpyTypes[static_cast<size_t>(type)];
}

/// More extents than this are refused (NumPy 2 has the same limit).
inline constexpr size_t kMaxNpyRank = 64;

/// An array in memory, its elements in the byte order of this machine.
struct NpyArray {
  NpyType type = NpyType::F4;
  /// The first index varies fastest in memory, not the last.
  bool fortranOrder = false;
  /// Empty for a single element without any index.
  std::vector<uint64_t> shape;
  AlignedBuffer data;
};

/// Reads an ordinary file of format version 1.0, 2.0 or 3.0. Strict: the first
/// deviation from the format is an error located at its byte, and no memory is
/// asked for that the file's own size does not justify.
Result<NpyArray> readNpy(const std::string &path);

/// The same from memory; `name` stands for the path in errors.
Result<NpyArray> parseNpy(const void *bytes, size_t size, const std::string &name);

/// Writes version 1.0. An ordinary file appears complete or not at all.
/// `data` holds the elements in the byte order of this machine.
Result<void> writeNpy(const std::string &path, NpyType type, const std::vector<uint64_t> &shape,
                      bool fortranOrder, const void *data);

/// The elements of an array in the other order: Fortran's of one that is not `fortranOrder`, else
/// row-major.
Result<AlignedBuffer> inOtherOrder(const AlignedBuffer &data, const std::vector<uint64_t> &shape,
                                   uint64_t elementBytes, bool fortranOrder);

/// The shape as Python prints it: (), (3,), (3, 4).
std::string shapeText(const std::vector<uint64_t> &shape);

/// The number of bytes of an array, or nothing (false) when the non-zero
/// extents alone make it 2^63 or more.
bool arrayBytes(const std::vector<uint64_t> &shape, uint64_t elementBytes, uint64_t &bytes);

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_NPY_H
