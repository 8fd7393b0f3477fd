//===- LongCode.cpp - Code of kernels without end ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LongCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"

using namespace fsm;

/// Where a back end without these passes is half a second quicker, or half a minute.
static constexpr unsigned kLongCode = 16384;
/// So many that the values which blocks hand on are few, so few that the square of it is little.
static constexpr unsigned kLongestBlock = 1024;

/// Where a back end for the host is a tenth of a second quicker without schedulers.
static constexpr unsigned kLongestScheduled = 4096;

bool fsm::isLongCode(const llvm::Module &module) {
  return module.getInstructionCount() > kLongCode;
}

/// Long blocks become pieces, which go on in one another. The last piece is cut off first, for each
/// instruction behind a cut moves.
static void cutLongBlocks(llvm::Function &function) {
  llvm::SmallVector<llvm::Instruction *> cuts;
  for (llvm::BasicBlock &block : function)
    for (auto [index, instruction] : llvm::enumerate(block))
      if (index && index % kLongestBlock == 0 && !instruction.isTerminator() &&
          !llvm::isa<llvm::PHINode>(instruction))
        cuts.push_back(&instruction);
  for (llvm::Instruction *cut : llvm::reverse(cuts))
    cut->getParent()->splitBasicBlock(cut->getIterator());
}

/// Runs the back end, with all that is in front of the selection at a level of its own, and without
/// some passes behind it.
static bool generateWithout(llvm::ArrayRef<llvm::AnalysisID> passesBehind,
                            llvm::CodeGenOptLevel levelInFront, llvm::Module &module,
                            llvm::TargetMachine &machine, llvm::CodeGenFileType type,
                            llvm::SmallVectorImpl<char> &code) {
  llvm::raw_svector_ostream stream(code);
  // Without a level there is another instruction selection, which the machine would keep for what
  // it compiles next.
  auto restore = llvm::make_scope_exit(
      [&machine, isFast = machine.Options.EnableFastISel] { machine.setFastISel(isFast); });
  llvm::legacy::PassManager passes;
  auto *functions = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  passes.add(config);
  passes.add(functions);
  llvm::CodeGenOptLevel level = machine.getOptLevel();
  machine.setOptLevel(levelInFront);
  bool failed = config->addISelPasses();
  machine.setOptLevel(level);
  if (failed)
    return false;
  for (llvm::AnalysisID pass : passesBehind)
    config->disablePass(pass);
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, stream, nullptr, type, functions->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  passes.run(module);
  return true;
}

bool fsm::generateLongCode(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::SmallVectorImpl<char> &code) {
  for (llvm::Function &function : module)
    cutLongBlocks(function);
  // In front of the selection it would look for neighbours of each address, and three times for
  // what is equal. Registers are still coalesced: without that the code would be twice as long.
  return generateWithout({&llvm::MachineCSELegacyID}, llvm::CodeGenOptLevel::None, module, machine,
                         llvm::CodeGenFileType::AssemblyFile, code);
}

bool fsm::hasLongBlock(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return llvm::any_of(
        function, [](const llvm::BasicBlock &block) { return block.size() > kLongestScheduled; });
  });
}

bool fsm::generateUnscheduled(llvm::Module &module, llvm::TargetMachine &machine,
                              llvm::CodeGenFileType type, llvm::SmallVectorImpl<char> &code) {
  return generateWithout({&llvm::MachineSchedulerID, &llvm::PostRASchedulerID},
                         machine.getOptLevel(), module, machine, type, code);
}
