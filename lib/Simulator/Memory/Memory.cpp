//===- Memory.cpp - The sparse global memory of a device -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "../Text/Ptx.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace fsm;
using namespace fsm::sim;

/// Zeroed pages that take room only once they are touched.
static uint8_t *reserve(uint64_t bytes) {
  void *pages = mmap(nullptr, std::max<uint64_t>(bytes, 1), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<uint8_t *>(pages);
}

Allocation::Allocation(uint64_t address, uint64_t bytes) : address(address), bytes(bytes) {
  data = reserve(bytes);
  initialized = reserve(bytes / 8 + 1);
  if (data && initialized)
    return;
  if (data)
    munmap(data, std::max<uint64_t>(bytes, 1));
  data = nullptr;
}

Allocation::~Allocation() {
  if (data)
    munmap(data, std::max<uint64_t>(bytes, 1));
  if (initialized)
    munmap(initialized, bytes / 8 + 1);
}

void Allocation::setInitialized(uint64_t offset, uint64_t count) {
  for (uint64_t end = offset + count; offset < end && !isAllInitialized;) {
    uint64_t bit = offset % 8, width = std::min(8 - bit, end - offset);
    if (width == 8 && end - offset >= 128) {
      uint64_t whole = (end - offset) / 8;
      std::memset(initialized + offset / 8, 0xff, whole);
      offset += whole * 8;
      continue;
    }
    // Blocks on other threads set the bits beside these.
    uint8_t bits = static_cast<uint8_t>(((1u << width) - 1) << bit);
    if ((__atomic_load_n(&initialized[offset / 8], __ATOMIC_RELAXED) & bits) != bits)
      __atomic_fetch_or(&initialized[offset / 8], bits, __ATOMIC_RELAXED);
    offset += width;
  }
}

void Allocation::forget(uint64_t offset, uint64_t count) {
  for (uint64_t end = offset + count; offset < end; ++offset)
    initialized[offset / 8] &= static_cast<uint8_t>(~(1u << (offset % 8)));
}

uint64_t Allocation::firstUninitialized(uint64_t offset, uint64_t count) const {
  for (uint64_t index = 0; index < count && !isAllInitialized; ++index) {
    uint64_t place = offset + index;
    uint8_t bits = __atomic_load_n(&initialized[place / 8], __ATOMIC_RELAXED);
    if (!(bits >> (place % 8) & 1))
      return index;
  }
  return count;
}

/// Stretches there are; later allocations take those of freed ones again.
static constexpr size_t kMaxStretches = size_t(1) << 16;

Result<size_t> Memory::takeStretch() {
  if (allocations.size() < kMaxStretches) {
    allocations.emplace_back();
    return allocations.size() - 1;
  }
  if (freed.empty())
    return Error{Error::Kind::Execution, "more than 65536 allocations at once"};
  size_t index = freed.front();
  freed.pop_front();
  return index;
}

Result<uint64_t> Memory::alloc(uint64_t bytes) {
  if (bytes >= kAllocationStride / 2 - 1024)
    return badInput("expected an allocation of less than 8 TiB, got " + std::to_string(bytes) +
                    " bytes");
  Result<size_t> index = takeStretch();
  if (!index)
    return index.error();
  uint64_t address = kAllocationStride * (*index + 1) + 512;
  auto allocation = std::make_unique<Allocation>(address, bytes);
  if (!allocation->isValid()) {
    freed.push_front(*index);
    return Error{Error::Kind::Execution,
                 "the host has no room for " + std::to_string(bytes) + " bytes"};
  }
  allocations[*index] = std::move(allocation);
  return address;
}

Result<void> Memory::free(uint64_t address) {
  Allocation *allocation = stretchOf(address);
  if (!allocation || allocation->address != address)
    return badInput("no allocation begins at the address " + std::to_string(address));
  allocations[address / kAllocationStride - 1].reset();
  freed.push_back(address / kAllocationStride - 1);
  return {};
}

Allocation *Memory::stretchOf(uint64_t address) const {
  // An address below an allocation belongs to it as far as half a stride.
  uint64_t index = (address + kAllocationStride / 2) / kAllocationStride;
  return index >= 1 && index <= allocations.size() ? allocations[index - 1].get() : nullptr;
}

bool Memory::isFreed(uint64_t address) const {
  uint64_t index = address / kAllocationStride;
  return index >= 1 && index <= allocations.size() && !allocations[index - 1];
}

Result<uint8_t *> Memory::range(uint64_t address, uint64_t bytes, bool isWrite) {
  Allocation *allocation = stretchOf(address);
  if (!allocation || !allocation->contains(address, bytes))
    return badInput("the " + std::to_string(bytes) + " bytes at the address " +
                    std::to_string(address) + " are not within one allocation");
  uint64_t offset = address - allocation->address;
  if (isWrite)
    allocation->setInitialized(offset, bytes);
  return allocation->data + offset;
}

void Memory::copyInitialized(uint64_t to, uint64_t from, uint64_t bytes) {
  const Allocation &source = *stretchOf(from);
  Allocation &target = *stretchOf(to);
  uint64_t first = from - source.address, place = to - target.address;
  if (source.firstUninitialized(first, bytes) == bytes)
    return target.setInitialized(place, bytes);
  std::vector<bool> known(bytes);
  for (uint64_t index = 0; index < bytes; ++index)
    known[index] = source.firstUninitialized(first + index, 1) == 1;
  for (uint64_t index = 0; index < bytes; ++index) {
    uint8_t &bits = target.initialized[(place + index) / 8];
    uint8_t bit = static_cast<uint8_t>(1u << ((place + index) % 8));
    bits = static_cast<uint8_t>(known[index] ? bits | bit : bits & ~bit);
  }
}

Result<std::map<std::string, uint64_t>>
Memory::globalsOf(const std::shared_ptr<const Program> &program) {
  auto [known, isNew] = globals.try_emplace(program);
  if (!isNew)
    return known->second;
  std::map<std::string, uint64_t> &addresses = known->second;
  for (const Variable &variable : program->globals) {
    if (variable.space == Space::Shared)
      continue;
    Result<uint64_t> address = alloc(variable.bytes);
    if (!address) {
      freeGlobals(program);
      return address.error();
    }
    addresses[variable.name] = *address;
    Allocation &allocation = *stretchOf(*address);
    allocation.name = "variable '" + variable.name + "'";
    allocation.isReadOnly = variable.space == Space::Const;
    allocation.isTable = !variable.initial.empty();
    // Variables without an initial value are zero.
    allocation.isAllInitialized = true;
    if (!variable.initial.empty())
      std::memcpy(allocation.data, variable.initial.data(), variable.initial.size());
  }
  for (const Variable &variable : program->globals)
    for (const auto &[place, name] : variable.references) {
      // The parser has seen that there is such a variable, and room for its address.
      uint64_t offset;
      uint8_t *data = stretchOf(addresses.at(variable.name))->data + place;
      std::memcpy(&offset, data, 8);
      offset += addresses.at(name);
      std::memcpy(data, &offset, 8);
    }
  return addresses;
}

void Memory::freeGlobals(const std::shared_ptr<const Program> &program) {
  auto known = globals.find(program);
  if (known == globals.end())
    return;
  for (const auto &[name, address] : known->second)
    (void)free(address);
  globals.erase(known);
}
