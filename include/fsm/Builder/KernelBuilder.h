//===- KernelBuilder.h - Kernels written in C++ ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_BUILDER_KERNELBUILDER_H
#define FSM_BUILDER_KERNELBUILDER_H

#include "fsm/Builder/Functions.h"
#include "fsm/Builder/Value.h"
#include "fsm/Support/Result.h"

#include <functional>
#include <string>
#include <utility>

namespace fsm {

enum class GridAxis { X, Y, Z };

/// What the caller of a kernel promises of an argument. A launch that breaks a promise is refused.
struct ArgumentPromises {
  /// A pointer is a multiple of so many bytes, a power of two; an integer is a multiple of it.
  uint32_t divisible = 1;
  /// Nothing is written through the pointer.
  bool isReadOnly = false;
};

/// Offsets of the elements of a tile, and which of them are inside of the matrix.
struct Places {
  Value offsets, inside;
};

/// Builds one kernel, op by op, without MLIR:
///
/// ```cpp
/// KernelBuilder k("softmax");
/// Value out = k.pointer(ScalarType::F32, "out"), in = k.pointer(ScalarType::F32, "in");
/// Value n = k.scalar(ScalarType::I32, "n");
/// Value offs = k.range(1024), mask = offs < n, row = k.programId() * n;
/// Value x = k.load(in + row, offs, mask, -INFINITY), e = exp(x - max(x));
/// k.store(out + row, offs, e / sum(e), mask);
/// Result<std::string> text = k.text();
/// ```
///
/// Operands of an operation become alike: a number takes the type of the other operand, a scalar
/// is repeated, and blocks are aligned at their last dimensions and repeated along those of extent
/// 1, as NumPy does it. Element types are never changed: `convert` does. As in C++, sums,
/// differences and products of integers must not overflow; `wrapping` lets them.
///
/// The first mistake, such as shapes that do not go together, is what `text` gives, with the
/// file and the line of the caller. What is found when the kernel is compiled names them, too.
class KernelBuilder {
public:
  explicit KernelBuilder(std::string name, const char *file = __builtin_FILE(),
                         unsigned line = __builtin_LINE());
  // A copy builds the same kernel. Without a move, what was moved from does, too.
  KernelBuilder(const KernelBuilder &) = default;
  KernelBuilder &operator=(const KernelBuilder &) = default;

  /// Arguments, in their order; each before anything else is built.
  Value pointer(ScalarType to, std::string name, ArgumentPromises promises = {},
                const char *file = __builtin_FILE(), unsigned line = __builtin_LINE());
  Value scalar(ScalarType type, std::string name, ArgumentPromises promises = {},
               const char *file = __builtin_FILE(), unsigned line = __builtin_LINE());
  /// Warps of a program on a GPU, instead of the compiler's choice.
  void setWarps(unsigned warps) { numWarps = warps; }

  /// Coordinates of the program and the extents of the grid, as i32.
  Value programId(GridAxis axis = GridAxis::X, const char *file = __builtin_FILE(),
                  unsigned line = __builtin_LINE());
  Value programCount(GridAxis axis = GridAxis::X, const char *file = __builtin_FILE(),
                     unsigned line = __builtin_LINE());

  /// The i32 block 0, 1, ... count - 1.
  Value range(int64_t count, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE());
  /// A block of one number, or, where `shape` is empty, a scalar.
  Value full(Shape shape, ScalarType type, Operand number);

  /// What stands `offsets` elements behind a pointer, a block if they are one. Where the mask is
  /// false, `other`, or zero without one; nothing is touched there.
  Value load(Operand pointer, Operand offsets = {}, Operand mask = {}, Operand other = {});
  void store(Operand pointer, Operand offsets, Operand value, Operand mask = {});
  /// Each element in memory combined with one of `value`, in one step; gives what was there.
  Value atomic(Combination how, Operand pointer, Operand offsets, Operand value, Operand mask = {});
  /// Of a tile of a matrix with these strides, in elements, and extents.
  Places places(Shape tile, std::vector<Operand> origin, std::vector<Operand> strides,
                std::vector<Operand> bounds);
  /// Orders the program's accesses before and behind it.
  void barrier(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE());

  /// The body for each number from `first` on, below `end`, with what it gave for the one before;
  /// what it gave at last. `stages` is how far loads may run ahead.
  Values loop(Operand first, Operand end, Operand step, Values start,
              const std::function<Values(Value, Values)> &body, unsigned stages = 0);
  Value loop(Operand first, Operand end, Operand step, Value start,
             const std::function<Value(Value, Value)> &body, unsigned stages = 0);
  void loop(Operand first, Operand end, Operand step, const std::function<void(Value)> &body,
            unsigned stages = 0);
  /// The body as long as the condition, a scalar i1, is true of what it gave.
  Values repeatWhile(Values start, const std::function<Value(Values)> &condition,
                     const std::function<Values(Values)> &body, const char *file = __builtin_FILE(),
                     unsigned line = __builtin_LINE());
  /// One body or the other. What they give has the same types.
  Values choose(Operand condition, const std::function<Values()> &then,
                const std::function<Values()> &otherwise);
  void when(Operand condition, const std::function<void()> &then);

  /// A line for each element of each value; an error of the launch where the condition is false.
  void print(const std::string &label, Values values, const char *file = __builtin_FILE(),
             unsigned line = __builtin_LINE());
  void check(Operand condition, const std::string &message);

  /// The module, which Engine::load takes; or the first mistake.
  Result<std::string> text() const;

private:
  std::shared_ptr<KernelText> kernel;
  unsigned numWarps = 0;
};

} // namespace fsm

#endif // FSM_BUILDER_KERNELBUILDER_H
