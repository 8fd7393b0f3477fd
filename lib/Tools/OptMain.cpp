//===- OptMain.cpp - The pass tool ---------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/OptMain.h"

#include "fsm/Compiler/Pipelines.h"
#include "fsm/Frontend/SourceText.h"

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

int fsm::optMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  llvm::cl::list<std::string> definitions("D", llvm::cl::desc("Set a parameter the file declares"),
                                          llvm::cl::value_desc("NAME=VALUE"), llvm::cl::Prefix);
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, "FSM's optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
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
  if (failed(MlirOptMain(output->os(), std::move(source), registry, config)))
    return 1;
  output->keep();
  return 0;
}
