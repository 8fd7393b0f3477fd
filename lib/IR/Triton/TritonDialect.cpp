//===- TritonDialect.cpp - Triton's IR as its front end prints it --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/Triton/TritonDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm::triton;

#include "fsm/IR/Triton/TritonDialect.cpp.inc"
#include "fsm/IR/Triton/TritonEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "fsm/IR/Triton/TritonTypes.cpp.inc"

#define GET_OP_CLASSES
#include "fsm/IR/Triton/TritonOps.cpp.inc"

void TTDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fsm/IR/Triton/TritonTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fsm/IR/Triton/TritonOps.cpp.inc"
      >();
}

std::optional<Dialect::ParseOpHook> TTDialect::getParseOperationHook(StringRef name) const {
  return [](OpAsmParser &parser, OperationState &result) -> ParseResult {
    return parser.emitError(parser.getNameLoc())
           << "'" << result.name << "' is not among the ops of Triton " << kTritonVersion
           << " that can be imported";
  };
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool fsm::triton::isBlock(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() > 0 && tensor.hasStaticShape() && !tensor.getEncoding();
}

bool fsm::triton::isPointers(Type type) {
  return (isa<PointerType>(type) || isBlock(type)) && isa<PointerType>(getElementTypeOrSelf(type));
}

/// A type in the shape of another: the type itself for that of a scalar.
static Type shapedAs(Type element, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && TensorType::isValidElementType(element) ? tensor.clone(element) : element;
}

Type fsm::triton::pointeeOf(Type pointers) {
  auto pointer = dyn_cast<PointerType>(getElementTypeOrSelf(pointers));
  return pointer ? shapedAs(pointer.getPointeeType(), pointers) : pointers;
}

Type fsm::triton::maskOf(Type type) {
  return shapedAs(IntegerType::get(type.getContext(), 1), type);
}

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

/// An argument without a location of its own is at its name, which it remembers.
static void nameArguments(OpAsmParser &parser, MutableArrayRef<OpAsmParser::Argument> arguments) {
  for (OpAsmParser::Argument &argument : arguments) {
    StringRef name = argument.ssaName.name;
    if (argument.sourceLoc || name.empty())
      continue;
    Location loc = parser.getEncodedSourceLoc(argument.ssaName.location);
    argument.sourceLoc = NameLoc::get(parser.getBuilder().getStringAttr(name.drop_front()), loc);
  }
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results;
  SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  (void)mlir::impl::parseOptionalVisibilityKeyword(parser, result.attributes);
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, results, resultAttrs) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  nameArguments(parser, arguments);
  Builder &builder = parser.getBuilder();
  SmallVector<Type> types;
  for (OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  result.attributes.set(getFunctionTypeAttrName(result.name),
                        TypeAttr::get(builder.getFunctionType(types, results)));
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, resultAttrs,
                                            getArgAttrsAttrName(result.name),
                                            getResAttrsAttrName(result.name));
  OptionalParseResult body =
      parser.parseOptionalRegion(*result.addRegion(), arguments, /*enableNameShadowing=*/false);
  return body.has_value() ? *body : ParseResult(success());
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

void FuncOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  for (BlockArgument argument : region.getArguments())
    if (auto name = dyn_cast<NameLoc>(argument.getLoc()))
      setName(argument, name.getName());
}
