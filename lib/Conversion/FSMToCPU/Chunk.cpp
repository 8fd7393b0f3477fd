//===- Chunk.cpp - Where in a block a vector stands ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chunk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace fsm::host;

LaneSteps Chunk::laneSteps() const {
  if (!isRow() || !lanes)
    return steps;
  LaneSteps all(index.size(), llvm::SmallVector<int64_t>(static_cast<size_t>(lanes), 0));
  for (int64_t lane = 0; lane < active; ++lane)
    all.back()[static_cast<size_t>(lane)] = lane;
  return all;
}

bool Chunk::isRowMajor(llvm::ArrayRef<int64_t> shape) const {
  return isRow() ||
         isCounting(
             llvm::ArrayRef(linearSteps(shape, steps)).take_front(static_cast<size_t>(active)));
}

bool fsm::host::isCounting(llvm::ArrayRef<int64_t> numbers) {
  return llvm::all_of(llvm::enumerate(numbers), [](auto number) {
    return number.value() == static_cast<int64_t>(number.index());
  });
}

int64_t fsm::host::neighboursAmong(llvm::ArrayRef<int64_t> numbers) {
  llvm::SmallVector<int64_t> sorted(numbers);
  llvm::sort(sorted);
  sorted.erase(llvm::unique(sorted), sorted.end());
  auto count = static_cast<int64_t>(sorted.size());
  return isCounting(sorted) && llvm::isPowerOf2_64(static_cast<uint64_t>(count)) ? count : 0;
}

llvm::SmallVector<int64_t> fsm::host::linearSteps(llvm::ArrayRef<int64_t> shape,
                                                  const LaneSteps &steps) {
  llvm::SmallVector<int64_t> numbers(steps.front());
  for (size_t dim = 1; dim < shape.size(); ++dim)
    for (auto [number, step] : llvm::zip_equal(numbers, steps[dim]))
      number = number * shape[dim] + step;
  return numbers;
}

LaneSteps fsm::host::delinearSteps(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> numbers) {
  LaneSteps steps(shape.size());
  llvm::SmallVector<int64_t> left(numbers);
  for (size_t dim = shape.size(); dim-- > 0;)
    for (int64_t &number : left) {
      steps[dim].push_back(number % shape[dim]);
      number /= shape[dim];
    }
  return steps;
}
