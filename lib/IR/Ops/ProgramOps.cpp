//===- ProgramOps.cpp - Kernels, programs and facts ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Elements/GridText.h"
#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

/// Reads `(%a: type {attrs}, ...)`; each argument remembers its name in its
/// location, so that callers can be told which one is meant.
static ParseResult parseArguments(OpAsmParser &parser,
                                  SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true,
                               /*allowAttrs=*/true))
    return failure();
  for (OpAsmParser::Argument &argument : arguments) {
    Builder &builder = parser.getBuilder();
    Location loc = parser.getEncodedSourceLoc(argument.ssaName.location);
    StringRef name = argument.ssaName.name.drop_front();
    argument.sourceLoc = NameLoc::get(builder.getStringAttr(name), loc);
  }
  return success();
}

/// Lets the numbers of a kernel be written as they come, as `num_warps = 4`: MLIR's parser makes an
/// i64 of that.
static LogicalResult narrowNumbers(OperationState &result,
                                   function_ref<InFlightDiagnostic()> emitError) {
  for (NamedAttribute attribute : result.attributes.getAttrs()) {
    StringRef name = attribute.getName();
    if (name != "num_warps" && name != "num_ctas" && name != "max_registers")
      continue;
    auto number = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!number || !number.getType().isSignlessInteger() || !number.getValue().isSignedIntN(32))
      return emitError() << "expected '" << name << "' to be an i32, got " << attribute.getValue();
    Type type = IntegerType::get(number.getContext(), 32);
    result.attributes.set(name, IntegerAttr::get(type, number.getInt()));
  }
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  llvm::SMLoc loc = parser.getCurrentLocation();
  auto emitError = [&] { return parser.emitError(loc); };
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      parseArguments(parser, arguments))
    return failure();
  if (succeeded(parser.parseOptionalArrow()))
    return emitError() << "expected no results: a kernel stores what it computes";
  if (succeeded(parser.parseOptionalKeyword("grid"))) {
    ArrayAttr grid;
    if (parseGrid(parser, arguments, grid))
      return failure();
    result.addAttribute(getGridAttrName(result.name), grid);
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      failed(narrowNumbers(result, emitError)) ||
      failed(verifyInherentAttrs(result.name, result.attributes, emitError)))
    return failure();
  Builder &builder = parser.getBuilder();
  SmallVector<Type> types;
  for (OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(types, {})));
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, {},
                                            getArgAttrsAttrName(result.name),
                                            getResAttrsAttrName(result.name));
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    return emitError() << "expected a body that ends with 'fsm.return'";
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(printer, *this, getArgumentTypes(),
                                                  /*isVariadic=*/false, getResultTypes());
  if (std::optional<ArrayAttr> grid = getGrid()) {
    printer << " grid ";
    printGrid(printer, getBody().getArguments(), *grid);
  }
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getFunctionTypeAttrName(), getArgAttrsAttrName(), getResAttrsAttrName(), getGridAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void KernelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    if (auto name = dyn_cast<NameLoc>(argument.getLoc()))
      setName(argument, name.getName());
}

static LogicalResult verifyRange(KernelOp kernel, StringRef name, std::optional<uint32_t> value,
                                 uint32_t most, bool powerOfTwo) {
  if (!value)
    return success();
  if (*value < 1 || *value > most || (powerOfTwo && !llvm::isPowerOf2_32(*value)))
    return kernel.emitOpError() << "expected '" << name << "' to be "
                                << (powerOfTwo ? "a power of two " : "") << "between 1 and " << most
                                << ", got " << static_cast<int32_t>(*value);
  return success();
}

LogicalResult KernelOp::verify() {
  if (!getFunctionType().getResults().empty())
    return emitOpError("expected no results: a kernel stores what it computes");
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (!isa<PointerType>(type) && !isElementType(type))
      return emitOpError() << "expected argument " << index << " to be " << kElementTypeNames
                           << ", or a pointer, got " << type;
  if (failed(verifyArgumentAttributes(*this)))
    return failure();
  // A CTA has at most 1024 threads, a portable cluster 8 CTAs (16 on request),
  // a thread 255 registers (CUDA programming guide, "Compute Capabilities").
  if (failed(verifyRange(*this, "num_warps", getNumWarps(), 32, true)) ||
      failed(verifyRange(*this, "num_ctas", getNumCtas(), 16, true)) ||
      failed(verifyRange(*this, "max_registers", getMaxRegisters(), 255, false)))
    return failure();
  if (getGrid() && !isGrid(*getGrid(), getArgumentTypes()))
    return emitOpError("expected a grid of one to three extents of at most 256 numbers, integer "
                       "arguments and signs");
  // The trait SingleBlock has seen that the body is one block and not empty.
  Operation &last = getBody().front().back();
  if (!isa<fsm::ReturnOp>(last))
    return last.emitError() << "expected the kernel to end with 'fsm.return', got '"
                            << last.getName() << "'";
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  unsigned count = 0;
  WalkResult result = getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (++count > kMaxKernelOps)
      return WalkResult(op->emitError() << "expected at most " << kMaxKernelOps
                                        << " ops in a kernel; write what repeats as a loop");
    return WalkResult(verifyLanguage(op));
  });
  return failure(result.wasInterrupted() || failed(verifyReadOnlyArguments(*this)));
}

//===----------------------------------------------------------------------===//
// AssumeOp
//===----------------------------------------------------------------------===//

void AssumeOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // Keeps the op in place. No load of the program reads what it "writes".
  struct AssumptionResource : SideEffects::Resource::Base<AssumptionResource> {
    StringRef getName() final { return "fsm.assumption"; }
  };
  effects.emplace_back(MemoryEffects::Write::get(), AssumptionResource::get());
}

void AssumeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(+[](AssumeOp op, PatternRewriter &rewriter) {
    if (!matchPattern(op.getCondition(), m_One()))
      return rewriter.notifyMatchFailure(op, "the condition is not known to be true");
    rewriter.eraseOp(op);
    return success();
  });
}

//===----------------------------------------------------------------------===//
// HintOp
//===----------------------------------------------------------------------===//

LogicalResult HintOp::verify() {
  size_t rank = std::max<size_t>(1, shapeOf(getType()).size());
  std::pair<StringRef, std::optional<ArrayRef<int64_t>>> facts[] = {
      {"multiple_of", getMultipleOf()},
      {"max_contiguous", getMaxContiguous()},
      {"max_constancy", getMaxConstancy()}};
  bool any = false;
  for (auto [name, values] : facts) {
    if (!values)
      continue;
    any = true;
    if (values->size() != rank)
      return failWithOrigins(emitOpError() << "expected '" << name << "' to have " << rank
                                           << (rank == 1 ? " number" : " numbers") << " for "
                                           << getType() << ", got " << values->size(),
                             {{"the value", getValue()}});
    for (int64_t value : *values)
      if (value < 1)
        return emitOpError() << "expected positive numbers in '" << name << "', got " << value;
  }
  if (!any)
    return emitOpError("expected at least one of 'multiple_of', 'max_contiguous', "
                       "'max_constancy'");
  return success();
}

//===----------------------------------------------------------------------===//
// Loops that upstream would take for empty
//===----------------------------------------------------------------------===//

static Value constantInt(OpBuilder &builder, Location loc, const APInt &number) {
  Type type = builder.getIntegerType(number.getBitWidth());
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, number));
}

/// The distance of the bounds where it is a known number, which a loop of that type holds as an
/// unsigned number; zero when the loop does not run.
static std::optional<APInt> knownDistance(scf::ForOp loop) {
  APInt lower, upper, added;
  if (matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) &&
      matchPattern(loop.getUpperBound(), m_ConstantInt(&upper))) {
    bool runs = loop.getUnsignedCmp() ? lower.ult(upper) : lower.slt(upper);
    return runs ? upper - lower : APInt::getZero(lower.getBitWidth());
  }
  auto sum = loop.getUpperBound().getDefiningOp<arith::AddIOp>();
  if (sum && loop.getUnsignedCmp() && sum.getLhs() == loop.getLowerBound() &&
      bitEnumContainsAny(sum.getOverflowFlags(), arith::IntegerOverflowFlags::nuw) &&
      matchPattern(sum.getRhs(), m_ConstantInt(&added)))
    return added;
  return std::nullopt;
}

/// How often a loop runs whose step, as a signed number, were negative: twice at most.
static Value timesOfHugeStep(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  auto isLess = [&](Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, left, right);
  };
  auto number = [&](unsigned times) { return constantInt(builder, loc, APInt(32, times)); };
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value again =
      arith::SelectOp::create(builder, loc, isLess(loop.getStep(), distance), number(2), number(1));
  return arith::SelectOp::create(builder, loc, isLess(lower, upper), again, number(0));
}

/// How often a loop of a known distance runs: once for each step that is begun, as an i64.
/// Nobody waits for the end of one that runs longer.
static Value timesOfDistance(OpBuilder &builder, scf::ForOp loop, const APInt &distance) {
  Location loc = loop.getLoc();
  Value step = loop.getStep();
  Value zero = constantInt(builder, loc, APInt::getZero(distance.getBitWidth()));
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  Value isPositive = arith::CmpIOp::create(builder, loc, predicate, step, zero);
  Value steps = arith::CeilDivUIOp::create(builder, loc, constantInt(builder, loc, distance), step);
  Value times = arith::SelectOp::create(builder, loc, isPositive, steps, zero);
  if (distance.getBitWidth() < 64)
    return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), times);
  Value most = constantInt(builder, loc, APInt::getSignedMaxValue(64));
  return arith::MinUIOp::create(builder, loc, times, most);
}

/// Upstream takes distances and steps for signed numbers and drops a loop in which one
/// seems to be negative. Such a loop counts how often it runs instead.
static LogicalResult countTimes(scf::ForOp loop, PatternRewriter &rewriter) {
  auto type = dyn_cast<IntegerType>(loop.getInductionVar().getType());
  if (!type || type.getWidth() > 64)
    return rewriter.notifyMatchFailure(loop, "the loop counts in no type of the language");
  APInt step;
  bool isHuge = loop.getUnsignedCmp() && matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
                step.isNegative();
  std::optional<APInt> distance = knownDistance(loop);
  if (!isHuge && (!distance || !distance->isNegative()))
    return rewriter.notifyMatchFailure(loop, "no number seems to be negative");
  Location loc = loop.getLoc();
  Value times =
      isHuge ? timesOfHugeStep(rewriter, loop) : timesOfDistance(rewriter, loop, *distance);
  auto wide = cast<IntegerType>(times.getType());
  Value zero = constantInt(rewriter, loc, APInt::getZero(wide.getWidth()));
  Value one = constantInt(rewriter, loc, APInt(wide.getWidth(), 1));
  auto counting = scf::ForOp::create(rewriter, loc, zero, times, one, loop.getInitArgs());
  counting->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (!counting.getBody()->empty())
    rewriter.eraseOp(counting.getBody()->getTerminator());
  rewriter.setInsertionPointToStart(counting.getBody());
  Value time = counting.getInductionVar();
  if (wide.getWidth() > type.getWidth())
    time = arith::TruncIOp::create(rewriter, loc, type, time);
  else if (wide.getWidth() < type.getWidth())
    time = arith::ExtUIOp::create(rewriter, loc, type, time);
  Value way = arith::MulIOp::create(rewriter, loc, time, loop.getStep());
  SmallVector<Value> arguments = {arith::AddIOp::create(rewriter, loc, loop.getLowerBound(), way)};
  llvm::append_range(arguments, counting.getRegionIterArgs());
  rewriter.mergeBlocks(loop.getBody(), counting.getBody(), arguments);
  rewriter.replaceOp(loop, counting.getResults());
  return success();
}

void FSMDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  // Before upstream's own.
  constexpr unsigned benefit = 2;
  patterns.add(countTimes, benefit);
}
