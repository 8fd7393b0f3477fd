//===- Ptx.h - PTX as plain data --------------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_TEXT_PTX_H
#define FSM_LIB_SIMULATOR_TEXT_PTX_H

#include "Families.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fsm::sim {

class Warp;

/// The width of a value; 1 for a predicate, 0 for None.
unsigned bitsOf(Type type);
inline unsigned bytesOf(Type type) { return bitsOf(type) / 8; }
bool isSigned(Type type);
bool isFloat(Type type);
/// The type of each half of a packed value; other types are their own.
Type elementOf(Type type);
/// The type a suffix such as "f16x2" names, or None.
Type typeNamed(const std::string &name);

enum class Space : uint8_t { Generic, Global, Shared, Local, Const, Param };

struct Position {
  uint32_t line = 0, column = 0;
};

enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  LaneMaskEq,
  LaneMaskLe,
  LaneMaskLt,
  LaneMaskGe,
  LaneMaskGt,
  Clock,
  ClockHi,
  Clock64,
  GlobalTimer,
  GlobalTimerLo,
  GlobalTimerHi,
  WarpSize,
  DynamicSharedSize,
  TotalSharedSize,
  ClusterRank,
  ClusterBlocks,
  ClusterIdX,
  NclusterIdX,
  Zero,
  One
};

/// One operand of an instruction.
struct Operand {
  enum class Kind : uint8_t {
    Register, ///< `index` is the register's number.
    Integer,  ///< `bits`
    Real,     ///< `bits` of a double
    Real32,   ///< `bits` of a float, written 0f...
    SpecialRegister,
    Variable, ///< `index` into Function::variables (or the module's); `offset` bytes on.
    Address,  ///< `elements[0]` (Register, Integer or Variable) plus `offset` bytes.
    Vector,   ///< `elements`
    Pair,     ///< `elements`: a|b
    List,     ///< `elements`: (a, b)
    Name,     ///< `name`: a label or a function
    Sink,     ///< `_`
  };
  Kind kind = Kind::Sink;
  bool negated = false;
  Special special = Special::Zero;
  uint32_t index = 0;
  uint64_t bits = 0;
  int64_t offset = 0;
  std::string name;
  std::vector<Operand> elements;
  Position position;
};

/// PTX ISA 9.0, 8.2: the semantics of an access or a fence. All but weak ones are strong;
/// volatile is relaxed, of the scope of the system.
enum class Order : uint8_t { Weak, Relaxed, Acquire, Release, AcqRel };

inline bool acquires(Order order) { return order == Order::Acquire || order == Order::AcqRel; }
inline bool releases(Order order) { return order == Order::Release || order == Order::AcqRel; }

struct Instruction;
using Execute = void (*)(Warp &warp, const Instruction &instruction, uint32_t lanes);

inline constexpr uint32_t kNowhere = ~0u;

struct Instruction {
  // As written.
  std::string opcode;
  std::vector<std::string> modifiers;
  std::vector<Operand> operands;
  Position position;
  uint32_t sourceFile = 0, sourceLine = 0;
  bool isGuarded = false, guardNegated = false;
  uint32_t guard = 0;

  // As decoded: what all families have, and what each makes of its other modifiers.
  Execute execute = nullptr;
  Decoded decoded;
  Type type = Type::None;
  Space space = Space::Generic;
  Order order = Order::Weak;
  /// The scope is the block; a wider one is the whole device for all it matters.
  bool isBlockScope = false;
  /// Operand 0 is what it writes.
  bool writesFirst = false;
  uint32_t target = kNowhere, reconvergence = kNowhere;
  /// Stores of a kernel are numbered from 1 on; 0: it is none.
  uint32_t storeNumber = 0;
  bool isStrong() const { return order != Order::Weak; }
  /// What its family has made of it.
  template <typename Family>
  const Family &as() const {
    return std::get<Family>(decoded);
  }
  /// Null where it is of another family.
  template <typename Family>
  const Family *ifIs() const {
    return std::get_if<Family>(&decoded);
  }
  /// brx: where the table leads to.
  std::vector<uint32_t> targets;
};

/// A variable of any space.
struct Variable {
  std::string name;
  Position position;
  Space space = Space::Global;
  uint64_t bytes = 0, alignment = 1;
  /// Declared without an extent: the launch's dynamic shared memory.
  bool isDynamic = false, isExtern = false;
  /// Its place in its space. Globals get theirs from the device.
  uint64_t offset = 0;
  /// As far as it is written; what is behind it is zero.
  std::vector<uint8_t> initial;
  /// Places in `initial` that hold the address of another variable.
  std::vector<std::pair<uint64_t, std::string>> references;
};

/// What a thread has of local memory, and a kernel of parameters (CUDA C++ Programming
/// Guide, "Compute Capabilities"; PTX ISA 9.0, 5.1.6).
inline constexpr uint64_t kMaxLocalBytes = 512 * 1024, kMaxParameterBytes = 32764;

/// What the threads of a multiprocessor have of registers.
inline constexpr int kRegistersOfMultiprocessor = 65536;

/// Of blocks in a cluster, where a launch asks for more than are portable.
inline constexpr uint32_t kMostClusterBlocks = 16;

struct Function {
  std::string name;
  bool isEntry = false, isDefined = false;
  Position position;
  std::vector<Variable> parameters, results;
  /// All that the body can name: parameters and results first.
  std::vector<Variable> variables;
  std::vector<Instruction> code;
  uint32_t registers = 0;
  std::vector<std::string> registerNames;
  std::vector<uint8_t> registerBits;
  uint64_t parameterBytes = 0, sharedBytes = 0, localBytes = 0;
  uint32_t requiredThreads[3] = {0, 0, 0}, maximalThreads[3] = {0, 0, 0};
  /// .reqnctapercluster: blocks of a cluster, along x; 0: the launch says that.
  uint32_t clusterBlocks = 0;
};

/// A module's functions and variables.
struct Program {
  std::map<std::string, Function> functions;
  std::vector<Variable> globals;
  std::map<uint32_t, std::string> files;
  std::string target;
  /// Of PTX, as major * 10 + minor; 0 if the text does not say.
  long version = 0;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_TEXT_PTX_H
