//===- ModuleSourceTest.cpp - Modules of a caller's context ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "fsm/Compiler/ModuleSource.h"
#include "fsm/Compiler/Pipelines.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"

using namespace fsm;
using namespace fsm::test;
using namespace mlir;

namespace {
/// A frontend's own context, in which nothing is left of FSM but its language.
struct Frontend {
  Frontend() : context(languages()) { context.loadAllAvailableDialects(); }
  static DialectRegistry languages() {
    DialectRegistry registry;
    registerLanguage(registry);
    return registry;
  }
  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/false));
  }
  MLIRContext context;
};
} // namespace

TEST(ModuleSource, RunsOnEveryDevice) {
  Frontend frontend;
  OwningOpRef<ModuleOp> module = frontend.parse(kAdd);
  ASSERT_TRUE(module);
  Source source = expectValue(fsm::sourceOf(*module));
  for (const char *device : {"sim", "cpu", "interp"}) {
    Engine engine = openEngine(device);
    launchAdd(engine, expectValue(engine.load(source)), 200);
  }
}

/// What a frontend builds op by op, each with a line of its own program.
TEST(ModuleSource, ErrorsAreLocatedWhereTheFrontendSays) {
  Frontend frontend;
  MLIRContext *context = &frontend.context;
  auto at = [&](unsigned line) {
    return FileLineColLoc::get(context, "program.lang", line, 5);
  };
  OwningOpRef<ModuleOp> module = frontend.parse(R"(
    fsm.kernel @store(%p: !fsm.ptr<f32>) {
      %zero = arith.constant 0.0 : f32
      fsm.store %zero, %p : f32, !fsm.ptr<f32>
      fsm.return
    })");
  ASSERT_TRUE(module);
  unsigned line = 40;
  module->walk([&](Operation *op) { op->setLoc(at(line++)); });
  Source source = expectValue(fsm::sourceOf(*module));
  Engine engine = openEngine("interp");
  Kernel kernel = expectValue(engine.load(source));
  float none = 0;
  std::string message = errorOf(engine.launch(kernel, {1, 1, 1}, {Argument::buffer(&none, 0)}),
                                Error::Kind::Execution);
  EXPECT_EQ(message.find("program.lang:41:5: "), 0u) << message;
}

TEST(ModuleSource, RefusesWhatIsNotInTheLanguage) {
  Frontend frontend;
  EXPECT_EQ(errorOf(sourceOf(ModuleOp(), "k")), "k: error: expected a module, got null");
  // It does not verify: a kernel ends with a return.
  OwningOpRef<ModuleOp> module = frontend.parse("fsm.kernel @k() {\n  fsm.return\n}");
  ASSERT_TRUE(module);
  KernelOp kernel = *module->getOps<KernelOp>().begin();
  kernel.getBody().front().getTerminator()->erase();
  std::string message = errorOf(sourceOf(*module, "k"));
  EXPECT_NE(message.find("error: "), std::string::npos) << message;
  // An op of a dialect that FSM does not know.
  frontend.context.allowUnregisteredDialects();
  module = frontend.parse("fsm.kernel @k() {\n  \"other.op\"() : () -> ()\n  fsm.return\n}");
  ASSERT_TRUE(module);
  message = errorOf(sourceOf(*module, "k"));
  EXPECT_NE(message.find("other"), std::string::npos) << message;
  EXPECT_NE(message.find("error: "), std::string::npos) << message;
}
