//===- LayoutOps.cpp - Which thread holds which element ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace fsm;

bool fsm::hasLayoutOrNone(RankedTensorType type) {
  return !type.getEncoding() || isa<LayoutAttr>(type.getEncoding());
}

RankedTensorType fsm::withLayout(RankedTensorType type, const LinearLayout &layout) {
  return type.cloneWithEncoding(LayoutAttr::get(type.getContext(), layout));
}

LinearLayout fsm::linearLayoutOf(RankedTensorType type) {
  return cast<LayoutAttr>(type.getEncoding()).toLinear(type.getShape());
}

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

/// The most bits of each kind: 4096 registers, 32 lanes, 32 warps, 16 ctas; offsets of a block
/// whose five extents are rounded up.
static constexpr unsigned kMaxRegisterBits = 12, kLaneBits = 5, kMaxWarpBits = 5, kMaxCtaBits = 4,
                          kMaxOffsetBits = 25;

LayoutAttr LayoutAttr::get(MLIRContext *context, const LinearLayout &layout) {
  const BitSpace &block = layout.to();
  unsigned rank = static_cast<unsigned>(block.axes().size());
  auto flat = [&](Dim dim) {
    SmallVector<int64_t> coordinates;
    for (uint64_t base : layout.basesOf(dim))
      for (unsigned i = 0; i < rank; ++i)
        coordinates.push_back(static_cast<int64_t>(block.get(base, blockDim(i))));
    return coordinates;
  };
  return get(context, rank, flat(Dim::Register), flat(Dim::Lane), flat(Dim::Warp), flat(Dim::Cta),
             flat(Dim::Offset));
}

/// The parts of a linear layout of a block with these extents.
static std::pair<BitSpace, std::vector<uint64_t>> placesOf(LayoutAttr layout,
                                                           const BitSpace &block) {
  unsigned rank = layout.getRank();
  std::vector<uint64_t> bases;
  for (ArrayRef<int64_t> list : {layout.getRegisters(), layout.getLanes(), layout.getWarps(),
                                 layout.getCtas(), layout.getOffsets()})
    for (size_t i = 0; i < list.size(); i += rank) {
      uint64_t base = 0;
      for (unsigned dim = 0; dim < rank; ++dim)
        base |= block.place(blockDim(dim), static_cast<uint64_t>(list[i + dim]));
      bases.push_back(base);
    }
  auto bits = [&](ArrayRef<int64_t> list) { return static_cast<unsigned>(list.size() / rank); };
  if (layout.isOfShared())
    return {BitSpace::offsets(bits(layout.getOffsets())), bases};
  return {BitSpace::threads(bits(layout.getRegisters()), bits(layout.getLanes()),
                            bits(layout.getWarps()), bits(layout.getCtas())),
          bases};
}

static BitSpace blockSpace(ArrayRef<int64_t> shape) {
  return BitSpace::block({shape.begin(), shape.end()});
}

LinearLayout LayoutAttr::toLinear(ArrayRef<int64_t> shape) const {
  BitSpace block = blockSpace(shape);
  auto [places, bases] = placesOf(*this, block);
  return LinearLayout(places, block, bases);
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (isOfShared())
    return emitError() << "expected a layout of threads under a block, got one of shared memory";
  return verifyExtents(shape, emitError);
}

LogicalResult LayoutAttr::verifyInside(ArrayRef<int64_t> shape,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getRank())
    return emitError() << "expected a layout of rank " << shape.size()
                       << " for the block, got rank " << getRank();
  if (llvm::any_of(shape, [](int64_t extent) { return extent < 1 || extent > kMaxBlockElements; }))
    return emitError() << "expected a block of static shape under a layout";
  BitSpace block = blockSpace(shape);
  for (ArrayRef<int64_t> list : {getRegisters(), getLanes(), getWarps(), getCtas(), getOffsets()})
    for (size_t i = 0; i < list.size(); ++i) {
      unsigned bits = block.bitsOf(blockDim(i % getRank()));
      if (list[i] < 0 || list[i] >> bits)
        return emitError() << "expected the layout to stay below the extent "
                           << (int64_t(1) << bits) << " along dimension " << i % getRank()
                           << ", got " << list[i];
    }
  return success();
}

LogicalResult LayoutAttr::verifyExtents(ArrayRef<int64_t> shape,
                                        function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(verifyInside(shape, emitError)))
    return failure();
  // Any such coordinates make a linear map.
  if (!toLinear(shape).isSurjective())
    return emitError() << "expected a layout that holds every element of the block";
  return success();
}

/// `= [[1, 0], [2, 0]]`. All coordinates have the same length, in `rank`.
static ParseResult parseBases(AsmParser &parser, SmallVector<int64_t> &bases, unsigned &rank,
                              unsigned &count) {
  if (parser.parseEqual())
    return failure();
  auto parseBase = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    size_t before = bases.size();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&]() { return parser.parseInteger(bases.emplace_back()); }))
      return failure();
    size_t length = bases.size() - before;
    if (length == 0 || length > kMaxBlockRank || (rank && length != rank))
      return parser.emitError(loc)
             << "expected " << (rank ? rank : 1u)
             << (rank ? "" : " to " + std::to_string(kMaxBlockRank)) << " coordinates, got "
             << length;
    rank = static_cast<unsigned>(length);
    ++count;
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseBase);
}

/// The rest of a layout of shared memory.
static Attribute parseOffsets(AsmParser &parser) {
  SmallVector<int64_t> bases;
  unsigned rank = 0, count = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (parseBases(parser, bases, rank, count) || parser.parseGreater())
    return {};
  if (count < 1 || count > kMaxOffsetBits) {
    parser.emitError(loc) << "expected 1 to " << kMaxOffsetBits << " bits of 'offset', got "
                          << count;
    return {};
  }
  return LayoutAttr::get(parser.getContext(), rank, {}, {}, {}, {}, bases);
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  struct Part {
    StringRef name;
    unsigned most;
    SmallVector<int64_t> bases = {};
  } parts[] = {{"register", kMaxRegisterBits},
               {"lane", kLaneBits},
               {"warp", kMaxWarpBits},
               {"cta", kMaxCtaBits}};
  unsigned rank = 0;
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("offset")))
    return parseOffsets(parser);
  for (Part &part : parts) {
    SMLoc loc = parser.getCurrentLocation();
    unsigned count = 0;
    if ((&part != parts && parser.parseComma()) || parser.parseKeyword(part.name) ||
        parseBases(parser, part.bases, rank, count))
      return {};
    if (count > part.most || (part.name == "lane" && count != kLaneBits)) {
      parser.emitError(loc) << "expected " << (part.name == "lane" ? "" : "at most ") << part.most
                            << " bits of '" << part.name << "', got " << count;
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), rank, parts[0].bases, parts[1].bases, parts[2].bases,
             parts[3].bases, /*offsets=*/{});
}

void LayoutAttr::print(AsmPrinter &printer) const {
  auto print = [&](StringRef name, ArrayRef<int64_t> bases) {
    printer << name << " = [";
    for (size_t i = 0; i < bases.size(); i += getRank()) {
      printer << (i ? ", [" : "[");
      llvm::interleaveComma(bases.slice(i, getRank()), printer);
      printer << "]";
    }
    printer << "]";
  };
  printer << "<";
  if (isOfShared()) {
    print("offset", getOffsets());
    printer << ">";
    return;
  }
  print("register", getRegisters());
  printer << ", ";
  print("lane", getLanes());
  printer << ", ";
  print("warp", getWarps());
  printer << ", ";
  print("cta", getCtas());
  printer << ">";
}

//===----------------------------------------------------------------------===//
// ConvertLayoutOp
//===----------------------------------------------------------------------===//

LogicalResult RenewOp::verify() {
  Type element = getSource().getType().getElementType();
  if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 16)
    return success();
  return failWithOrigins(emitOpError("expected elements of 16 bits, got ") << element,
                         {{"the source", getSource()}});
}

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  if (source.cloneWithEncoding({}) != result.cloneWithEncoding({}))
    return failWithOrigins(emitOpError()
                               << "expected source and result to differ in their layouts only, got "
                               << source << " and " << result,
                           {{"the source", getSource()}});
  LayoutAttr from = layoutOf(source), to = layoutOf(result);
  if (!from || !to)
    return failWithOrigins(emitOpError() << "expected blocks with '#fsm.layout', got " << source
                                         << " and " << result,
                           {{"the source", getSource()}});
  if (from.getWarps().size() != to.getWarps().size() ||
      from.getCtas().size() != to.getCtas().size())
    return failWithOrigins(emitOpError("expected two layouts over equally many warps and ctas"),
                           {{"the source", getSource()}});
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return {};
}
