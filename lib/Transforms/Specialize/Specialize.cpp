//===- Specialize.cpp - Known arguments become attributes ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Artifact/ArgumentFact.h"
#include "fsm/IR/Origins.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace fsm {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
struct Specialize : fsm::impl::SpecializePassBase<Specialize> {
  using SpecializePassBase::SpecializePassBase;

  void runOnOperation() override {
    FailureOr<KernelOp> found = findKernel();
    if (failed(found) || failed(checkSpread(*found)) || failed(writeFacts(*found)))
      return signalPassFailure();
    writeOverrides(*found);
  }

private:
  FailureOr<KernelOp> findKernel() {
    ModuleOp module = getOperation();
    auto kernels = llvm::to_vector(module.getOps<KernelOp>());
    if (kernels.empty())
      return emitError(startOf(module), "expected at least one 'fsm.kernel' in the module");
    if (kernel.empty() && kernels.size() == 1)
      return kernels.front();
    for (KernelOp candidate : kernels)
      if (candidate.getSymName() == kernel)
        return candidate;
    std::string names;
    for (KernelOp candidate : kernels)
      names += (names.empty() ? "'@" : ", '@") + candidate.getSymName().str() + "'";
    InFlightDiagnostic error = emitError(startOf(module));
    if (kernel.empty())
      error << "expected the name of one of the kernels " << names;
    else
      error << "there is no kernel '@" << kernel << "' in the module; it has " << names;
    for (KernelOp candidate : kernels)
      error.attachNote(candidate.getLoc()) << "'@" << candidate.getSymName() << "' is here";
    return error;
  }

  LogicalResult checkSpread(KernelOp op) {
    if (!spread || (llvm::isPowerOf2_32(spread) && spread <= kPortableCtas))
      return success();
    return op.emitError() << "expected spread to be a power of two from 1 to " << kPortableCtas
                          << ", got " << spread.getValue();
  }

  LogicalResult writeFacts(KernelOp op) {
    if (facts.empty())
      return success();
    if (facts.size() != op.getNumArguments())
      return op.emitError() << "expected facts of " << op.getNumArguments() << " arguments, got "
                            << facts.size();
    for (unsigned i = 0; i < op.getNumArguments(); ++i) {
      std::optional<ArgumentFact> fact = parseFact(facts[i]);
      if (!fact)
        return failWithOrigins(
            op.emitError() << "expected the fact of argument " << i
                           << " to be a positive number, 'one', 'noalias', 'large', bounds such as '1..8' or empty, got '"
                           << facts[i] << "'",
            {{"what it is said of", op.getArgument(i)}});
      writeFact(op, i, *fact);
    }
    return success();
  }

  void writeFact(KernelOp op, unsigned index, const ArgumentFact &fact) {
    Builder builder(&getContext());
    Type type = op.getArgumentTypes()[index];
    bool isPointer = isa<PointerType>(type);
    if (!isPointer && !type.isSignlessInteger())
      return;
    // What divides a truth by more than 1 says that it is false.
    if (type.isInteger(1)) {
      if (fact.divisible > 1)
        replaceBy(op, index, 0);
      else if (fact.isOne)
        replaceBy(op, index, 1);
      return;
    }
    StringRef name = isPointer ? kAlignAttr : kDivisibleAttr;
    auto known = op.getArgAttrOfType<IntegerAttr>(index, name);
    if (fact.divisible > (known ? known.getInt() : 1) && llvm::isPowerOf2_32(fact.divisible))
      op.setArgAttr(index, name, builder.getI32IntegerAttr(fact.divisible));
    if (isPointer && fact.noAlias)
      op.setArgAttr(index, kNoAliasAttr, builder.getUnitAttr());
    if (isPointer && fact.isLarge)
      op.setArgAttr(index, kLargeAttr, builder.getUnitAttr());
    if (!isPointer)
      writeBounds(op, index, fact);
    if (!isPointer && fact.isOne) {
      op.setArgAttr(index, kEqualToAttr, builder.getI32IntegerAttr(1));
      replaceBy(op, index, 1);
    }
  }

  /// Bounds that attributes have room for, where they say more than the author's.
  void writeBounds(KernelOp op, unsigned index, const ArgumentFact &fact) {
    Builder builder(&getContext());
    auto known = [&](StringRef name, int64_t absent) {
      auto number = op.getArgAttrOfType<IntegerAttr>(index, name);
      return number ? number.getInt() : absent;
    };
    if (fact.atLeast > known(kAtLeastAttr, 0))
      op.setArgAttr(index, kAtLeastAttr, builder.getI32IntegerAttr(std::min<int64_t>(fact.atLeast, INT32_MAX)));
    if (fact.atMost > 0 && fact.atMost < known(kAtMostAttr, INT32_MAX))
      op.setArgAttr(index, kAtMostAttr, builder.getI32IntegerAttr(fact.atMost));
  }

  void replaceBy(KernelOp op, unsigned index, int64_t number) {
    BlockArgument argument = op.getBody().getArgument(index);
    if (argument.use_empty())
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&op.getBody().front());
    Value constant = arith::ConstantOp::create(
        builder, argument.getLoc(), builder.getIntegerAttr(argument.getType(), number));
    argument.replaceAllUsesWith(constant);
  }

  void writeOverrides(KernelOp op) {
    if (numWarps)
      op.setNumWarps(numWarps);
    if (numCtas)
      op.setNumCtas(numCtas);
    if (spread > 1)
      op->setAttr(kSpreadAttr, Builder(&getContext()).getI32IntegerAttr(
                                   static_cast<int32_t>(spread.getValue())));
    if (cluster)
      op->setAttr(kClusterAttr, Builder(&getContext()).getI32IntegerAttr(
                                    static_cast<int32_t>(cluster.getValue())));
    if (!libdevice.empty())
      op->setAttr(kLibdeviceAttr, UnitAttr::get(&getContext()));
    if (!numStages)
      return;
    Attribute stages = Builder(&getContext()).getI32IntegerAttr(numStages);
    bool isHinted = false;
    op.walk([&](scf::ForOp loop) {
      if (!loop->hasAttr(kNumStagesAttr))
        return;
      isHinted = true;
      loop->setAttr(kNumStagesAttr, stages);
      loop->setAttr(kForcedStagesAttr, UnitAttr::get(&getContext()));
    });
    if (!isHinted)
      op.emitRemark() << "'num-stages' changes nothing: no loop of the kernel has '"
                      << kNumStagesAttr << "'";
  }
};
} // namespace
