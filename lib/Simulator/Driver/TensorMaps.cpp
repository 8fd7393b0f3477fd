//===- TensorMaps.cpp - cuTensorMap... -----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What CUDA's driver API reference asks of the arguments, in "Tensor Map Object Management".

#include "../Memory/TensorMap.h"
#include "DriverState.h"

#include <cstring>

using namespace fsm;
using namespace fsm::driver;

namespace {

using sim::TensorMap;
using sim::Type;

struct TypeRow {
  Type type;
  unsigned bytes;
  bool isFloat;
};
/// By CUtensorMapDataType, from CU_TENSOR_MAP_DATA_TYPE_UINT8 on.
constexpr TypeRow kTypes[] = {
    {Type::U8, 1, false},  {Type::U16, 2, false},  {Type::U32, 4, false}, {Type::S32, 4, false},
    {Type::U64, 8, false}, {Type::S64, 8, false},  {Type::F16, 2, true},  {Type::F32, 4, true},
    {Type::F64, 8, true},  {Type::BF16, 2, true},  {Type::F32, 4, true},  {Type::F32, 4, true},
    {Type::F32, 4, true}};
/// By CUtensorMapSwizzle.
constexpr uint8_t kSpans[] = {16, 32, 64, 128};

/// The arguments, under the names of the reference.
struct Arguments {
  unsigned dataType, rank;
  uint64_t globalAddress;
  const uint64_t *globalDim, *globalStrides;
  const uint32_t *boxDim, *elementStrides;
  unsigned interleave, swizzle, l2Promotion, oobFill;
};

std::string number(const char *name, unsigned index, uint64_t value) {
  return std::string(name) + "[" + std::to_string(index) + "] is " + std::to_string(value);
}

/// What is wrong with the enumerations, the rank and the address.
std::string checkScalars(const Arguments &given) {
  if (given.dataType >= std::size(kTypes))
    return "there is no tensorDataType " + std::to_string(given.dataType);
  if (!given.rank || given.rank > TensorMap::kMostRank)
    return "tensorRank is " + std::to_string(given.rank) + "; expected 1 to 5";
  if (!given.globalDim || !given.boxDim || !given.elementStrides ||
      (given.rank > 1 && !given.globalStrides))
    return "a pointer is null";
  if (!given.globalAddress || given.globalAddress % 16)
    return "globalAddress is no multiple of 16";
  if (given.interleave > 2 || given.swizzle >= std::size(kSpans) || given.l2Promotion > 3 ||
      given.oobFill > 1)
    return "there is no such interleave, swizzle, l2Promotion or oobFill";
  if (given.oobFill && !kTypes[given.dataType].isFloat)
    return "oobFill is NaN for a type of integers";
  return "";
}

/// What is wrong with the extents.
std::string checkExtents(const Arguments &given) {
  for (unsigned i = 0; i < given.rank; ++i) {
    if (!given.globalDim[i] || given.globalDim[i] > uint64_t(1) << 32)
      return number("globalDim", i, given.globalDim[i]) + "; expected 1 to 2^32";
    if (!given.boxDim[i] || given.boxDim[i] > 256)
      return number("boxDim", i, given.boxDim[i]) + "; expected 1 to 256";
    if (!given.elementStrides[i] || given.elementStrides[i] > 8)
      return number("elementStrides", i, given.elementStrides[i]) + "; expected 1 to 8";
  }
  for (unsigned i = 0; i + 1 < given.rank; ++i)
    if (given.globalStrides[i] % 16 || given.globalStrides[i] >= uint64_t(1) << 40)
      return number("globalStrides", i, given.globalStrides[i]) +
             "; expected a multiple of 16 below 2^40";
  const uint64_t row = uint64_t(given.boxDim[0]) * kTypes[given.dataType].bytes;
  if (row % 16)
    return "a row of the box has " + std::to_string(row) + " bytes; expected a multiple of 16";
  if (given.swizzle && row > kSpans[given.swizzle])
    return "a row of the box has " + std::to_string(row) + " bytes; expected at most the " +
           std::to_string(kSpans[given.swizzle]) + " of the swizzle";
  return "";
}

TensorMap encode(const Arguments &given) {
  TensorMap map;
  map.address = given.globalAddress;
  map.rank = static_cast<uint8_t>(given.rank);
  map.type = kTypes[given.dataType].type;
  map.span = kSpans[given.swizzle];
  map.fillsNaN = given.oobFill;
  map.steps = static_cast<uint8_t>((1u << given.rank) - 1);
  for (unsigned i = 0; i < given.rank; ++i) {
    map.sizes[i] = given.globalDim[i];
    map.box[i] = static_cast<uint16_t>(given.boxDim[i]);
    if (i)
      map.strides[i - 1] = given.globalStrides[i - 1];
  }
  return map;
}

/// What is legal and not simulated.
bool isBeyond(const Arguments &given) {
  bool steps = false;
  for (unsigned i = 0; i < given.rank; ++i)
    steps |= given.elementStrides[i] != 1;
  return given.interleave || steps;
}

} // namespace

FSM_DRIVER_ENTRY CUresult cuTensorMapEncodeTiled(
    void *tensorMap, unsigned dataType, uint32_t rank, void *globalAddress,
    const uint64_t *globalDim, const uint64_t *globalStrides, const uint32_t *boxDim,
    const uint32_t *elementStrides, unsigned interleave, unsigned swizzle, unsigned l2Promotion,
    unsigned oobFill) {
  return call([&](DriverState &driver) {
    const Arguments given = {dataType,       rank,       reinterpret_cast<uint64_t>(globalAddress),
                             globalDim,      globalStrides, boxDim,
                             elementStrides, interleave, swizzle,
                             l2Promotion,    oobFill};
    std::string wrong = checkScalars(given);
    if (wrong.empty())
      wrong = checkExtents(given);
    if (wrong.empty() && (!tensorMap || reinterpret_cast<uint64_t>(tensorMap) % 64))
      wrong = "tensorMap is no multiple of 64";
    if (!wrong.empty()) {
      driver.reports += "cuTensorMapEncodeTiled: " + wrong + "\n";
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (isBeyond(given)) {
      driver.reports += "cuTensorMapEncodeTiled: interleaved tensors and steps between elements "
                        "are not simulated\n";
      return CUDA_ERROR_NOT_SUPPORTED;
    }
    const TensorMap map = encode(given);
    std::memset(tensorMap, 0, TensorMap::kBytes);
    std::memcpy(tensorMap, &map, sizeof(map));
    return CUDA_SUCCESS;
  });
}
