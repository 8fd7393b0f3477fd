//===- PrintAxisInfo.cpp - Shows what axis info knows --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/AxisInfo.h"
#include "fsm/Transforms/Passes.h"

namespace fsm {
#define GEN_PASS_DEF_PRINTAXISINFOPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

static void remarkOn(Location loc, const Twine &subject, function_ref<void(raw_ostream &)> print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  emitRemark(loc) << subject.str() << text;
}

static void printAccess(raw_ostream &os, const AccessAxis &access) {
  os << "contiguity [";
  llvm::interleaveComma(access.contiguity, os);
  os << "], alignment [";
  llvm::interleaveComma(access.alignment, os);
  os << "]";
}

namespace {
struct PrintAxisInfo : fsm::impl::PrintAxisInfoPassBase<PrintAxisInfo> {
  void runOnOperation() override {
    AxisInfoAnalysis analysis(getOperation());
    auto remarkOnValue = [&](Value value) {
      if (isa<PointerType>(value.getType()) || elementTypeOf(value.getType()).isInteger())
        remarkOn(value.getLoc(), "", [&](raw_ostream &os) { analysis.of(value).print(os); });
    };
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      llvm::for_each(op->getResults(), remarkOnValue);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), remarkOnValue);
      if (isa<GlobalAccess>(op) && !isa<AtomicAccess>(op))
        remarkOn(op->getLoc(),
                 "access: ", [&](raw_ostream &os) { printAccess(os, analysis.accessOf(op)); });
    });
    markAllAnalysesPreserved();
  }
};
} // namespace
