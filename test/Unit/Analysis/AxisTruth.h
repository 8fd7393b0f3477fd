//===- AxisTruth.h - Axis info by definition -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_ANALYSIS_AXISTRUTH_H
#define FSM_TEST_UNIT_ANALYSIS_AXISTRUTH_H

#include "fsm/Analysis/AxisInfo.h"

#include <string>
#include <vector>

namespace fsm::test {

/// Stands for an element to which the language gives no value.
inline constexpr int64_t kUnspecified = int64_t(1) << 40;

/// The numbers of a block of integers in row-major order: signed, or 0 and 1 for i1.
struct Numbers {
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<int64_t> elements;
};

/// The largest claims that are true of the block.
AxisInfo truthOf(const Numbers &numbers, bool isBoolean = false);

/// The claim that is false of the block, in words; empty when all are true.
std::string falseClaim(const AxisInfo &claims, const Numbers &numbers, bool isBoolean = false);

/// Keeps a module of one kernel; `op` is the last of its body before the return.
class OneOp {
public:
  explicit OneOp(const std::string &body);
  ~OneOp();
  mlir::Operation *op = nullptr;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace fsm::test

#endif // FSM_TEST_UNIT_ANALYSIS_AXISTRUTH_H
