//===- OptMain.cpp - The pass tool ---------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/OptMain.h"

#include "fsm/Compiler/Guarded.h"
#include "fsm/Compiler/Pipelines.h"
#include "fsm/Import/Passes.h"
#include "fsm/Source/SourceText.h"
#include "fsm/Tools/Version.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// `NAME=VALUE` strings as a map; nothing when one lacks its `=`.
static std::optional<std::map<std::string, std::string>>
splitDefinitions(const std::vector<std::string> &definitions) {
  std::map<std::string, std::string> values;
  for (StringRef definition : definitions) {
    auto [name, value] = definition.split('=');
    if (name.empty() || value.empty()) {
      llvm::errs() << "error: expected -D NAME=VALUE, got '" << definition << "'\n";
      return std::nullopt;
    }
    values[name.str()] = value.str();
  }
  return values;
}

/// Reads the input and prepares it as every user of FSM does.
static std::unique_ptr<llvm::MemoryBuffer>
readSource(StringRef fileName, const std::map<std::string, std::string> &parameters) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(fileName, &message);
  if (!file) {
    llvm::errs() << "error: " << message << "\n";
    return nullptr;
  }
  fsm::Result<std::string> text =
      fsm::prepareSource(std::string_view(file->getBufferStart(), file->getBufferSize()),
                         file->getBufferIdentifier().str(), parameters, fsm::Layouts::Accepted);
  if (!text) {
    llvm::errs() << text.error().message << "\n";
    return nullptr;
  }
  return llvm::MemoryBuffer::getMemBufferCopy(*text, file->getBufferIdentifier());
}

namespace {
/// Writes a reproducer of a pipeline before its first pass runs.
class ReproducerWriter : public PassInstrumentation {
public:
  ReproducerWriter(PassManager &manager, std::string fileName)
      : manager(manager), fileName(std::move(fileName)) {}

  void runBeforePass(Pass *, Operation *op) final {
    if (std::exchange(isWritten, true))
      return;
    while (Operation *parent = op->getParentOp())
      op = parent;
    makeReproducer(manager.getAnyOpAnchorName(), manager.getPasses(), op, fileName);
  }

private:
  PassManager &manager;
  std::string fileName;
  bool isWritten = false;
};

/// MLIR writes the file of --mlir-generate-reproducer behind the last pass, of what that has left,
/// which no pipeline takes. This writes it in front of the first.
struct OptConfig : MlirOptMainConfig {
  explicit OptConfig(const MlirOptMainConfig &config) : MlirOptMainConfig(config) {
    std::string fileName = std::exchange(generateReproducerFileFlag, "");
    if (fileName.empty())
      return;
    setPassPipelineSetupFn([config, fileName](PassManager &manager) {
      manager.addInstrumentation(std::make_unique<ReproducerWriter>(manager, fileName));
      return config.setupPassPipeline(manager);
    });
  }
};
} // namespace

/// Whether the source went through parser and passes without an error; 2 where one of them
/// crashed. The exit code.
static int optimize(std::unique_ptr<llvm::MemoryBuffer> source, llvm::raw_ostream &output,
                    DialectRegistry &registry, const MlirOptMainConfig &config) {
  std::string name = source->getBufferIdentifier().str();
  bool done = false;
  if (!fsm::runGuarded(
          [&] { done = succeeded(MlirOptMain(output, std::move(source), registry, config)); })) {
    llvm::errs() << fsm::crashText(name) << "\n";
    return 2;
  }
  return done ? 0 : 1;
}

/// The command line with the option that keeps MLIR on one thread, for the net under it does
/// not reach to others.
static std::vector<char *> withoutThreads(int argc, char **argv) {
  static char option[] = "--mlir-disable-threading";
  std::vector<char *> words(argv, argv + argc);
  bool isThere = llvm::any_of(words, [](StringRef word) {
    return word.ltrim('-').split('=').first == StringRef(option).ltrim('-');
  });
  if (!isThere && argc > 0)
    words.insert(words.begin() + 1, option);
  return words;
}

int fsm::optMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &stream) { stream << fsm::versionText("fsm-opt") << "\n"; });
  std::vector<char *> words = withoutThreads(argc, argv);
  DialectRegistry registry;
  registerDialects(registry);
  registerTriton(registry);
  registerPasses();
  llvm::cl::list<std::string> definitions("D", llvm::cl::desc("Set a parameter the file declares"),
                                          llvm::cl::value_desc("NAME=VALUE"), llvm::cl::Prefix);
  auto [inputName, outputName] =
      registerAndParseCLIOptions(words.size(), words.data(), "FSM's optimizer driver\n", registry);
  OptConfig config(MlirOptMainConfig::createFromCLOptions());
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, inputName, outputName, registry));
  auto parameters = splitDefinitions(definitions);
  if (!parameters)
    return 2;
  std::unique_ptr<llvm::MemoryBuffer> source = readSource(inputName, *parameters);
  if (!source)
    return 1;
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputName, &message);
  if (!output) {
    llvm::errs() << "error: " << message << "\n";
    return 1;
  }
  int status = optimize(std::move(source), output->os(), registry, config);
  if (status == 0)
    output->keep();
  return status;
}
