//===- RegisterFile.cpp - A thread's registers by number -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterFile.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

RegisterFile fsm::gpu::unpack(DeviceProgram &program, Value source, const LinearLayout &layout) {
  RegisterFile file(uint64_t(1) << layout.from().bitsOf(Dim::Register));
  SmallVector<Value> elements = program.elementsOf(source);
  for (auto [reg, value] : llvm::zip_equal(layout.liveRegisters(), elements))
    file[reg] = value;
  return file;
}

Value fsm::gpu::anyOf(ArrayRef<Value> file) {
  return *llvm::find_if(file, [](Value value) { return value != nullptr; });
}

Value fsm::gpu::pack(DeviceProgram &program, const RegisterFile &file, const LinearLayout &layout) {
  SmallVector<Value> elements;
  // A live register without a value is outside the true extents in this plan's threads.
  for (uint64_t reg : layout.liveRegisters())
    elements.push_back(file[reg] ? file[reg] : anyOf(file));
  return program.vectorOf(elements);
}

/// Whether the exclusive or of the bits of the lane and the warp in these sets is 1.
static Value parity(DeviceProgram &program, uint64_t laneBits, uint64_t warpBits) {
  auto ones = [](uint64_t bits) {
    std::vector<uint64_t> bases;
    for (; bits; bits >>= 1)
      bases.push_back(bits & 1);
    return bases;
  };
  Value sum = program.linear(ones(laneBits), ones(warpBits));
  return arith::CmpIOp::create(program.builder, arith::CmpIPredicate::ne, sum, program.i32(0));
}

RegisterFile fsm::gpu::exchange(DeviceProgram &program, RegisterFile file,
                                const std::vector<uint64_t> &byLane,
                                const std::vector<uint64_t> &byWarp) {
  std::vector<uint64_t> columns = byLane;
  columns.insert(columns.end(), byWarp.begin(), byWarp.end());
  BitMatrix matrix = BitMatrix::fromColumns(columns, 64);
  uint64_t pivots = matrix.pivotColumns();
  for (unsigned pivot = 0; pivot < columns.size(); ++pivot) {
    if (!(pivots >> pivot & 1))
      continue;
    // The thread's bits whose columns are sums with this one.
    uint64_t bits = 0;
    for (unsigned i = 0; i < columns.size(); ++i)
      bits |= (*matrix.solve(columns[i]) >> pivot & 1) << i;
    Value isMoved =
        parity(program, bits & ((uint64_t(1) << byLane.size()) - 1), bits >> byLane.size());
    RegisterFile moved;
    for (uint64_t reg = 0; reg < file.size(); ++reg) {
      Value own = file[reg], other = file[reg ^ columns[pivot]];
      if (own && other)
        own = arith::SelectOp::create(program.builder, isMoved, other, own);
      moved.push_back(own ? own : other);
    }
    file = std::move(moved);
  }
  return file;
}
