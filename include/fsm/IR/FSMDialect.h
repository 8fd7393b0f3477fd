//===- FSMDialect.h - The fsm dialect --------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_FSMDIALECT_H
#define FSM_IR_FSMDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fsm/IR/PlanAttributes.h"
#include "fsm/Layout/LinearLayout.h"

namespace fsm {
/// Whether a block has no encoding, or a LayoutAttr.
bool hasLayoutOrNone(mlir::RankedTensorType type);

/// Ops by which passes write down their plans, and which no kernel has at first.
template <typename ConcreteOp>
class WrittenByPasses : public mlir::OpTrait::TraitBase<ConcreteOp, WrittenByPasses> {};

/// Ops that `fsm-expand-blocks` writes as others.
template <typename ConcreteOp>
class Expanded : public mlir::OpTrait::TraitBase<ConcreteOp, Expanded> {};

/// Whether the memory that an op accesses has a place of its own: it comes from an
/// `fsm.shared_alloc`.
mlir::LogicalResult verifySharedOperands(mlir::Operation *op);

/// Ops that access `!fsm.shared`.
template <typename ConcreteOp>
class AccessesShared : public mlir::OpTrait::TraitBase<ConcreteOp, AccessesShared> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifySharedOperands(op); }
};

/// What the ops on `!fsm.shared` read and write, apart from global memory.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "shared memory"; }
};

/// The layout of a block of type `source` whose dimension `dims[i]` the dimension i of a block with
/// this layout is, -1 for one that it lacks; nothing for a scalar. What methods of the interfaces
/// are, if ops do not say otherwise.
std::optional<LinearLayout> layoutByDims(const LinearLayout &layout, mlir::Type source,
                                         llvm::ArrayRef<int64_t> dims);
/// Whether all blocks among the operands are cheap.
bool areCheap(mlir::OperandRange operands, llvm::function_ref<bool(mlir::Value)> isCheap);
} // namespace fsm

#include "fsm/IR/FSMDialect.h.inc"
#include "fsm/IR/FSMEnums.h.inc"

namespace fsm {
/// Whether these semantics order what comes behind an atomic, or in front of it.
bool acquires(MemorySemantics sem);
bool releases(MemorySemantics sem);
} // namespace fsm

#define GET_ATTRDEF_CLASSES
#include "fsm/IR/FSMAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fsm/IR/FSMTypes.h.inc"

#include "fsm/IR/Interfaces.h.inc"

#define GET_OP_CLASSES
#include "fsm/IR/FSMOps.h.inc"

namespace fsm {

/// What an author may promise, and ask for. What passes write: PlanAttributes.h.
inline constexpr llvm::StringLiteral kNumStagesAttr = "fsm.num_stages";
inline constexpr llvm::StringLiteral kAlignAttr = "fsm.align";
inline constexpr llvm::StringLiteral kDivisibleAttr = "fsm.divisible";
inline constexpr llvm::StringLiteral kEqualToAttr = "fsm.equal_to";
inline constexpr llvm::StringLiteral kAtLeastAttr = "fsm.at_least";
inline constexpr llvm::StringLiteral kAtMostAttr = "fsm.at_most";
inline constexpr llvm::StringLiteral kNoAliasAttr = "fsm.noalias";
inline constexpr llvm::StringLiteral kReadOnlyAttr = "fsm.readonly";
inline constexpr llvm::StringLiteral kLargeAttr = "fsm.large";

/// Elements a host loop computes at once, of whatever type: a register of
/// four-byte ones. An error of `op` if there are no such registers.
mlir::FailureOr<int64_t> hostLanesOrError(mlir::Operation *op, unsigned vectorBytes);

/// Whether each element of the results is computed from those of the operands at the same place.
bool isElementwise(mlir::Operation *op);

/// The most elements one block may have.
inline constexpr int64_t kMaxBlockElements = int64_t(1) << 20;

/// The most ops one kernel may have, helpers inlined. Passes look back along
/// chains of ops, with stack and time that grow with their length.
inline constexpr unsigned kMaxKernelOps = 8192;

/// Rematerializable::elementCost of what costs more than a store and a load ever do.
inline constexpr unsigned kHeavyElement = 100;

/// The shape of a block; empty for a scalar.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Type type) {
  auto block = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return block ? block.getShape() : llvm::ArrayRef<int64_t>();
}

/// The type itself for a scalar, its elements' type for a block.
inline mlir::Type elementTypeOf(mlir::Type type) { return mlir::getElementTypeOrSelf(type); }

/// Shared memory is accessed by vectors of up to so many bytes: blocks and slots begin at
/// multiples.
inline constexpr uint64_t kSharedAlignment = 16;
/// More slots than any loop has stages are no use.
inline constexpr unsigned kMaxSlots = 64;

/// The bytes of an element in memory: an i1 has one, a pointer eight.
inline unsigned bytesOf(mlir::Type element) {
  if (llvm::isa<PointerType>(element))
    return 8;
  return element.isInteger(1) ? 1 : element.getIntOrFloatBitWidth() / 8;
}

/// Whether a block may have these extents: 1 to kMaxBlockRank of them, positive, of at most
/// kMaxBlockElements elements.
bool isBlockShape(llvm::ArrayRef<int64_t> shape);

/// Whether `type` is an element type of the language.
bool isElementType(mlir::Type type);

/// The type in which elements are combined by a kind that is known, or by a region: f32 for the
/// half formats, which are rounded once, and the element type otherwise.
mlir::Type accumulatorType(mlir::Type element, bool isKnown);

/// The element types, as errors name them.
inline constexpr llvm::StringLiteral kElementTypeNames =
    "i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN or f8E5M2";

/// The layout of a block that has one; null otherwise.
inline LayoutAttr layoutOf(mlir::Type type) {
  auto block = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return block ? llvm::dyn_cast_or_null<LayoutAttr>(block.getEncoding()) : LayoutAttr();
}

/// The extents of a block as lib/Layout takes them.
inline std::vector<uint64_t> extentsOf(mlir::RankedTensorType type) {
  return {type.getShape().begin(), type.getShape().end()};
}

/// The block type with a layout.
mlir::RankedTensorType withLayout(mlir::RankedTensorType type, const LinearLayout &layout);

/// The linear layout of a block that has a LayoutAttr.
LinearLayout linearLayoutOf(mlir::RankedTensorType type);

/// The integer that an attribute of an op holds, or `absent`.
inline int64_t integerAttrOr(mlir::Operation *op, llvm::StringRef name, int64_t absent) {
  auto attribute = op->getAttrOfType<mlir::IntegerAttr>(name);
  return attribute ? attribute.getInt() : absent;
}

/// How many programs are a cluster with the one that an op is of, by `fsm.cluster` of its kernel; 1 for none.
unsigned programsOfCluster(mlir::Operation *op);

/// Where an error about a whole module is located: the text's own module has no
/// line, so its first one.
mlir::Location startOf(mlir::Operation *module);

/// `type` with another element type: a block stays a block of the same shape.
mlir::Type withElementType(mlir::Type type, mlir::Type element);

/// Whether a value has one number, or one for each element of a block, in the same threads.
inline bool isSpreadAs(mlir::Type value, mlir::Type block) {
  return !llvm::isa<mlir::RankedTensorType>(value) ||
         withElementType(block, elementTypeOf(value)) == value;
}

/// Checks one op of a kernel body, and the types it defines, against the
/// language: an allowed op over allowed types. Emits a located error otherwise.
mlir::LogicalResult verifyLanguage(mlir::Operation *op);

/// Checks an attribute that carries a number of at least 1 which an i32 holds; `where` says which
/// argument it is on.
mlir::LogicalResult verifyPositiveNumber(mlir::Operation *op, mlir::NamedAttribute attribute,
                                         const llvm::Twine &where = "");

/// Refuses attributes of other languages on a kernel's arguments: nobody reads them.
mlir::LogicalResult verifyArgumentAttributes(KernelOp kernel);

/// Refuses what writes through a pointer that may come from an `fsm.readonly` argument.
mlir::LogicalResult verifyReadOnlyArguments(KernelOp kernel);

/// An op of the kernel that may write through an argument, or through a pointer that is made of it,
/// calls among them; null if there is none.
mlir::Operation *findWriteThrough(mlir::BlockArgument argument);

/// Whether the elements of two matrices can be multiplied: of one type, or of two types of f8.
bool canMultiply(mlir::Type left, mlir::Type right);

} // namespace fsm

#endif // FSM_IR_FSMDIALECT_H
