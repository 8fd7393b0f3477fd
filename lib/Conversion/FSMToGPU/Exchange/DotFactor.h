//===- DotFactor.h - A factor of a product by multiply-adds ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_DOTFACTOR_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_DOTFACTOR_H

#include "SharedAccess.h"
#include "SharedRows.h"

namespace fsm::gpu {

/// One factor in shared memory, in rows with a pitch or in a slot that is a tile, as a thread reads
/// it: by vectors of up to 16 bytes along the dimension in which neighbours lie side by side. Of the
/// inner dimension such a vector has some steps of one line, a row of the left factor or a column of the
/// right one; of the other dimension it has one step of neighbouring lines.
class ThreadFactor {
public:
  /// `slot` is null for memory without slots. The product's layout has no replicas among registers.
  ThreadFactor(DeviceProgram &program, SharedDotOp op, ThreadBlock &sums, bool isRight, Value slot);

  bool isAlongInner() const { return major == inner; }
  /// Whether a step that no constant says finds its place.
  bool takesAnyStep() const { return !tile; }

  /// Reads `count` steps, a power of two up to those of a vector, from `more` behind the step `first`
  /// (an i32) on; of a tile `first` is 0.
  void read(Value first, uint64_t more, uint64_t count);
  /// The same of one of the lines that the thread reads.
  void readLine(size_t line, Value first, uint64_t more, uint64_t count);
  size_t numLines() const { return lines.size(); }
  /// The line that the sums in the `index`-th register need.
  size_t lineOf(size_t index) const { return sources[index].line; }
  /// That line, and which of its neighbours.
  std::pair<size_t, size_t> sourceOf(size_t index) const {
    return {sources[index].line, sources[index].within};
  }
  /// What was read for the sums in the `index`-th register, of the `step`-th of these.
  Value number(size_t index, uint64_t step) const;

private:
  /// What is read at once.
  struct Line {
    Place place;
    /// Of a tile, the bytes that the register of the sums adds.
    uint64_t bytes;
    SmallVector<Value> numbers;
  };

  void findLines(ThreadBlock &sums, function_ref<Line(uint64_t reg)> lineOf);
  void findRows(ThreadBlock &sums);
  void findChunks(ThreadBlock &sums, Value slot);
  uint64_t bytesOfStep(uint64_t step) const;
  Value addressOf(const Line &line, Value first, uint64_t more) const;

  DeviceProgram &program;
  SharedDotOp op;
  Value shared;
  SharedType memory;
  uint64_t elementBytes;
  /// Dimensions of the memory, that of the sums which `outer` is, and that along which neighbours lie
  /// side by side.
  unsigned outer, inner, dim, major;
  /// Neighbouring lines of a vector.
  uint64_t width = 1;
  SmallVector<Line> lines;
  /// For each live register of the sums: its line, and its place in that.
  struct Source {
    size_t line, within;
  };
  SmallVector<Source> sources;
  /// Of a tile, from elements to offsets, and where the thread's lane and warp lead in the slot.
  std::optional<LinearLayout> tile;
  std::optional<SharedPlaces> threads;
  uint64_t threadBits = 0;
};

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_DOTFACTOR_H
