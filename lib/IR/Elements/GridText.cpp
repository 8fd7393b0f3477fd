//===- GridText.cpp - The grid of a kernel as text ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridText.h"

#include "fsm/Artifact/LaunchExpression.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fsm;

using Kind = LaunchStep::Kind;

//===----------------------------------------------------------------------===//
// From text
//===----------------------------------------------------------------------===//

namespace {
/// Reads sums of products, each operand before what is done with it. The nesting of brackets is
/// bounded where a source is prepared.
class GridParser {
public:
  GridParser(OpAsmParser &parser, ArrayRef<OpAsmParser::Argument> arguments)
      : parser(parser), arguments(arguments) {}

  ParseResult extent(SmallVectorImpl<Attribute> &extents) {
    steps.clear();
    if (sum())
      return failure();
    extents.push_back(parser.getBuilder().getStringAttr(launchExpressionText(steps)));
    return success();
  }

private:
  ParseResult sum() {
    if (product())
      return failure();
    while (true) {
      bool isSum = succeeded(parser.parseOptionalPlus());
      if (!isSum && failed(parser.parseOptionalMinus()))
        return success();
      if (product())
        return failure();
      steps.push_back({isSum ? Kind::Add : Kind::Subtract, 0});
    }
  }

  ParseResult product() {
    if (operand())
      return failure();
    while (succeeded(parser.parseOptionalStar())) {
      if (operand())
        return failure();
      steps.push_back({Kind::Multiply, 0});
    }
    return success();
  }

  ParseResult operand() {
    if (succeeded(parser.parseOptionalLParen()))
      return failure(sum() || parser.parseRParen());
    if (succeeded(parser.parseOptionalKeyword("min")))
      return call(Kind::Minimum);
    if (succeeded(parser.parseOptionalKeyword("ceildiv")))
      return call(Kind::CeilDivide);
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef boolean;
    if (succeeded(parser.parseOptionalKeyword(&boolean, {"true", "false"})))
      return parser.emitError(loc) << "expected a number in the kernel's grid, got " << boolean;
    int64_t number = 0;
    if (OptionalParseResult read = parser.parseOptionalInteger(number); read.has_value()) {
      steps.push_back({Kind::Number, number});
      return *read;
    }
    return argument();
  }

  ParseResult call(Kind kind) {
    if (parser.parseLParen() || sum() || parser.parseComma() || sum() || parser.parseRParen())
      return failure();
    steps.push_back({kind, 0});
    return success();
  }

  ParseResult argument() {
    llvm::SMLoc loc = parser.getCurrentLocation();
    OpAsmParser::UnresolvedOperand name;
    if (parser.parseOperand(name, /*allowResultNumber=*/false))
      return failure();
    auto *found = llvm::find_if(arguments, [&](const OpAsmParser::Argument &argument) {
      return argument.ssaName.name == name.name;
    });
    if (found == arguments.end() || !found->type.isSignlessInteger())
      return parser.emitError(loc) << "expected an integer argument of the kernel in its grid, got "
                                   << name.name;
    steps.push_back({Kind::Argument, found - arguments.begin()});
    return success();
  }

  OpAsmParser &parser;
  ArrayRef<OpAsmParser::Argument> arguments;
  LaunchExpression steps;
};
} // namespace

ParseResult fsm::parseGrid(OpAsmParser &parser, ArrayRef<OpAsmParser::Argument> arguments,
                           ArrayAttr &grid) {
  SmallVector<Attribute> extents;
  GridParser reader(parser, arguments);
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return reader.extent(extents); }))
    return failure();
  grid = parser.getBuilder().getArrayAttr(extents);
  return success();
}

//===----------------------------------------------------------------------===//
// To text
//===----------------------------------------------------------------------===//

void fsm::printGrid(OpAsmPrinter &printer, Block::BlockArgListType arguments, ArrayAttr grid) {
  std::vector<std::string> names(arguments.size());
  for (auto [name, argument] : llvm::zip_equal(names, arguments)) {
    llvm::raw_string_ostream stream(name);
    printer.printOperand(argument, stream);
  }
  printer << '[';
  llvm::interleaveComma(grid.getAsRange<StringAttr>(), printer.getStream(), [&](StringAttr text) {
    printer.getStream() << launchExpressionText(*parseLaunchExpression(text.str()), names);
  });
  printer << ']';
}

bool fsm::isGrid(ArrayAttr grid, ArrayRef<Type> arguments) {
  // To print one takes time that grows with the square of its length.
  constexpr size_t kMostSteps = 256;
  return grid.size() >= 1 && grid.size() <= 3 &&
         llvm::all_of(grid.getAsRange<StringAttr>(), [&](StringAttr text) {
           std::optional<LaunchExpression> expression = parseLaunchExpression(text.str());
           return expression && expression->size() <= kMostSteps &&
                  llvm::all_of(*expression, [&](const LaunchStep &step) {
                    return step.kind != Kind::Argument ||
                           (step.value < static_cast<int64_t>(arguments.size()) &&
                            arguments[step.value].isSignlessInteger());
                  });
         });
}
