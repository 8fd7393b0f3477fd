//===- FSMToGPU.cpp - Kernels to device functions ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A kernel becomes a gpu.func of a gpu.module that one thread executes. Each block is a
// vector of the elements the thread holds, scalars are computed by all threads alike, and
// control flow keeps its form. Ops are rewritten in order, each by what the file of its family
// enters into a table (Program/ThreadLowering.h).

#include "fsm/Conversion/Passes.h"

#include "Memory/Access.h"
#include "Program/ThreadLowering.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/IR/DebugTable.h"
#include "fsm/IR/DeviceLibrary.h"
#include "fsm/IR/HiddenArguments.h"
#include "fsm/IR/TensorMaps.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace fsm {
#define GEN_PASS_DEF_CONVERTFSMTOGPUPASS
#include "fsm/Conversion/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

static constexpr llvm::StringLiteral kSharedSymbol = "fsm_shared";

namespace {
/// Rewrites one kernel.
class KernelLowering {
public:
  KernelLowering(KernelOp kernel, mlir::gpu::GPUModuleOp module, const GpuTarget *target)
      : kernel(kernel), module(module), builder(kernel.getLoc(), kernel.getContext()),
        features(target ? target->features : GpuFeatures()) {}

  LogicalResult run();

private:
  SmallVector<HiddenArgument> addHiddenArguments(SmallVectorImpl<Type> &types);
  void describeLaunch(ArrayRef<HiddenArgument> hidden);
  void createFunction();
  void describeArguments();
  void describeTensorMaps();
  void fetchTensorMaps();
  Value scratchOfCta(Value address);
  Value sharedBase();
  bool storesToOthers(Operation *op) const;
  Operation *firstMeeting();
  LogicalResult lowerProgram();

  KernelOp kernel;
  mlir::gpu::GPUModuleOp module;
  ImplicitLocOpBuilder builder;
  const GpuFeatures features;
  mlir::gpu::GPUFuncOp function;
  std::optional<DeviceProgram> program;
  std::optional<ThreadLowering> thread;
  ProgramPlace place;
  /// Programs of the launch that are one here.
  unsigned batch = 1;
  /// Of global memory, that each cta has for itself.
  uint64_t scratchBytes = 0;
  /// The last of the function's arguments.
  SmallVector<TensorMapOp> tensorMaps;
};
} // namespace

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Whether PTX can name the kernel so, and nothing of ours has the name.
static bool isDeviceName(StringRef name) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  bool begins = !name.empty() && (llvm::isAlpha(name[0]) || (name.size() > 1 && isPart(name[0])));
  return begins && !llvm::isDigit(name[0]) && llvm::all_of(name, isPart) &&
         !name.starts_with("fsm_") && !name.starts_with(kLibdevicePrefix);
}

LogicalResult KernelLowering::run() {
  if (!isDeviceName(kernel.getName()))
    return kernel.emitError() << "expected a name for PTX, of letters, digits, '_' and '$', that "
                                 "begins with no digit, 'fsm_' or '__nv_', got '"
                              << kernel.getName() << "'";
  if (!kernel.getNumWarps())
    return kernel.emitError("expected 'num_warps' on the kernel; 'fsm-choose-warps' writes it");
  place.warps = *kernel.getNumWarps();
  place.ctas = kernel.getNumCtas().value_or(1);
  bool areGroups = kernel->hasAttr(kPartsInCtaAttr);
  (areGroups ? place.groups : place.parts) = integerAttrOr(kernel, kPartsAttr, 1);
  place.programsPerCta = integerAttrOr(kernel, kProgramsPerCtaAttr, 1);
  batch = integerAttrOr(kernel, kBatchAttr, 1);
  place.cluster = programsOfCluster(kernel);
  place.loadWarps = LoadRoleOp::of(kernel) ? LoadRoleOp::kWarps : 0;
  if (areGroups && (place.loadWarps || place.programsPerCta > 1 || place.cluster > 1))
    return kernel.emitError(
        "expected a program that has its cta for itself, and no warps that only load, where "
        "groups of warps share a loop");
  if (place.parts * place.groups > 1 && place.ctas > 1)
    return kernel.emitError() << "expected either 'num_ctas' or '" << kPartsAttr << "', got both";
  if (place.programsPerCta > 1 && (place.warps != 1 || place.ctas != 1 || place.parts != 1))
    return kernel.emitError("expected one warp in each of the programs that share a cta");
  if (place.cluster > 1 && (place.programsPerCta > 1 || place.ctas > 1 || batch > 1))
    return kernel.emitError("expected programs of one cta each in a cluster of programs");
  createFunction();
  if (failed(lowerProgram()))
    return failure();
  kernel.erase();
  return success();
}

/// Which arguments the function has behind the kernel's own, in the order in which a launch passes them; adds their types.
SmallVector<HiddenArgument> KernelLowering::addHiddenArguments(SmallVectorImpl<Type> &types) {
  SmallVector<HiddenArgument> hidden;
  auto add = [&](HiddenArgument argument, Type type) {
    hidden.push_back(argument);
    types.push_back(type);
  };
  auto global = LLVM::LLVMPointerType::get(builder.getContext(), kGlobalSpace);
  if (place.programsPerCta * batch > 1 || kernel->hasAttr(kLoopProgramsAttr))
    add(HiddenArgument::ProgramCount, builder.getI32Type());
  if (kernel->hasAttr(kDebugOpsAttr))
    add(HiddenArgument::DebugRecords, global);
  kernel.walk([&](OwnTensorMapOp map) { scratchBytes += map.getSlots() * OwnTensorMapOp::kMapBytes; });
  if (scratchBytes)
    add(HiddenArgument::Scratch, global);
  kernel.walk([&](TensorMapOp map) {
    tensorMaps.push_back(map);
    add(HiddenArgument::TensorMap, LLVM::LLVMPointerType::get(builder.getContext()));
  });
  return hidden;
}

/// Says on the function how it is to be launched.
void KernelLowering::describeLaunch(ArrayRef<HiddenArgument> hidden) {
  auto set = [&](StringRef name, uint64_t value) {
    function->setAttr(name, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  unsigned warps = place.warps * place.groups + place.loadWarps;
  unsigned threads = kWarpThreads * (place.warps * place.groupsOfCta() + place.loadWarps);
  function.setKnownBlockSize(ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
  set(kNumWarpsAttr, warps);
  set(kProgramsPerCtaAttr, place.programsPerCta);
  if (batch > 1)
    set(kBatchAttr, batch);
  if (Attribute most = kernel->getAttr(kLoopProgramsAttr))
    function->setAttr(kLoopProgramsAttr, most);
  if (place.loadWarps)
    set(kLoadWarpsAttr, place.loadWarps);
  if (unsigned ctas = place.ctas * place.parts; ctas > 1)
    set(kNumCtasAttr, ctas);
  if (place.cluster > 1)
    set(kClusterAttr, place.cluster);
  set(kSharedBytesAttr, uint64_t(integerAttrOr(kernel, kSharedBytesAttr, 0)) * place.groupsOfCta());
  setHiddenArguments(function, hidden);
  if (!kernel.getBody().getOps<WaitPrerequisitesOp>().empty())
    function->setAttr(kOverlapsLaunchesAttr, builder.getUnitAttr());
  if (scratchBytes)
    set(kDeviceScratchAttr, scratchBytes);
  if (Attribute debugOps = kernel->getAttr(kDebugOpsAttr))
    function->setAttr(kDebugOpsAttr, debugOps);
  if (std::optional<uint32_t> registers = kernel.getMaxRegisters())
    set(kMaxRegistersAttr, *registers);
  if (Attribute ctas = kernel->getAttr(kResidentCtasAttr))
    function->setAttr(kResidentCtasAttr, ctas);
}

void KernelLowering::createFunction() {
  SmallVector<Type> types = llvm::map_to_vector(kernel.getArgumentTypes(), threadType);
  SmallVector<HiddenArgument> hidden = addHiddenArguments(types);
  builder.setInsertionPointToEnd(module.getBody());
  function =
      mlir::gpu::GPUFuncOp::create(builder, kernel.getName(), builder.getFunctionType(types, {}));
  function->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  describeLaunch(hidden);
  describeArguments();
  describeTensorMaps();
  builder.setInsertionPointToStart(&function.getBody().front());
  unsigned bytes = integerAttrOr(kernel, kSharedBytesAttr, 0);
  program.emplace(builder, place, bytes, bytes ? sharedBase() : Value());
  auto hiddenArgument = [&](HiddenArgument argument) {
    std::optional<unsigned> place = placeOf(argument, hidden);
    return place ? Value(function.getArgument(kernel.getNumArguments() + *place)) : Value();
  };
  if (Value count = hiddenArgument(HiddenArgument::ProgramCount))
    program->setProgramCount(count);
  if (Value scratch = hiddenArgument(HiddenArgument::Scratch))
    program->setScratch(scratchOfCta(scratch));
  fetchTensorMaps();
  thread.emplace(*program, module, hiddenArgument(HiddenArgument::DebugRecords), features);
  for (auto [map, argument] :
       llvm::zip(tensorMaps, function.getArguments().take_back(tensorMaps.size())))
    thread->set(map.getResult(), argument);
  auto arguments = kernel.getBody().getArguments();
  thread->set(arguments, ValueRange(function.getArguments()).take_front(arguments.size()));
}

/// A buffer that overlaps no other one and that the kernel only reads may be read through
/// the read-only path; of others LLVM must not think that a barrier leaves them alone.
void KernelLowering::describeArguments() {
  llvm::SmallDenseSet<Value> constant = constantArguments(kernel);
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!isa<PointerType>(argument.getType()))
      continue;
    if (Attribute align = kernel.getArgAttr(index, kAlignAttr))
      function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(cast<IntegerAttr>(align).getInt()));
    if (constant.contains(argument)) {
      function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
      function.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
    }
  }
}

/// The bytes themselves are arguments, which the hardware reads where the launch has put them.
void KernelLowering::describeTensorMaps() {
  constexpr int64_t bytes = 128, alignment = 64;
  unsigned first = function.getNumArguments() - tensorMaps.size();
  std::vector<TensorMapPlan> plans;
  for (auto [i, map] : llvm::enumerate(tensorMaps)) {
    auto index = static_cast<unsigned>(first + i);
    plans.push_back(tensorMapPlanOf(map));
    function.setArgAttr(
        index, LLVM::LLVMDialect::getByValAttrName(),
        TypeAttr::get(LLVM::LLVMArrayType::get(builder.getI8Type(), bytes)));
    function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                        builder.getI64IntegerAttr(alignment));
  }
  setTensorMaps(function, plans);
}

/// What of the launch's scratch memory is this cta's.
Value KernelLowering::scratchOfCta(Value address) {
  Type narrow = builder.getI32Type(), wide = builder.getI64Type();
  Value number = NVVM::BlockIdZOp::create(builder, narrow);
  auto add = [&](Value extent, Value id) {
    number = arith::AddIOp::create(builder, arith::MulIOp::create(builder, number, extent), id);
  };
  add(NVVM::GridDimYOp::create(builder, narrow), NVVM::BlockIdYOp::create(builder, narrow));
  add(NVVM::GridDimXOp::create(builder, narrow), NVVM::BlockIdXOp::create(builder, narrow));
  Value bytes = arith::ConstantOp::create(builder, builder.getI64IntegerAttr(static_cast<int64_t>(scratchBytes)));
  Value offset = arith::MulIOp::create(builder, arith::ExtUIOp::create(builder, wide, number), bytes);
  return advance(builder, address, offset);
}

/// The first copy finds them in the cache.
void KernelLowering::fetchTensorMaps() {
  if (tensorMaps.empty())
    return;
  program->emitIf(program->isFirstThread(), [&] {
    for (BlockArgument map : function.getArguments().take_back(tensorMaps.size()))
      inlinePtx(builder, /*result=*/{}, ValueRange{map}, "prefetch.tensormap [$0];", "l");
  });
}

/// The cta's dynamic shared memory, declared once in the module, aligned as one of its kernels
/// wants it.
Value KernelLowering::sharedBase() {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), kSharedSpace);
  uint64_t alignment = kSharedAlignment;
  kernel.walk([&](SharedAllocOp alloc) {
    alignment = std::max(alignment, alloc.getType().getAlignment());
  });
  auto global = module.lookupSymbol<LLVM::GlobalOp>(kSharedSymbol);
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    global = LLVM::GlobalOp::create(
        builder, module.getLoc(), LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
        /*isConstant=*/false, LLVM::Linkage::External, kSharedSymbol, Attribute(), alignment,
        kSharedSpace);
  }
  global.setAlignment(std::max(alignment, global.getAlignment().value_or(0)));
  return LLVM::AddressOfOp::create(builder, pointer, kSharedSymbol);
}

/// Whether a cta stores to another's memory.
bool KernelLowering::storesToOthers(Operation *op) const {
  auto store = dyn_cast<SharedStoreOp>(op);
  return store && (place.parts > 1 ? store.getToFirst() : !op->hasAttr(kWithinCtaAttr));
}

/// The op of the body that is, or holds, the first one by which a cta stores to another's memory or
/// waits for it, for it may not come to a barrier twice. None where nothing is stored so, or where a
/// barrier is first: it suffices.
Operation *KernelLowering::firstMeeting() {
  unsigned warps = warpsOf(kernel);
  Operation *first = nullptr;
  bool areStores = false;
  for (Operation &op : kernel.getBody().front())
    op.walk([&](Operation *inner) {
      areStores |= storesToOthers(inner);
      // Ctas that share a loop have barriers of their own.
      bool isMeeting = hasProgramBarrier(inner, warps);
      if (!first && (storesToOthers(inner) || (isMeeting && place.parts == 1)))
        first = &op;
    });
  return areStores && !isa<ThreadBarrier>(first) ? first : nullptr;
}

/// The body; in a cta that programs share, those beyond the last have nothing to do.
LogicalResult KernelLowering::lowerProgram() {
  if (place.ctas * place.parts > 1) {
    // In front of the meeting, by which others know of them.
    SmallVector<MBarrierInitOp> arrivals;
    for (auto init : kernel.getBody().front().getOps<MBarrierInitOp>())
      if (init.getBytes())
        arrivals.push_back(init);
    Operation *meeting = firstMeeting();
    if (!arrivals.empty())
      makeArrivals(*program, arrivals, /*isFenced=*/meeting != nullptr);
    thread->setFirstMeeting(meeting);
  }
  if (place.programsPerCta > 1) {
    // The first program of a batch is there, or none of it is.
    Value first = program->programId(GridAxis::X);
    if (batch > 1)
      first = arith::MulIOp::create(builder, first, program->i32(batch));
    Value exists = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, first,
                                         program->programCount(GridAxis::X));
    auto choice = scf::IfOp::create(builder, exists, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(choice.thenBlock());
  }
  if (failed(thread->lowerBody(kernel.getBody().front())))
    return failure();
  builder.setInsertionPointToEnd(&function.getBody().front());
  mlir::gpu::ReturnOp::create(builder);
  return success();
}

namespace {
struct ConvertFSMToGPU : fsm::impl::ConvertFSMToGPUPassBase<ConvertFSMToGPU> {
  using ConvertFSMToGPUPassBase::ConvertFSMToGPUPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const GpuTarget *gpu = findGpuTarget(target);
    if (!gpu && !target.empty()) {
      module.emitError() << "unknown GPU target '" << target << "'; expected one of " << gpuTargetNames();
      return signalPassFailure();
    }
    Operation *other = SymbolTable::lookupSymbolIn(module, "kernels");
    if (other && !isa<KernelOp>(other)) {
      other->emitOpError("has the name of the gpu.module that kernels become; rename it");
      return signalPassFailure();
    }
    // A module needs no terminator, and may have one.
    Block *body = module.getBody();
    bool isTerminated = !body->empty() && body->back().hasTrait<OpTrait::IsTerminator>();
    OpBuilder builder(body, isTerminated ? std::prev(body->end()) : body->end());
    auto device = mlir::gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
    for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
      if (failed(KernelLowering(kernel, device, gpu).run()))
        return signalPassFailure();
  }
};
} // namespace
