//===- OwnMaps.cpp - Tensor maps that a program makes --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map is 128 bytes of global memory, and what is where in them nobody says: PTX has an instruction that sets
// each field. One thread does all of it, to zeros, and two fences tell the hardware's copies of it. It is the
// thread that begins these copies, so nobody else has to know.
//
// An H100 takes 60 cycles for zeros, 140 for all fields, 600 and 140 for the fences; by way of shared memory
// as many (docs/decisions/0128-maps-that-programs-make.md).

#include "Access.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// The number of an element type in a map (PTX ISA 9.0, "tensormap.replace"); f8 are bytes, as they are only copied.
static int elementNumber(Type type) {
  if (type.isF16())
    return 6;
  if (type.isBF16())
    return 10;
  if (type.isF32())
    return 7;
  if (type.isF64())
    return 9;
  switch (bytesOf(type)) {
  case 2:
    return 1;
  case 4:
    return 3;
  case 8:
    return 5;
  default:
    return 0;
  }
}

/// The number of a pattern of 32, 64 or 128 bytes.
static int swizzleNumber(unsigned bytes) { return bytes == 128 ? 3 : bytes == 64 ? 2 : 1; }

namespace {
/// Writes the instructions that set fields of a map. What they take is an operand of the text.
class MapText {
public:
  explicit MapText(Value address) : operands{address}, constraints("l") {}

  /// A field of 32 or 64 bits of the dimension `dim`, counted from the innermost on; -1 for none.
  void set(StringRef field, int dim, Value value) {
    bool isWide = value.getType().getIntOrFloatBitWidth() == 64;
    constraints += isWide ? ",l" : ",r";
    operands.push_back(value);
    add(field, dim, isWide ? "b64" : "b32", "$" + std::to_string(operands.size() - 1));
  }
  void set(StringRef field, int dim, int64_t number) { add(field, dim, "b32", std::to_string(number)); }

  void emit(ImplicitLocOpBuilder &builder) {
    inlinePtx(builder, /*result=*/{}, operands, text, constraints + ",~{memory}");
  }

private:
  void add(StringRef field, int dim, StringRef type, const std::string &value) {
    text += ("tensormap.replace.tile." + field + ".global.b1024." + type + " [$0], ").str();
    if (dim >= 0)
      text += std::to_string(dim) + ", ";
    text += value + ";\n";
  }

  SmallVector<Value> operands;
  std::string text, constraints;
};

/// Makes the map of an op at an address.
class MapWriter {
public:
  MapWriter(ThreadLowering &thread, OwnTensorMapOp op, Value address)
      : builder(thread.builder), thread(thread), program(thread.program), op(op), address(address) {}

  void write() {
    clear();
    setFields();
  }

  /// Tells the hardware of maps that the thread has written: a release for all, as fsm-plan-threads says, and an acquire for each.
  static void tell(ImplicitLocOpBuilder &builder, ValueRange maps) {
    inlinePtx(builder, /*result=*/{}, {}, "fence.proxy.tensormap::generic.release.gpu;", "~{memory}");
    for (Value map : maps)
      inlinePtx(builder, /*result=*/{}, {map}, "fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", "l,~{memory}");
  }

private:
  void clear() {
    std::string text;
    for (unsigned byte = 0; byte < OwnTensorMapOp::kMapBytes; byte += 16)
      text += "st.global.v2.b64 [$0+" + std::to_string(byte) + "], {$1, $1};\n";
    Value zero = program.constantInt(builder.getI64Type(), 0);
    inlinePtx(builder, /*result=*/{}, {address, zero}, text, "l,l,~{memory}");
  }

  Value wide(Value number) {
    Value value = thread.lookup(number);
    return value.getType().isInteger(64) ? value
                                         : arith::ExtSIOp::create(builder, builder.getI64Type(), value).getResult();
  }

  /// At least 1, as a map has it, and no more than where copies begin that are to find nothing.
  Value told(Value size) {
    Type type = builder.getI64Type();
    Value number = arith::MaxSIOp::create(builder, wide(size), program.constantInt(type, 1));
    number = arith::MinSIOp::create(builder, number, program.constantInt(type, OwnTensorMapOp::kBeyond));
    return arith::TruncIOp::create(builder, builder.getI32Type(), number);
  }

  void setFields() {
    TensorMapType type = op.getType();
    auto rank = static_cast<int>(type.getBox().size());
    MapText text(address);
    text.set("global_address", -1, LLVM::PtrToIntOp::create(builder, builder.getI64Type(), thread.lookup(op.getPointer())).getResult());
    text.set("rank", -1, rank - 1);
    for (int dim = 0; dim < rank; ++dim) {
      text.set("box_dim", dim, program.i32(type.getBox()[rank - 1 - dim]));
      text.set("global_dim", dim, told(op.getSizes()[rank - 1 - dim]));
      text.set("element_stride", dim, program.i32(1));
    }
    Value bytes = program.constantInt(builder.getI64Type(), bytesOf(type.getElementType()));
    for (int dim = 0; dim + 1 < rank; ++dim)
      text.set("global_stride", dim,
               arith::MulIOp::create(builder, wide(op.getStrides()[rank - 2 - dim]), bytes).getResult());
    text.set("elemtype", -1, elementNumber(type.getElementType()));
    text.set("interleave_layout", -1, 0);
    text.set("swizzle_mode", -1, swizzleNumber(type.getSwizzle()));
    text.set("fill_mode", -1, 0);
    text.emit(builder);
  }

  ImplicitLocOpBuilder &builder;
  ThreadLowering &thread;
  DeviceProgram &program;
  OwnTensorMapOp op;
  Value address;
};
} // namespace

/// Which of its places an op's last map is in: a variable of the function, of which LLVM makes a register.
static Value placeVariable(ImplicitLocOpBuilder &builder, Type type, int64_t first) {
  Operation *function = builder.getInsertionBlock()->getParentOp();
  while (!isa<mlir::gpu::GPUFuncOp>(function))
    function = function->getParentOp();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&cast<mlir::gpu::GPUFuncOp>(function).getBody().front());
  Value one = LLVM::ConstantOp::create(builder, type, builder.getI32IntegerAttr(1));
  Value number = LLVM::ConstantOp::create(builder, type, builder.getI32IntegerAttr(static_cast<int32_t>(first)));
  Value variable = LLVM::AllocaOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()), type, one);
  LLVM::StoreOp::create(builder, number, variable);
  return variable;
}

/// Where the maps are that the release of `map`, at `address`, is for.
static SmallVector<Value> releasedMaps(ThreadLowering &thread, OwnTensorMapOp map, Value address) {
  SmallVector<Value> maps = {address};
  for (map = map.previousMap(); map && map->hasAttr(kReleasedLaterAttr); map = map.previousMap())
    maps.push_back(thread.lookup(map.getResult()));
  return maps;
}

LogicalResult fsm::gpu::lowerOwnMap(ThreadLowering &thread, OwnTensorMapOp op) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  Type type = builder.getI32Type();
  int64_t places = op.getSlots();
  Value variable = placeVariable(builder, type, places - 1), isNew = thread.lookup(op.getCondition());
  Value last = LLVM::LoadOp::create(builder, type, variable);
  Value isEnd = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, last, program.i32(places - 1));
  Value next = arith::AddIOp::create(builder, last, program.i32(1));
  Value place = arith::SelectOp::create(builder, isEnd, program.i32(0), next);
  if (isNew)
    place = arith::SelectOp::create(builder, isNew, place, last);
  LLVM::StoreOp::create(builder, place, variable);
  Value bytes = arith::MulIOp::create(builder, place, program.i32(OwnTensorMapOp::kMapBytes));
  Value address = advance(builder, program.takeScratch(places * OwnTensorMapOp::kMapBytes), bytes);
  program.emitIf(both(builder, program.isFirstThread(), isNew), [&] {
    MapWriter(thread, op, address).write();
    if (!op->hasAttr(kReleasedLaterAttr))
      MapWriter::tell(builder, releasedMaps(thread, op, address));
  });
  auto generic = LLVM::LLVMPointerType::get(builder.getContext());
  return thread.setResult(op, LLVM::AddrSpaceCastOp::create(builder, generic, address));
}
