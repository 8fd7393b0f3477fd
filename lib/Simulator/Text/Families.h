//===- Families.h - What modifiers of PTX mean ------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What each family of instructions makes of its modifiers when it is decoded, apart from what
// Instruction has for all of them: the type, the space, the order. A new family is a struct here,
// in `Decoded`, and a file in Instructions.

#ifndef FSM_LIB_SIMULATOR_TEXT_FAMILIES_H
#define FSM_LIB_SIMULATOR_TEXT_FAMILIES_H

#include <cstdint>
#include <variant>

namespace fsm::sim {

enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  U16x2,
  S16x2,
  F16,
  F16x2,
  BF16,
  BF16x2,
  F32,
  F64,
  E4M3,
  E5M2,
  E4M3x2,
  E5M2x2
};

/// .rn, .rz, .rm or .rp (and .rni and its like), .ftz and .sat.
struct FloatMode {
  uint8_t rounding = 0;
  bool flush = false, saturate = false;
};

struct IntegerOp {
  enum class Op : uint8_t { Add, Sub, Mul, Div, Rem, Min, Max, Abs, Neg, Mad, Sad };
  Op op = Op::Add;
  bool saturate = false, isRelu = false;
};

/// mul, mad, mul24 and mad24.
struct IntegerProduct {
  enum class Part : uint8_t { Low, High, Wide };
  Part part = Part::Low;
  bool saturate = false;
};

/// dp4a, and dp2a with one half of the bytes.
struct ByteDot {
  bool isByBytes = false, takesUpperHalf = false;
  /// Of the bytes; the type of the others is the instruction's.
  Type from = Type::None;
};

struct BitsOp {
  enum class Op : uint8_t {
    And,
    Or,
    Xor,
    Not,
    Cnot,
    Shl,
    Shr,
    Popc,
    Clz,
    Brev,
    Bfe,
    Bfi,
    Prmt,
    Lop3,
    Shf,
    Bfind
  };
  Op op = Op::And;
  /// shf: .l, and .clamp.
  bool isLeft = false, clamps = false;
  /// prmt: 0, or the number of a mode from 1 on.
  uint8_t mode = 0;
  /// bfind: .shiftamt.
  bool isDistance = false;
};

struct FloatOp {
  enum class Op : uint8_t {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Min,
    Max,
    Abs,
    Neg,
    Ex2,
    Lg2,
    Rcp,
    Rsqrt,
    Sqrt,
    Sin,
    Cos,
    Tanh,
    CopySign
  };
  Op op = Op::Add;
  FloatMode mode;
  bool propagatesNaN = false, isRelu = false;
};

/// testp
struct FloatTest {
  enum class Property : uint8_t { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
  Property property = Property::Finite;
};

/// setp and set.
struct Comparison {
  enum class Relation : uint8_t {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Lo,
    Ls,
    Hi,
    Hs,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    Nan
  };
  enum class Combine : uint8_t { And, Or, Xor, Nothing };
  Relation relation = Relation::Eq;
  Combine combine = Combine::Nothing;
  bool flush = false;
  /// set: of what is compared.
  Type from = Type::None;
};

/// selp, and slct by the sign of a value of the type `from`.
struct Selection {
  bool isBySign = false;
  Type from = Type::None;
};

/// cvt
struct Conversion {
  Type from = Type::None;
  FloatMode mode;
  /// .satfinite; and whether the result is a whole number, as .rni makes it.
  bool isRelu = false, isFinite = false, isWhole = false;
  /// To tf32: .rna, and .rz.
  bool isAway = false, isCut = false;
  /// The width of the target register, or 0.
  uint8_t registerBits = 0;
};

/// createpolicy
struct CachePolicy {
  uint64_t bits = 0;
};

/// cvta
struct AddressConversion {
  /// cvta.to: from a generic address.
  bool fromGeneric = false;
};

/// ld and st.
struct MemoryAccess {
  uint8_t vectorSize = 1;
  /// The width of the register that is loaded.
  uint8_t registerBits = 0;
  /// A load through the cache that stores do not reach.
  bool isNonCoherent = false;
};

/// ldmatrix and stmatrix.
struct MatrixAccess {
  uint8_t count = 1;
  bool isTransposed = false;
};

/// mma.sync: so many rows and so many products for each element. Of f32, tf32 alone is multiplied.
struct MatrixProduct {
  uint8_t m = 0, k = 0;
  Type left = Type::None, right = Type::None, sums = Type::None;
  /// .satfinite
  bool saturate = false;
};

/// wgmma.mma_async: 64 x k times k x n, by four warps together.
struct GroupProduct {
  MatrixProduct product;
  uint16_t n = 0;
  /// The left factor is in registers.
  bool isLeftHeld = false;
  /// imm-scale-a and -b of -1; imm-trans-a and -b of 1: rows of the left factor, or columns of the
  /// right one, are what lies side by side.
  bool negatesLeft = false, negatesRight = false;
  bool isLeftTransposed = false, isRightTransposed = false;

  bool hasShapeOf(const GroupProduct &other) const {
    return n == other.n && product.k == other.product.k && product.sums == other.product.sums;
  }
};

/// wgmma.fence, .commit_group and .wait_group.
struct ProductOrder {
  enum class Op : uint8_t { Fence, Commit, Wait };
  Op op = Op::Fence;
};

/// movmatrix
struct MatrixMove {};

/// atom and red.
struct AtomicUpdate {
  enum class Op : uint8_t { Add, Min, Max, And, Or, Xor, Exch, Cas, Inc, Dec };
  Op op = Op::Add;
  uint8_t vectorSize = 1;
};

/// cp.async
struct AsyncCopy {
  enum class Last : uint8_t { None, SourceBytes, IgnoreSource };
  /// What the operand behind the number of bytes says.
  Last last = Last::None;
};

/// cp.async.bulk
struct BulkCopy {
  /// From shared to global memory.
  bool isStore = false;
};

/// st.async
struct AsyncStore {
  uint8_t vectorSize = 1;
};

/// cp.async.bulk.tensor, and cp.reduce.async.bulk.tensor, which updates what is there.
struct TensorCopy {
  uint8_t rank = 0;
  bool isStore = false, updates = false;
  /// .multicast::cluster: to all blocks of a mask.
  bool isMulticast = false;
  AtomicUpdate::Op op = AtomicUpdate::Op::Add;
};

/// tensormap.replace
struct TensorField {
  enum class Field : uint8_t { Address, Rank, Box, Size, Stride, Step, Element, Interleave, Swizzle, Fill };
  Field field = Field::Address;
  /// Counted from the innermost dimension on, for fields of which each has one.
  uint8_t dim = 0;
  bool isShared = false;
};

/// cp.async.commit_group, .wait_group and their bulk forms.
struct CopyGroup {
  bool isBulk = false;
  /// .read: waits until the sources are read.
  bool isRead = false;
};

/// cp.async.mbarrier.arrive
struct CopyArrival {
  /// .noinc: the phase waits for this arrival already.
  bool isCounted = false;
};

struct MbarrierOp {
  enum class Op : uint8_t { Init, Inval, Arrive, ExpectTx, CompleteTx, Wait, PendingCount };
  /// What else an arrival says.
  enum class Extra : uint8_t { Plain, ExpectsBytes, DoesNotComplete };
  Op op = Op::Init;
  Extra extra = Extra::Plain;
  /// An arrival that is not expected in later phases any more.
  bool drops = false;
  /// A wait for a phase of that parity.
  bool isParity = false;
  /// .relaxed orders nothing.
  bool isRelaxed = false;
};

/// bar.sync and bar.arrive.
struct BlockBarrier {
  bool waits = true;
};

/// barrier.cluster
struct ClusterBarrier {
  bool waits = false, isRelaxed = false;
};

/// bar.red
struct BarrierReduction {
  enum class Op : uint8_t { Popc, And, Or };
  Op op = Op::Popc;
};

/// bar.warp.sync
struct WarpBarrier {};

/// fence.proxy.async and fence.mbarrier_init.
struct ProxyFence {
  /// Bits of SharedRaces::Fenced.
  uint8_t memories = 0;
};

struct Shuffle {
  enum class Mode : uint8_t { Up, Down, Butterfly, Index };
  Mode mode = Mode::Up;
};

struct Vote {
  enum class Mode : uint8_t { All, Any, Uni, Ballot };
  Mode mode = Mode::All;
};

struct Match {
  enum class Mode : uint8_t { Any, All };
  Mode mode = Mode::Any;
};

/// redux
struct WarpReduction {
  /// One of the first six.
  AtomicUpdate::Op op = AtomicUpdate::Op::Add;
};

/// One of them, or nothing: what needs no more than Instruction has.
using Decoded =
    std::variant<std::monostate, IntegerOp, IntegerProduct, ByteDot, BitsOp, FloatOp, FloatTest,
                 Comparison, Selection, Conversion, AddressConversion, MemoryAccess, MatrixAccess,
                 MatrixProduct, GroupProduct, ProductOrder, MatrixMove, AtomicUpdate, AsyncCopy,
                 BulkCopy, AsyncStore, TensorCopy, TensorField, CopyGroup, CopyArrival, MbarrierOp, BlockBarrier,
                 ClusterBarrier, BarrierReduction, WarpBarrier, ProxyFence, Shuffle, Vote, Match, WarpReduction,
                 CachePolicy>;

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_TEXT_FAMILIES_H
