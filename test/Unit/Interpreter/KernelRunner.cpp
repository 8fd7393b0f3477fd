//===- KernelRunner.cpp - Parses and runs the kernels of a test ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

#include "fsm/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::test;

static void dropLocations(KernelOp kernel) {
  Location unknown = UnknownLoc::get(kernel.getContext());
  kernel->walk([&](Operation *op) { op->setLoc(unknown); });
  for (BlockArgument argument : kernel.getBody().getArguments())
    argument.setLoc(unknown);
}

static Result<void> runKernel(const std::string &text, Grid grid,
                              const std::vector<Argument> &arguments, bool keepsLocations,
                              const PrintLine &print = {}, uint64_t mostElements = 0) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<FSMDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                      func::FuncDialect, ub::UBDialect>();
  std::string parseError;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    parseError += diagnostic.str() + "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context), "k");
  if (!module)
    return Error{Error::Kind::Internal, "does not parse: " + parseError + text};
  auto kernels = module->getOps<KernelOp>();
  if (kernels.empty())
    return Error{Error::Kind::Internal, "no kernel in " + text};
  if (!keepsLocations)
    dropLocations(*kernels.begin());
  InterpretOptions options;
  options.print = print;
  options.mostElements = mostElements;
  return interpret(*kernels.begin(), grid, arguments, options);
}

Result<void> test::run(const std::string &text, Grid grid, const std::vector<Argument> &arguments,
                       const PrintLine &print, uint64_t mostElements) {
  return runKernel(text, grid, arguments, /*keepsLocations=*/true, print, mostElements);
}

Result<void> test::runWithoutNames(const std::string &text, Grid grid,
                                   const std::vector<Argument> &arguments) {
  return runKernel(text, grid, arguments, /*keepsLocations=*/false);
}

std::string test::errorOf(const Result<void> &result, Error::Kind kind) {
  if (result)
    return "no error";
  EXPECT_EQ(result.error().kind, kind) << result.error().message;
  return result.error().message;
}

static std::string blockOf(size_t count, const std::string &element) {
  return "tensor<" + std::to_string(count) + "x" + element + ">";
}

/// Replaces `#T` by a block of `count` T.
static std::string withBlocks(const std::string &text, size_t count) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '#') {
      result += text[i];
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() && isalnum(static_cast<unsigned char>(text[end])))
      ++end;
    result += blockOf(count, text.substr(i + 1, end - i - 1));
    i = end - 1;
  }
  return result;
}

std::string test::elementwiseKernel(const std::string &expression, size_t count,
                                    const std::vector<std::string> &operandTypes,
                                    const std::string &resultType) {
  bool isWhole = expression.find("%r = ") != std::string::npos;
  std::string offsets = blockOf(count, "i32"), arguments, loads;
  for (size_t i = 0; i < operandTypes.size(); ++i) {
    std::string name(1, static_cast<char>('a' + i)), pointer = "!fsm.ptr<" + operandTypes[i] + ">";
    arguments += "%p" + name + ": " + pointer + ", ";
    loads += "  %" + name + " = fsm.load %p" + name + "[%offsets] : " + pointer + ", " + offsets +
             " -> " + blockOf(count, operandTypes[i]) + "\n";
  }
  return "fsm.kernel @k(" + arguments + "%out: !fsm.ptr<" + resultType + ">) {\n" +
         "  %offsets = fsm.range 0, " + std::to_string(count) + " : " + offsets + "\n" + loads +
         (isWhole ? "  " : "  %r = ") + withBlocks(expression, count) +
         "\n  fsm.store %r, %out[%offsets] : " + blockOf(count, resultType) + ", !fsm.ptr<" +
         resultType + ">, " + offsets + "\n  fsm.return\n}\n";
}
