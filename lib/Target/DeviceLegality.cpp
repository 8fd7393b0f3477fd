//===- DeviceLegality.cpp - What a GPU can run ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every nvvm op and every intrinsic is in a table with the least target and PTX
// version that has it, from the "Target ISA Notes" and "PTX ISA Notes" of the
// PTX manual; what is in no table is refused. Of two entries whose prefixes
// match, the longer counts.

#include "fsm/Target/DeviceLegality.h"

#include "fsm/IR/DeviceLibrary.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

namespace {
/// The least a target needs to have what `text` names.
struct Need {
  llvm::StringLiteral text;
  /// 10 * major + minor of the compute capability.
  unsigned computeCapability;
  /// 10 * major + minor.
  unsigned ptxVersion = 0;
  /// Only the `a` target of exactly that capability has it.
  bool archSpecific = false;
};
} // namespace

/// nvvm ops by the start of their name.
static constexpr Need kOps[] = {
    {"nvvm.bar.warp.sync", 70, 60},
    {"nvvm.barrier", 70, 60},
    {"nvvm.cluster.", 90, 78},
    {"nvvm.convert.f16x2.to.f8x2", 89, 81},
    {"nvvm.convert.f32x2.to.f8x2", 89, 81},
    {"nvvm.convert.f8x2.to.", 89, 81},
    {"nvvm.convert.float.to.tf32", 80, 70},
    {"nvvm.cp.async.", 80, 70},
    {"nvvm.cp.async.bulk.", 90, 80},
    {"nvvm.dot.accumulate.", 61, 50},
    {"nvvm.elect.sync", 90, 80},
    {"nvvm.exit", 50, 20},
    {"nvvm.fence.mbarrier.init", 90, 80},
    {"nvvm.fence.proxy", 90, 80},
    {"nvvm.fence.sc.cluster", 90, 78},
    {"nvvm.griddepcontrol", 90, 78},
    {"nvvm.inline_ptx", 50, 20},
    {"nvvm.ldmatrix", 75, 65},
    {"nvvm.mapa", 90, 78},
    {"nvvm.match.sync", 70, 60},
    {"nvvm.mbarrier.", 80, 70},
    {"nvvm.mbarrier.arrive.expect_tx", 90, 80},
    {"nvvm.mbarrier.complete_tx", 90, 80},
    {"nvvm.mbarrier.expect_tx", 90, 80},
    {"nvvm.mbarrier.try_wait", 90, 78},
    {"nvvm.memory.barrier", 70, 60},
    {"nvvm.mma.sync", 80, 70},
    {"nvvm.nanosleep", 70, 63},
    {"nvvm.prefetch", 90, 80},
    {"nvvm.prmt", 50, 20},
    {"nvvm.rcp.approx.ftz.f", 50, 20},
    {"nvvm.read.ptx.sreg.", 50, 60},
    {"nvvm.read.ptx.sreg.aggr.smem.size", 90, 81},
    {"nvvm.read.ptx.sreg.cluster", 90, 78},
    {"nvvm.read.ptx.sreg.nclusterid", 90, 78},
    {"nvvm.redux.sync", 80, 70},
    {"nvvm.setmaxregister", 90, 80, true},
    {"nvvm.shfl.sync", 50, 60},
    {"nvvm.stmatrix", 90, 78},
    {"nvvm.tcgen05.", 100, 86, true},
    {"nvvm.vote.sync", 50, 60},
    {"nvvm.wgmma.", 90, 80, true},
};

/// Intrinsics that are called by name, by the start of it.
static constexpr Need kIntrinsics[] = {
    {"llvm.nvvm.add.rn", 50, 20},
    {"llvm.nvvm.bar", 50, 60},
    {"llvm.nvvm.bf16", 80, 70},
    {"llvm.nvvm.ceil", 50, 20},
    {"llvm.nvvm.cos.approx", 50, 20},
    {"llvm.nvvm.cp.async.", 80, 70},
    {"llvm.nvvm.cp.async.bulk", 90, 80},
    {"llvm.nvvm.div.", 50, 20},
    {"llvm.nvvm.e4m3x2", 89, 81},
    {"llvm.nvvm.e5m2x2", 89, 81},
    {"llvm.nvvm.ex2.approx", 50, 20},
    {"llvm.nvvm.ex2.approx.f16", 75, 70},
    {"llvm.nvvm.f16x2.to.e", 89, 81},
    {"llvm.nvvm.f2bf16", 80, 70},
    {"llvm.nvvm.f2i.", 50, 20},
    {"llvm.nvvm.f2tf32", 80, 70},
    {"llvm.nvvm.f2ui.", 50, 20},
    {"llvm.nvvm.fabs", 50, 20},
    {"llvm.nvvm.ff.to.e", 89, 81},
    {"llvm.nvvm.ff2", 80, 70},
    {"llvm.nvvm.floor", 50, 20},
    {"llvm.nvvm.fma.rn", 50, 20},
    {"llvm.nvvm.fma.rn.bf16", 80, 70},
    {"llvm.nvvm.fmax.", 50, 20},
    {"llvm.nvvm.fmax.bf16", 80, 70},
    {"llvm.nvvm.fmax.f16", 80, 70},
    {"llvm.nvvm.fmax.ftz.nan", 80, 70},
    {"llvm.nvvm.fmax.nan", 80, 70},
    {"llvm.nvvm.fmin.", 50, 20},
    {"llvm.nvvm.fmin.bf16", 80, 70},
    {"llvm.nvvm.fmin.f16", 80, 70},
    {"llvm.nvvm.fmin.ftz.nan", 80, 70},
    {"llvm.nvvm.fmin.nan", 80, 70},
    {"llvm.nvvm.isspacep.", 50, 20},
    {"llvm.nvvm.ldmatrix.", 75, 65},
    {"llvm.nvvm.lg2.approx", 50, 20},
    {"llvm.nvvm.mma.", 80, 70},
    {"llvm.nvvm.mma.m16n8k32.row.col.f32.e", 89, 84},
    {"llvm.nvvm.mul", 50, 20},
    {"llvm.nvvm.prmt", 50, 20},
    {"llvm.nvvm.rcp.", 50, 20},
    {"llvm.nvvm.redux.sync.", 80, 70},
    {"llvm.nvvm.redux.sync.f", 100, 86, true},
    {"llvm.nvvm.rsqrt.approx", 50, 20},
    {"llvm.nvvm.saturate", 50, 20},
    {"llvm.nvvm.sin.approx", 50, 20},
    {"llvm.nvvm.sqrt.", 50, 20},
    {"llvm.nvvm.tanh.approx", 75, 70},
};

/// What inline PTX may hold that old targets lack, wherever it stands in it.
static constexpr Need kAssembly[] = {
    {".L2::cache_hint", 80, 74},
    {".bulk", 90, 80},
    {".e4m3x2", 89, 81},
    {".e5m2x2", 89, 81},
    {".multicast", 90, 80},
    {".rn.bf16", 80, 70},
    {"L1::", 70, 74},
    {"L2::128B", 75, 74},
    {"L2::256B", 80, 74},
    {"L2::64B", 75, 74},
    {"cluster", 90, 78},
    {"cp.async", 80, 70},
    {"createpolicy", 80, 74},
    {"elect.sync", 90, 80},
    {"ex2.approx.f16", 75, 70},
    {"ex2.approx.ftz.bf16", 90, 78},
    {"fence.proxy.tensormap", 90, 83},
    {"griddepcontrol", 90, 78},
    {"ldmatrix", 75, 65},
    {"max.NaN", 80, 70},
    {"mbarrier", 80, 70},
    {"min.NaN", 80, 70},
    {"redux.sync", 80, 70},
    {"setmaxnreg", 90, 80, true},
    {"stmatrix", 90, 78},
    {"tanh.approx", 75, 70},
    {"tanh.approx.bf16", 90, 78},
    {"tcgen05", 100, 86, true},
    {"tensormap.replace", 90, 83, true},
    {"wgmma", 90, 80, true},
};

/// The intrinsics with an op of their own that NVPTX selects for every type FSM
/// has, or lowers to ops that it does.
static const llvm::StringSet<> &selectable() {
  static const llvm::StringSet<> names = {
      "abs",         "assume",         "bitreverse",   "bswap",          "ceil",
      "copysign",    "ctlz",           "ctpop",        "cttz",           "expect",
      "fabs",        "floor",          "fma",          "fmuladd",        "fshl",
      "fshr",        "is.fpclass",     "lifetime.end", "lifetime.start", "masked.gather",
      "masked.load", "masked.scatter", "masked.store", "maximum",        "maxnum",
      "memcpy",      "memset",         "minimum",      "minnum",         "nearbyint",
      "rint",        "round",          "roundeven",    "sadd.sat",       "smax",
      "smin",        "sqrt",           "ssub.sat",     "trunc",          "uadd.sat",
      "umax",        "umin",           "usub.sat",     "dbg.value",      "dbg.declare",
  };
  return names;
}

static std::string targetName(const Need &need) {
  return "sm_" + std::to_string(need.computeCapability) + (need.archSpecific ? "a" : "");
}

static std::string versionName(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

/// What is missing to satisfy a need, or nothing.
static std::optional<std::string> missing(StringRef what, const Need &need,
                                          const GpuTarget &target) {
  bool has = need.archSpecific
                 ? target.archSpecific && target.computeCapability == need.computeCapability
                 : target.computeCapability >= need.computeCapability;
  if (!has)
    return (what + " needs " + targetName(need) + ", the target is " + target.name).str();
  if (target.ptxVersion < need.ptxVersion)
    return (what + " needs PTX " + versionName(need.ptxVersion) + ", the target " + target.name +
            " uses " + versionName(target.ptxVersion))
        .str();
  return std::nullopt;
}

/// The entry of a table with the longest text that starts the name.
static const Need *find(ArrayRef<Need> table, StringRef name) {
  const Need *best = nullptr;
  for (const Need &need : table)
    if (name.starts_with(need.text) && (!best || need.text.size() > best->text.size()))
      best = &need;
  return best;
}

static std::optional<std::string> checkNamed(ArrayRef<Need> table, StringRef name,
                                             const GpuTarget &target) {
  std::string quoted = ("'" + name + "'").str();
  if (const Need *need = find(table, name))
    return missing(quoted, *need, target);
  return quoted + " is in no table of what GPUs have";
}

static std::optional<std::string> checkAssembly(StringRef text, const GpuTarget &target) {
  for (const Need &need : kAssembly)
    if (text.contains(need.text))
      if (auto reason = missing(("'" + need.text + "' in inline PTX").str(), need, target))
        return reason;
  return std::nullopt;
}

static Type elementType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

/// True for the types of values that PTX has, or that LLVM builds of them.
static bool isDeviceType(Type type) {
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return !structure.isOpaque() && llvm::all_of(structure.getBody(), isDeviceType);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return isDeviceType(array.getElementType());
  if (auto vector = dyn_cast<VectorType>(type))
    if (vector.getRank() != 1 || vector.isScalable())
      return false;
  Type element = elementType(type);
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.getWidth() <= 64;
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, LLVM::LLVMPointerType,
             LLVM::LLVMVoidType, LLVM::LLVMFunctionType, LLVM::LLVMMetadataType,
             LLVM::LLVMTokenType>(element);
}

/// True for an op of the few that give the high half of a 64-bit product, in
/// which LLVM sees one instruction.
static bool isPartOfHighProduct(Operation *op) {
  return isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp, LLVM::MulOp, LLVM::LShrOp, LLVM::AShrOp,
             LLVM::ConstantOp>(op);
}

static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Functions that only some types or an approximation have an instruction for.
static std::optional<std::string> checkIntrinsicOp(Operation *op, StringRef name) {
  bool isReduction = name.starts_with("vector.reduce.");
  if (selectable().contains(name) || isReduction)
    return std::nullopt;
  std::string quoted = "'llvm.intr." + name.str() + "'";
  bool needsApproximation = name == "sin" || name == "cos" || name == "tanh";
  if (name != "exp2" && !needsApproximation)
    return quoted + " has no instruction on a GPU";
  Type type = elementType(op->getResult(0).getType());
  if (!type.isF32())
    return quoted + " of " + typeName(type) + " has no instruction on a GPU, only that of f32 has";
  auto fast = cast<LLVM::FastmathFlagsInterface>(op).getFastmathAttr();
  if (needsApproximation && !bitEnumContainsAny(fast.getValue(), LLVM::FastmathFlags::afn))
    return quoted + " needs the fastmath flag 'afn', for a GPU only approximates it";
  return std::nullopt;
}

static std::optional<std::string> checkCall(LLVM::CallOp call) {
  std::optional<StringRef> callee = call.getCallee();
  if (!callee)
    return "'llvm.call' through a pointer has no stack to run on";
  auto function =
      SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(call, call.getCalleeAttr());
  if (function && !function.isExternal())
    return std::nullopt;
  if (callee->starts_with(kLibdevicePrefix))
    return "'@" + callee->str() +
           "' is in CUDA's libdevice; name its file, as 'fsm-run --libdevice=FILE' does";
  return "'llvm.call' of '@" + callee->str() + "', which is not in the module, and a GPU has none";
}

static std::optional<std::string> checkNvvmOp(Operation *op, const GpuTarget &target) {
  if (auto redux = dyn_cast<NVVM::ReduxOp>(op); redux && redux.getType().isF32())
    return missing("'nvvm.redux.sync' of f32", {"", 100, 86, true}, target);
  if (auto text = dyn_cast<NVVM::InlinePtxOp>(op))
    return checkAssembly(text.getPtxCode(), target);
  return checkNamed(kOps, op->getName().getStringRef(), target);
}

/// Bytes of an argument in a kernel's parameter space, at most what it takes.
static uint64_t argumentBytes(Type type) {
  constexpr uint64_t most = 8;
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8) : most;
}

/// What a kernel asks of every target, or of the one it is compiled for.
static std::optional<std::string> checkKernel(LLVM::LLVMFuncOp kernel, const GpuTarget &target) {
  if (auto shared = kernel->getAttrOfType<IntegerAttr>("fsm.shared_bytes"))
    if (shared.getInt() < 0 || shared.getInt() > int64_t(target.maxSharedBytesPerCta))
      return "kernel '@" + kernel.getName().str() + "' needs " + std::to_string(shared.getInt()) +
             " bytes of shared memory, and a CTA of " + target.name + " has at most " +
             std::to_string(target.maxSharedBytesPerCta);
  // The limit before PTX 8.1, which drivers of the time hold to.
  constexpr uint64_t maxArgumentBytes = 4096;
  uint64_t bytes = 0;
  for (Type type : kernel.getArgumentTypes())
    bytes = llvm::alignTo(bytes, argumentBytes(type)) + argumentBytes(type);
  if (bytes > maxArgumentBytes)
    return "kernel '@" + kernel.getName().str() + "' takes " + std::to_string(bytes) +
           " bytes of arguments, and a GPU passes at most " + std::to_string(maxArgumentBytes);
  return std::nullopt;
}

std::optional<std::string> fsm::whyNotOnDevice(Operation *op, const GpuTarget &target) {
  auto types = llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes());
  for (Type type : types)
    if (!isDeviceType(type) && !(isPartOfHighProduct(op) && elementType(type).isInteger(128)))
      return "'" + op->getName().getStringRef().str() + "' has the type " + typeName(type) +
             ", which no GPU has";
  if (op->getName().getDialectNamespace() == "nvvm")
    return checkNvvmOp(op, target);
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("llvm.intr."))
    return checkIntrinsicOp(op, name);
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return checkKernel(function, target);
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return checkCall(call);
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return checkNamed(kIntrinsics, call.getIntrin(), target);
  if (auto text = dyn_cast<LLVM::InlineAsmOp>(op))
    return checkAssembly(text.getAsmString(), target);
  if (isa<LLVM::InvokeOp, LLVM::LandingpadOp, LLVM::ResumeOp, LLVM::VaArgOp>(op))
    return "'" + name.str() + "' has no meaning on a GPU";
  return std::nullopt;
}

/// "file:line:column: " of the innermost position a location knows.
static std::string position(Location location) {
  std::string text;
  location->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = file.getFilename().str() + ":" + std::to_string(file.getLine()) + ":" +
           std::to_string(file.getColumn()) + ": ";
    return WalkResult::interrupt();
  });
  return text;
}

/// A call whose callee is linked later.
static bool callsLibdevice(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() && call.getCallee()->starts_with(kLibdevicePrefix);
}

Result<void> fsm::checkDeviceOps(ModuleOp module, const GpuTarget &target, bool linksLibdevice) {
  constexpr unsigned most = 10;
  std::string message;
  unsigned found = 0;
  module.walk([&](Operation *op) {
    std::optional<std::string> reason = whyNotOnDevice(op, target);
    if (!reason || (linksLibdevice && callsLibdevice(op)))
      return WalkResult::advance();
    message += (message.empty() ? "" : "\n") + position(op->getLoc()) + "error: " + *reason;
    return ++found == most ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (message.empty())
    return {};
  return badInput(message);
}
