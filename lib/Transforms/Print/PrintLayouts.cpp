//===- PrintLayouts.cpp - Shows which thread holds which element ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ScratchSize.h"
#include "fsm/Analysis/SharedBuffers.h"
#include "fsm/IR/Origins.h"
#include "fsm/Layout/LayoutPicture.h"
#include "fsm/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace fsm {
#define GEN_PASS_DEF_PRINTLAYOUTSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// The layouts of one kernel by name, L0, L1, ... in the order of their first blocks. A
/// layout is a map onto one shape: the same bases on another shape are another picture.
class KernelLayouts {
public:
  explicit KernelLayouts(KernelOp kernel);

  void print(raw_ostream &os, unsigned maxElements);
  /// Writes the pictures; failure after an error.
  LogicalResult draw(StringRef folder, unsigned maxElements);

private:
  struct Holder {
    Location loc;
    std::string what;
  };
  /// Extents and layout.
  using Key = std::pair<Type, LayoutAttr>;

  void see(Value value, const Twine &what);
  static Key keyOf(RankedTensorType type);
  std::string nameOf(RankedTensorType type);
  /// How a reshape or a conversion brings elements to other threads, or the threads that hold a
  /// block access its elements in shared memory; empty for other ops.
  std::string movementOf(Operation *op);
  std::string accessOf(Operation *op, Value value, SharedType shared);

  KernelOp kernel;
  llvm::MapVector<Key, SmallVector<Holder>> holders;
};
} // namespace

KernelLayouts::KernelLayouts(KernelOp kernel) : kernel(kernel) {
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      see(result, op->getName().getStringRef());
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        see(argument, "argument of " + op->getName().getStringRef());
  });
}

KernelLayouts::Key KernelLayouts::keyOf(RankedTensorType type) {
  Type i1 = IntegerType::get(type.getContext(), 1);
  return {RankedTensorType::get(type.getShape(), i1), layoutOf(type)};
}

void KernelLayouts::see(Value value, const Twine &what) {
  if (layoutOf(value.getType()))
    holders[keyOf(cast<RankedTensorType>(value.getType()))].push_back({value.getLoc(), what.str()});
}

std::string KernelLayouts::nameOf(RankedTensorType type) {
  auto place = std::distance(holders.begin(), holders.find(keyOf(type)));
  return "L" + std::to_string(place);
}

static void printLoc(raw_ostream &os, Location loc) {
  std::string place = textOfPlace(loc);
  os << (place.empty() ? "unknown place" : place);
}

std::string KernelLayouts::accessOf(Operation *op, Value value, SharedType shared) {
  auto block = dyn_cast<RankedTensorType>(value.getType());
  if (!block)
    return "";
  std::string held = (op->getNumResults() == 0 ? " from " : " to ") + nameOf(block) + ", ";
  LayoutAttr layout = shared.getLayout();
  if (!layout)
    return held + "row by row";
  return held + analyseSharedAccess(linearLayoutOf(block), layout.toLinear(block.getShape()),
                                    bytesOf(shared.getElementType()))
                    .format();
}

std::string KernelLayouts::movementOf(Operation *op) {
  if (auto store = dyn_cast<SharedStoreOp>(op))
    return accessOf(op, store.getValue(), store.getShared().getType());
  if (auto load = dyn_cast<SharedLoadOp>(op))
    return accessOf(op, load, load.getShared().getType());
  auto reshape = dyn_cast<ReshapeOp>(op);
  auto convert = dyn_cast<ConvertLayoutOp>(op);
  if (!convert && !(reshape && layoutOf(reshape.getType())))
    return "";
  if (std::optional<std::string> fault = layoutFault(op))
    return ", " + *fault;
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  auto layouts = reshape ? alignedLayouts(reshape)
                         : std::optional(std::pair(linearLayoutOf(from), linearLayoutOf(to)));
  return " from " + nameOf(from) + " to " + nameOf(to) + ", " +
         (layouts ? planBetween(layouts->first, layouts->second, to.getElementType()).format()
                  : "shared memory: row by row");
}

void KernelLayouts::print(raw_ostream &os, unsigned maxElements) {
  os << "kernel @" << kernel.getSymName() << "\n";
  if (holders.empty())
    os << "no block has a layout; 'fsm-assign-layouts' gives each one\n";
  for (auto &[key, list] : holders) {
    auto type = cast<RankedTensorType>(key.first);
    LinearLayout layout = key.second.toLinear(type.getShape());
    os << "\n" << nameOf(type.cloneWithEncoding(key.second)) << ": " << layout.format() << "\n";
    for (const Holder &holder : list) {
      os << "  ";
      printLoc(os, holder.loc);
      os << ": " << holder.what << "\n";
    }
    if (type.getNumElements() <= maxElements)
      os << drawAsText(layout);
    else
      os << "not drawn: " << type.getNumElements() << " elements, more than " << maxElements
         << "\n";
  }
  os << "\n";
  kernel.walk([&](Operation *op) {
    std::string movement = movementOf(op);
    if (movement.empty())
      return;
    printLoc(os, op->getLoc());
    os << ": " << op->getName() << movement << "\n";
  });
}

/// A symbol as part of a file's name: nothing in it leads out of the folder.
static std::string fileNameOf(StringRef symbol) {
  std::string name = symbol.str();
  std::replace_if(name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
  return name;
}

LogicalResult KernelLayouts::draw(StringRef folder, unsigned maxElements) {
  for (auto &[key, list] : holders) {
    auto type = cast<RankedTensorType>(key.first);
    if (type.getNumElements() > maxElements)
      continue;
    std::string name = nameOf(type.cloneWithEncoding(key.second));
    SmallString<128> path(folder);
    llvm::sys::path::append(path, fileNameOf(kernel.getSymName()) + "-" + name + ".svg");
    std::error_code error = llvm::sys::fs::create_directories(folder);
    if (!error) {
      llvm::raw_fd_ostream os(path, error);
      if (!error)
        os << drawAsSvg(key.second.toLinear(type.getShape()));
    }
    if (error)
      return kernel.emitError() << "cannot write the picture '" << path.str()
                                << "': " << error.message();
  }
  return success();
}

void fsm::printLayouts(ModuleOp module, raw_ostream &os, unsigned maxElements) {
  for (KernelOp kernel : module.getOps<KernelOp>())
    KernelLayouts(kernel).print(os, maxElements);
}

namespace {
struct PrintLayouts : fsm::impl::PrintLayoutsPassBase<PrintLayouts> {
  using PrintLayoutsPassBase::PrintLayoutsPassBase;

  void runOnOperation() override {
    std::error_code error;
    // "-" is standard output, where the module goes.
    std::optional<llvm::raw_fd_ostream> opened;
    if (!file.empty())
      opened.emplace(file, error);
    if (error) {
      emitError(startOf(getOperation()))
          << "cannot write the layouts to '" << file << "': " << error.message();
      return signalPassFailure();
    }
    raw_ostream &os = opened ? static_cast<raw_ostream &>(*opened) : llvm::errs();
    printLayouts(getOperation(), os, maxElements);
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (!svg.empty() && failed(KernelLayouts(kernel).draw(svg, maxElements)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
