//===- RunRequest.cpp - What the options of fsm-run ask for -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunRequest.h"

#include "fsm/Source/SourceText.h"
#include "fsm/Target/Libdevice.h"
#include "fsm/Tools/Arguments/ArgumentPlaces.h"
#include "fsm/Tools/Arguments/Number.h"
#include "fsm/Tools/Quote.h"
#include "fsm/Tools/Run/ProgressLine.h"
#include "fsm/Tools/Run/SignatureText.h"
#include "fsm/Tools/WholeFile.h"

#include <algorithm>
#include <cstdio>

using namespace fsm;

Result<KernelSignature> fsm::pickKernel(const RunOptions &options,
                                        const std::vector<KernelSignature> &kernels) {
  std::string names;
  for (const KernelSignature &kernel : kernels) {
    if (kernel.name == options.compile.kernel ||
        (options.compile.kernel.empty() && kernels.size() == 1))
      return kernel;
    names += (names.empty() ? "@" : ", @") + printable(kernel.name);
  }
  std::string file = printable(options.file);
  if (kernels.empty())
    return runError("expected a kernel (fsm.kernel @NAME) in " + file + ", got none");
  if (options.compile.kernel.empty())
    return runError("expected --kernel=NAME because " + file + " has several: " + names);
  return runError("--kernel: expected one of the kernels of " + file + ", " + names + ", got " +
                  quoted(options.compile.kernel));
}

Result<void> fsm::divideGrid(RunOptions &options, const Source &source) {
  if (!options.grid)
    return {};
  Result<std::map<std::string, std::string>> values =
      parameterValues(source.text, source.fileName, source.parameters);
  if (!values)
    return values.error();
  int32_t *extents[] = {&options.grid->grid.x, &options.grid->grid.y, &options.grid->grid.z};
  for (size_t i = 0; i < 3; ++i) {
    const std::string &name = options.grid->divisors[i];
    if (name.empty())
      continue;
    auto found = values->find(name);
    std::optional<uint64_t> divisor =
        found == values->end() ? std::nullopt : parseUnsigned(found->second, INT32_MAX);
    if (!divisor || *divisor == 0)
      return runError("--grid: expected a parameter of " + printable(options.file) +
                      " that is a positive number, got " + quoted(name) +
                      (found == values->end() ? "" : ", which is " + quoted(found->second)));
    uint64_t extent = (static_cast<uint64_t>(*extents[i]) + *divisor - 1) / *divisor;
    if (i > 0 && extent > 65535)
      return runError("--grid: expected at most 65535 programs along y and z, got " +
                      std::to_string(extent));
    *extents[i] = static_cast<int32_t>(extent);
  }
  return {};
}

Result<void> fsm::addDomains(RunOptions &options) {
  if (!options.tunesDomains)
    return {};
  Result<Source> source = readSource(options);
  if (!source)
    return source.error();
  Result<ParameterDomains> domains = parameterDomains(source->text, source->fileName);
  if (!domains)
    return domains.error();
  for (const auto &[name, values] : *domains) {
    bool isNamed = options.parameters.count(name) != 0;
    for (const TuneSpec &other : options.tunes)
      isNamed |= other.name == name;
    if (!isNamed)
      options.tunes.push_back({name, values, /*isParameter=*/true});
  }
  if (options.tunes.empty())
    return runError("--tune=auto: expected a parameter of " + printable(options.file) +
                    " with values behind 'in' and none by -D");
  return {};
}

Result<Source> fsm::readSource(const RunOptions &options) {
  Result<std::string> text = readWholeFile(options.file, kMaxSourceBytes);
  if (!text)
    return text.error();
  Source source;
  source.text = std::move(*text);
  source.fileName = options.file == "-" ? "<stdin>" : options.file;
  source.parameters = options.parameters;
  return source;
}

/// Says of which arguments the elements lie in another order than in their files.
static void noteOrders(const std::vector<const ArgumentSpec *> &specs,
                       const std::vector<ArgumentValue> &values) {
  for (size_t i = 0; i < values.size(); ++i) {
    const std::vector<uint64_t> &shape = values[i].shape;
    bool isOrdered =
        std::count_if(shape.begin(), shape.end(), [](uint64_t extent) { return extent > 1; }) > 1;
    if (values[i].fortranOrder || !values[i].fileFortranOrder || !isOrdered)
      continue;
    std::string file = printable(specs[i]->path);
    std::string type =
        specs[i]->type ? std::string(scalarTypeInfo(*specs[i]->type).name) + ":" : std::string();
    std::fprintf(stderr,
                 "fsm-run: %s: %s is in Fortran order; its elements are passed row by row, and "
                 "%sfortran:@%s would pass them as they lie\n",
                 argumentPlace(values[i].argument, i).c_str(), file.c_str(), type.c_str(),
                 file.c_str());
  }
}

Result<std::vector<ArgumentValue>> fsm::makeArguments(const RunOptions &options,
                                                      const KernelSignature &signature) {
  Result<std::vector<const ArgumentSpec *>> bound = bindArguments(options.arguments, signature);
  if (!bound)
    return runError(bound.error().message);
  std::optional<ProgressLine> progress("preparing the arguments");
  std::vector<ArgumentValue> values;
  for (size_t i = 0; i < bound->size(); ++i) {
    Result<ArgumentValue> value = materialize(*(*bound)[i], signature.arguments[i], i);
    if (!value)
      return runError(value.error().message + "; the kernel is " + signatureText(signature));
    if (options.guard != Guard::None)
      if (Result<void> moved = value->moveToGuard(options.guard); !moved)
        return runError(moved.error().message);
    values.push_back(std::move(*value));
  }
  if (Result<void> placed = placeArguments(options, signature, values); !placed)
    return runError(placed.error().message);
  progress.reset();
  noteOrders(*bound, values);
  return values;
}

Result<CompileOptions> fsm::compileOptionsFor(const RunOptions &options,
                                              const KernelSignature &signature) {
  CompileOptions compile = options.compile;
  compile.kernel = signature.name;
  if (!options.target.empty())
    compile.target = options.target;
  if (options.libdevice) {
    Result<std::string> file =
        options.libdevice->empty() ? findLibdevice() : Result<std::string>(*options.libdevice);
    if (!file)
      return runError("--libdevice: " + file.error().message);
    compile.libdevice = std::move(*file);
  }
  // One empty fact per argument says: nothing is known, and do not look.
  if (!options.specialize)
    compile.facts.resize(signature.arguments.size());
  return compile;
}
