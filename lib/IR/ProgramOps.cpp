//===- ProgramOps.cpp - Kernels, programs and facts ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/Builders.h"
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
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
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
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
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
  // A CTA has at most 1024 threads, a portable cluster 8 CTAs (16 on request),
  // a thread 255 registers (CUDA programming guide, "Compute Capabilities").
  if (failed(verifyRange(*this, "num_warps", getNumWarps(), 32, true)) ||
      failed(verifyRange(*this, "num_ctas", getNumCtas(), 16, true)) ||
      failed(verifyRange(*this, "max_registers", getMaxRegisters(), 255, false)))
    return failure();
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
  return failure(result.wasInterrupted());
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
      return emitOpError() << "expected '" << name << "' to have " << rank
                           << (rank == 1 ? " number" : " numbers") << " for " << getType()
                           << ", got " << values->size();
    for (int64_t value : *values)
      if (value < 1)
        return emitOpError() << "expected positive numbers in '" << name << "', got " << value;
  }
  if (!any)
    return emitOpError("expected at least one of 'multiple_of', 'max_contiguous', "
                       "'max_constancy'");
  return success();
}
