//===- Reshape.cpp - Blocks of other extents -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"
#include "../Program/ThreadValues.h"
#include "ConvertLayout.h"
#include "SharedAccess.h"
#include "fsm/Analysis/ScratchSize.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {

/// A reshape that no linear map is: each element goes to its row-major number.
class RowMajorReshape {
public:
  RowMajorReshape(DeviceProgram &program, ReshapeOp op, uint64_t scratch)
      : program(program), op(op), loc(op.getLoc()), scratch(scratch),
        bytes(bytesOf(op.getType().getElementType())) {}

  Value run(Value source) {
    Type element = getElementTypeOrSelf(source.getType());
    write(elementsOf(program, loc, toBytes(program, loc, source)));
    program.barrier(loc);
    return fromBytes(program, loc, read(memoryElement(element)), element);
  }

private:
  Value address(Value number) {
    Value offset = arith::MulIOp::create(program.builder, loc, number, program.i32(loc, bytes));
    Value start = program.i32(loc, static_cast<int64_t>(scratch));
    return program.shared(loc, arith::AddIOp::create(program.builder, loc, offset, start));
  }

  void write(ArrayRef<Value> elements) {
    ThreadBlock block(program, loc, op.getSource().getType());
    const LinearLayout &layout = block.layout();
    Value isFirst = program.isFirst(loc, layout.freeBits(Dim::Lane), layout.freeBits(Dim::Warp));
    for (auto [reg, value] : llvm::zip_equal(block.registers(), elements)) {
      // Numbers of positions outside the true extents are those of other elements.
      Value condition = block.isInside(reg);
      if (condition && isFirst)
        condition = arith::AndIOp::create(program.builder, loc, condition, isFirst);
      Value place = address(block.rowMajor(reg)), element = value;
      emitIf(program, loc, condition ? condition : isFirst,
             [&]() { storeShared(program, loc, element, place); });
    }
  }

  Value read(Type element) {
    ThreadBlock block(program, loc, op.getType());
    SmallVector<Value> elements;
    for (uint64_t reg : block.registers()) {
      Value number = block.rowMajor(reg);
      if (Value inside = block.isInside(reg))
        number = arith::SelectOp::create(program.builder, loc, inside, number, program.i32(loc, 0));
      elements.append(loadShared(program, loc, element, 1, address(number)));
    }
    return vectorOf(program, loc, elements);
  }

  DeviceProgram &program;
  ReshapeOp op;
  Location loc;
  uint64_t scratch;
  unsigned bytes;
};

} // namespace

static LogicalResult lower(ThreadLowering &thread, ReshapeOp op) {
  std::optional<uint64_t> scratch = scratchOffset(op);
  if (!scratch)
    return failure();
  Value source = thread.lookup(op.getSource());
  auto layouts = alignedLayouts(op);
  if (!layouts)
    return thread.setResult(op, RowMajorReshape(thread.program, op, *scratch).run(source));
  ConversionPlan plan = planBetween(layouts->first, layouts->second, op.getType().getElementType());
  return thread.setResult(op,
                          executeConversion(thread.program, op.getLoc(), plan, source, *scratch));
}

void fsm::gpu::addReshapeHandlers(HandlerTable &table) { addHandler<ReshapeOp, lower>(table); }
