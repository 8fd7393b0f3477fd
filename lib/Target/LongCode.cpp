//===- LongCode.cpp - Code for a GPU of kernels without end --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LongCode.h"

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

bool fsm::isLongCode(const llvm::Module &module) {
  return module.getInstructionCount() > kLongCode;
}

/// What is behind the first instructions of a long block becomes a block of its own, and so on.
static void cutLongBlocks(llvm::Function &function) {
  for (llvm::BasicBlock &block : function) {
    if (block.size() <= kLongestBlock)
      continue;
    auto place = std::next(block.begin(), kLongestBlock);
    if (!llvm::isa<llvm::PHINode>(*place) && !place->isTerminator())
      block.splitBasicBlock(place);
  }
}

bool fsm::generateLongCode(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::SmallVectorImpl<char> &code) {
  for (llvm::Function &function : module)
    cutLongBlocks(function);
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager passes;
  auto *functions = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  passes.add(config);
  passes.add(functions);
  // In front of the selection it would look for neighbours of each address, and three times for
  // what is equal.
  machine.setOptLevel(llvm::CodeGenOptLevel::None);
  bool failed = config->addISelPasses();
  machine.setOptLevel(llvm::CodeGenOptLevel::Default);
  if (failed)
    return false;
  // Registers are still coalesced: without that the code would be twice as long.
  config->disablePass(&llvm::MachineCSELegacyID);
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                            functions->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  passes.run(module);
  return true;
}
