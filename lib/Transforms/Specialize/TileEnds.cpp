//===- TileEnds.cpp - Of which tiles a launch says that tensors end in them ===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/TileEnds.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/IR/NumberLists.h"
#include "fsm/IR/Users.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;

/// Whether copies of tensors may be made: for products in a loop with stages.
static bool hasStagedProducts(Operation *kernel) {
  WalkResult result = kernel->walk([](DotOp product) {
    for (auto loop = product->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      if (loop->hasAttr(kNumStagesAttr))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
/// The extents of tiles that end at an argument.
class TileEnds {
public:
  explicit TileEnds(BlockArgument argument) : argument(argument) {}

  void addUser(Operation *user);
  std::vector<int64_t> extents;

private:
  void add(int64_t extent) {
    if (!llvm::is_contained(extents, extent))
      extents.push_back(extent);
  }
  /// Of the last dimensions of a tensor, whose sizes and strides are lists.
  void addEnds(ArrayRef<int64_t> shape, ArrayRef<ListedNumber> sizes,
               ArrayRef<ListedNumber> strides);
  void addMask(arith::CmpIOp mask);

  BlockArgument argument;
};
} // namespace

void TileEnds::addEnds(ArrayRef<int64_t> shape, ArrayRef<ListedNumber> sizes,
                       ArrayRef<ListedNumber> strides) {
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    size_t at = sizes.size() - shape.size() + dim;
    bool areSideBySide = at < strides.size() && !strides[at].operand && strides[at].number == 1;
    if (sizes[at].operand == argument && !areSideBySide)
      add(extent);
  }
}

void TileEnds::addMask(arith::CmpIOp mask) {
  std::optional<MaskEnd> end;
  if (isa<RankedTensorType>(mask.getType()))
    end = AffineOffsets(Wrapping::Heeded, AffineOffsets::kFewValues).endOf(mask);
  if (end && end->bound == argument)
    add(cast<RankedTensorType>(mask.getType()).getDimSize(end->dim));
}

void TileEnds::addUser(Operation *user) {
  if (auto places = dyn_cast<PlacesOp>(user)) {
    if (places.getInside())
      addEnds(places.getOffsets().getType().getShape(),
              numbersOf(places.getStaticBounds(), places.getBounds()),
              numbersOf(places.getStaticStrides(), places.getStrides()));
  } else if (auto tensor = dyn_cast<DescriptorOp>(user)) {
    for (LoadTileOp load : usersOf<LoadTileOp>(tensor))
      addEnds(cast<RankedTensorType>(load.getType()).getShape(),
              numbersOf(tensor.getStaticSizes(), tensor.getSizes()),
              numbersOf(tensor.getStaticStrides(), tensor.getStrides()));
  } else if (isa<SplatOp>(user)) {
    for (auto mask : usersOf<arith::CmpIOp>(user->getResult(0)))
      addMask(mask);
  }
}

std::vector<int64_t> fsm::tileExtentsUpTo(BlockArgument argument) {
  TileEnds ends(argument);
  if (hasStagedProducts(argument.getOwner()->getParentOp()))
    for (Operation *user : argument.getUsers())
      ends.addUser(user);
  return std::move(ends.extents);
}
