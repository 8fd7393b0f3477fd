//===- ThreadBlock.cpp - A thread's share of a block ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadBlock.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

ThreadBlock::ThreadBlock(DeviceProgram &program, RankedTensorType type)
    : program(program), type(type), linear(linearLayoutOf(type)), live(linear.liveRegisters()),
      threadParts(type.getRank()) {
  for (auto [index, reg] : llvm::enumerate(live))
    positions[reg] = static_cast<int64_t>(index);
}

static SmallVector<uint64_t> alongDim(const LinearLayout &layout, const std::vector<Dim> &holders,
                                      unsigned dim) {
  return llvm::map_to_vector(layout.basesOf(holders),
                             [&](uint64_t base) { return layout.to().get(base, blockDim(dim)); });
}

Value ThreadBlock::threadPart(unsigned dim) {
  if (!threadParts[dim])
    threadParts[dim] = program.linear(alongDim(linear, {Dim::Lane}, dim),
                                      alongDim(linear, {Dim::Warp, Dim::Cta}, dim));
  return threadParts[dim];
}

uint64_t ThreadBlock::registerPart(unsigned dim, uint64_t reg) const {
  return linear.to().get(linear.apply(reg, 0, 0), blockDim(dim));
}

uint64_t ThreadBlock::threadBits(unsigned dim) const {
  uint64_t bits = 0;
  for (uint64_t base : linear.basesOf({Dim::Lane, Dim::Warp, Dim::Cta}))
    bits |= linear.to().get(base, blockDim(dim));
  return bits;
}

/// Exclusive or; a sum that cannot wrap where no bit meets another, for a sum is what
/// address arithmetic can take apart.
Value ThreadBlock::combine(Value thread, Value constant, bool isDisjoint) {
  ImplicitLocOpBuilder &builder = program.builder;
  if (!isDisjoint)
    return arith::XOrIOp::create(builder, thread, constant);
  auto flags = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  return arith::AddIOp::create(builder, thread, constant, flags);
}

Value ThreadBlock::coordinate(unsigned dim, uint64_t reg) {
  uint64_t part = registerPart(dim, reg);
  if (!part)
    return threadPart(dim);
  Value constant = program.i32(part);
  return combine(threadPart(dim), constant, (part & threadBits(dim)) == 0);
}

std::optional<SmallVector<int64_t>> ThreadBlock::disjointParts(unsigned dim) const {
  SmallVector<int64_t> parts;
  uint64_t bits = threadBits(dim);
  for (uint64_t reg : live) {
    uint64_t part = registerPart(dim, reg);
    if (part & bits)
      return std::nullopt;
    parts.push_back(static_cast<int64_t>(part));
  }
  return parts;
}

Value ThreadBlock::coordinates(unsigned dim) {
  auto parts = llvm::map_to_vector(
      live, [&](uint64_t reg) { return static_cast<int32_t>(registerPart(dim, reg)); });
  ImplicitLocOpBuilder &builder = program.builder;
  auto vector = VectorType::get({static_cast<int64_t>(live.size())}, builder.getI32Type());
  Value constant =
      arith::ConstantOp::create(builder, DenseElementsAttr::get(vector, ArrayRef(parts)));
  Value thread = vector::BroadcastOp::create(builder, vector, threadPart(dim));
  return combine(thread, constant, disjointParts(dim).has_value());
}

Value ThreadBlock::rowMajor(uint64_t reg) {
  ImplicitLocOpBuilder &builder = program.builder;
  Value number;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    Value at = coordinate(dim, reg);
    if (number) {
      Value extent = program.i32(type.getDimSize(dim));
      at = arith::AddIOp::create(builder, arith::MulIOp::create(builder, number, extent), at);
    }
    number = at;
  }
  return number;
}

Value ThreadBlock::isFirst() {
  return program.isFirst(linear.freeBits(Dim::Lane), linear.overOneCta().freeBits(Dim::Warp));
}

Value ThreadBlock::isInside(unsigned dim, uint64_t reg) {
  if ((registerPart(dim, reg) | threadBits(dim)) < static_cast<uint64_t>(type.getDimSize(dim)))
    return {};
  Value extent = program.i32(type.getDimSize(dim));
  return arith::CmpIOp::create(program.builder, arith::CmpIPredicate::ult, coordinate(dim, reg),
                               extent);
}

Value ThreadBlock::isInside(uint64_t reg) {
  Value inside;
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    inside = both(program.builder, inside, isInside(dim, reg));
  return inside;
}

Value ThreadBlock::elementOf(Value value, uint64_t reg) const {
  if (!value || !isa<VectorType>(value.getType()))
    return value;
  return vector::ExtractOp::create(program.builder, value, indexOf(reg));
}

Value ThreadBlock::gather(Value vector, ArrayRef<uint64_t> group) const {
  if (group.size() == 1)
    return elementOf(vector, group.front());
  auto places = llvm::map_to_vector(group, [&](uint64_t reg) { return indexOf(reg); });
  return vector::ShuffleOp::create(program.builder, vector, vector, places);
}

Value ThreadBlock::scatter(Value part, Value vector, ArrayRef<uint64_t> group) const {
  ImplicitLocOpBuilder &builder = program.builder;
  for (auto [i, reg] : llvm::enumerate(group)) {
    if (!has(reg))
      continue;
    Value one = part;
    if (group.size() > 1)
      one = vector::ExtractOp::create(builder, part, static_cast<int64_t>(i));
    vector = vector::InsertOp::create(builder, one, vector, indexOf(reg));
  }
  return vector;
}
