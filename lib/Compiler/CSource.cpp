//===- CSource.cpp - Compiled kernels as C --------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/CSource.h"

#include "fsm/Artifact/LaunchRules.h"

#include <algorithm>
#include <cctype>
#include <set>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool isIdentifier(std::string_view name) {
  auto isPart = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), isPart);
}

/// Words of C and C++, and what the launch function calls its own.
static const std::set<std::string, std::less<>> &takenNames() {
  static const std::set<std::string, std::less<>> names = {
      "alignas",  "alignof",  "and",        "asm",       "auto",      "bool",      "break",
      "case",     "catch",    "char",       "class",     "compl",     "const",     "constexpr",
      "continue", "decltype", "default",    "delete",    "do",        "double",    "else",
      "enum",     "explicit", "export",     "extern",    "false",     "float",     "for",
      "friend",   "goto",     "if",         "inline",    "int",       "long",      "mutable",
      "namespace", "new",     "noexcept",   "not",       "nullptr",   "operator",  "or",
      "private",  "protected", "public",    "register",  "restrict",  "return",    "short",
      "signed",   "sizeof",   "static",     "struct",    "switch",    "template",  "this",
      "throw",    "true",     "try",        "typedef",   "typeid",    "typename",  "typeof",
      "union",    "unsigned", "using",      "virtual",   "void",      "volatile",  "while",
      "xor",      "device",   "stream",     "gridX",     "gridY",     "gridZ",     "values",
      "memcpy",   "fsmCompiledLaunch"};
  return names;
}

/// The parameters' names: those of the arguments where C can have them.
static std::vector<std::string> parameterNames(const std::vector<KernelArgument> &arguments) {
  std::set<std::string> used;
  std::vector<std::string> names;
  for (const KernelArgument &argument : arguments) {
    std::string name = isIdentifier(argument.name) ? argument.name
                                                   : "argument" + std::to_string(names.size());
    while (takenNames().count(name) || !used.insert(name).second)
      name += "_";
    names.push_back(std::move(name));
  }
  return names;
}

/// The element's type in C; what C has no type for is passed by its bits.
static std::string_view elementType(ScalarType type) {
  switch (type) {
  case ScalarType::I8:
    return "int8_t";
  case ScalarType::I16:
    return "int16_t";
  case ScalarType::I32:
    return "int32_t";
  case ScalarType::I64:
    return "int64_t";
  case ScalarType::F16:
  case ScalarType::BF16:
    return "uint16_t";
  case ScalarType::F32:
    return "float";
  case ScalarType::F64:
    return "double";
  case ScalarType::I1:
  case ScalarType::F8E4M3FN:
  case ScalarType::F8E5M2:
    return "uint8_t";
  }
  return "";
}

/// `const float *in`.
static std::string parameterText(const KernelArgument &argument, const std::string &name) {
  std::string text(elementType(argument.type));
  if (!argument.isPointer())
    return text + " " + name;
  std::string outer(argument.pointerDepth - 1, '*');
  if (!argument.isInput)
    return text + " " + outer + "*" + name;
  return outer.empty() ? "const " + text + " *" + name : text + " " + outer + "const *" + name;
}

//===----------------------------------------------------------------------===//
// Parts of the text
//===----------------------------------------------------------------------===//

static std::string quotedText(const std::string &text) { return "\"" + text + "\""; }

template <typename List, typename Text>
static std::string joined(const List &list, Text text) {
  std::string result;
  for (const auto &entry : list)
    result += (&entry == &*list.begin() ? "" : ",") + std::string(text(entry));
  return result;
}

std::string fsm::factsText(const std::vector<ArgumentFact> &facts) {
  std::string text = joined(facts, factText);
  return text.find_first_not_of(',') == std::string::npos ? "" : text;
}

std::string fsm::hiddenArgumentsText(const std::vector<HiddenArgument> &arguments) {
  return joined(arguments, hiddenArgumentName);
}

static std::string upperCase(std::string text) {
  for (char &c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

namespace {
class Writer {
public:
  explicit Writer(const CSource &source)
      : source(source), first(source.codes.front()), name("fsm_" + first.name),
        names(parameterNames(first.arguments)) {}

  std::string header() const;

private:
  std::string declarations() const;
  std::string definitions() const;
  std::string launchHead() const;
  std::string image(size_t index) const;
  std::string arguments() const;
  std::string code(size_t index) const;

  std::string imageName(size_t index) const { return name + "_image" + std::to_string(index); }

  const CSource &source;
  const CompiledKernel &first;
  std::string name;
  std::vector<std::string> names;
};
} // namespace

std::string Writer::launchHead() const {
  std::string head = "FsmStatus " + name + "_launch(";
  std::string indent(head.size(), ' ');
  head += "FsmDevice *device, void *stream, int32_t gridX, int32_t gridY,\n" + indent +
          "int32_t gridZ";
  for (size_t i = 0; i < names.size(); ++i)
    head += ",\n" + indent + parameterText(first.arguments[i], names[i]);
  return head + ")";
}

std::string Writer::declarations() const {
  std::vector<std::string> targets;
  for (const CompiledKernel &code : source.codes)
    if (targets.empty() || targets.back() != code.target)
      targets.push_back(code.target);
  return "/* The kernel with its code for " + joined(targets, [](auto &t) { return t; }) +
         ", for fsmCompiledLoad and others. */\nextern const FsmCompiledKernel " + name +
         ";\n\n"
         "/* Queues a launch of gridX * gridY * gridZ programs on a stream (CUstream), null for the\n"
         " * default one. Pointers are addresses on the device. If the status is not FSM_OK,\n"
         " * fsmRuntimeError() says why. f16 and bf16, f8 and i1 are passed by their bits. */\n" +
         launchHead() + ";\n";
}

/// What the driver loads, byte by byte: C promises nothing of longer texts.
std::string Writer::image(size_t index) const {
  const std::string &bytes = source.codes[index].code;
  std::string text = "static const unsigned char " + imageName(index) + "[] = {";
  size_t column = 100;
  for (char byte : bytes) {
    std::string number = std::to_string(static_cast<unsigned char>(byte)) + ",";
    if (column + number.size() > 100) {
      text += "\n";
      column = 0;
    }
    text += number;
    column += number.size();
  }
  return text + "\n0};\n\n";
}

std::string Writer::arguments() const {
  std::string text = "static const FsmCompiledArgument " + name + "_arguments[] = {\n";
  for (size_t i = 0; i < first.arguments.size(); ++i) {
    const KernelArgument &argument = first.arguments[i];
    text += "    {" + quotedText(names[i]) + ", " +
            quotedText(std::string(scalarTypeInfo(argument.type).name)) + ", " +
            quotedText(factText(first.promises[i])) + ", " +
            std::to_string(argument.pointerDepth) + ", 0},\n";
  }
  return text + "};\n\n";
}

std::string Writer::code(size_t index) const {
  const CompiledKernel &code = source.codes[index];
  bool isHost = code.target == "cpu";
  std::string hidden = hiddenArgumentsText(code.hiddenArguments);
  return "    {" + quotedText(code.target) + ", " + quotedText(factsText(code.facts)) + ",\n     " +
         (isHost ? "NULL, 0, " + source.hostSymbol
                 : imageName(index) + ", sizeof(" + imageName(index) + ") - 1, NULL") +
         ", " + quotedText(isHost ? source.hostInstructions : "") + ", " + quotedText(hidden) +
         ",\n     /* scratch bytes, warps, programs a CTA, shared bytes, CTAs a program */ " +
         std::to_string(code.scratchBytes) + ", " + std::to_string(code.device.numWarps) + ", " +
         std::to_string(code.device.programsPerCta) + ", " +
         std::to_string(code.device.sharedBytes) + ", " + std::to_string(code.device.numCtas) +
         "},\n";
}

/// Whether all code of those GPUs that can waits for the launches before it.
static bool overlapsLaunches(const std::vector<CompiledKernel> &codes) {
  bool someDo = false;
  for (const CompiledKernel &code : codes) {
    if (code.target == "cpu" || *capabilityOf(code.target) < kFirstToOverlap)
      continue;
    if (!code.device.overlapsLaunches)
      return false;
    someDo = true;
  }
  return someDo;
}

std::string Writer::definitions() const {
  std::string text;
  for (size_t i = 0; i < source.codes.size(); ++i)
    if (source.codes[i].target == "cpu")
      text += "/* In the object that fsm-run --emit=obj has made of the same file and options. */\n"
              "void " +
              source.hostSymbol +
              "(const void *const *arguments, const int32_t *ids, char *scratch);\n\n";
    else
      text += image(i);
  std::string count = std::to_string(names.size());
  if (!names.empty())
    text += arguments();
  text += "static const FsmCompiledCode " + name + "_codes[] = {\n";
  for (size_t i = 0; i < source.codes.size(); ++i)
    text += code(i);
  text += "};\n\nconst FsmCompiledKernel " + name + " = {\n    " + quotedText(first.name) + ", " +
          (names.empty() ? "NULL" : name + "_arguments") + ", " + name + "_codes, " + count + ", " +
          std::to_string(source.codes.size()) + ",\n    /* launch contract */ " +
          std::to_string(first.contractVersion) + ", " +
          (overlapsLaunches(source.codes) ? "1" : "0") + "};\n\n" + launchHead() +
          " {\n  uint64_t values[" + std::to_string(std::max<size_t>(1, names.size())) +
          "] = {0};\n";
  for (size_t i = 0; i < names.size(); ++i)
    text += "  memcpy(&values[" + std::to_string(i) + "], &" + names[i] + ", sizeof(" + names[i] +
            "));\n";
  return text + "  return fsmCompiledLaunch(&" + name +
         ", device, stream, gridX, gridY, gridZ, values);\n}\n";
}

std::string Writer::header() const {
  std::string guard = upperCase(name);
  return "/* Made by fsm-run of " + kernelText({first.name, first.arguments, {}}) +
         ". Do not change it: make it again.\n"
         " *\n"
         " * One file of a program defines " +
         guard +
         "_IMPLEMENTATION in front of this header; others include it as it is. All of them are\n"
         " * linked with libfsm-runtime. */\n"
         "#ifndef " +
         guard + "_H\n#define " + guard +
         "_H\n\n#include <fsm-c/fsm-runtime.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" +
         declarations() + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " + guard + "_H */\n\n#if defined(" +
         guard + "_IMPLEMENTATION) && !defined(" + guard + "_IS_HERE)\n#define " + guard +
         "_IS_HERE\n\n#include <string.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" +
         definitions() + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " + guard +
         "_IMPLEMENTATION */\n";
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

CompileOptions fsm::optionsForC(CompileOptions options) {
  options.tensorMaps = false;
  options.batchPrograms = "never";
  options.loopPrograms = "never";
  return options;
}

Result<void> fsm::checkSilent(const CompiledKernel &kernel) {
  if (kernel.debugOps.empty())
    return {};
  return badInput(kernel.debugOps.front().place +
                  ": error: a kernel that is compiled ahead of time cannot print or assert, for "
                  "nobody waits for it; expected a kernel without, got @" +
                  kernel.name);
}

/// What C has no words for, or no time.
static Result<void> checkSayable(const CSource &source) {
  const CompiledKernel &first = source.codes.front();
  if (!isIdentifier(first.name))
    return badInput("error: expected a kernel whose name is one in C, got '@" + first.name + "'");
  for (const CompiledKernel &code : source.codes)
    if (Result<void> silent = checkSilent(code); !silent)
      return silent;
  return {};
}

Result<std::string> fsm::cHeaderText(const CSource &source) {
  if (Result<void> checked = checkSayable(source); !checked)
    return checked.error();
  return Writer(source).header();
}

Result<std::string> fsm::cFileText(const CSource &source) {
  Result<std::string> header = cHeaderText(source);
  if (!header)
    return header;
  return "#define " + upperCase("fsm_" + source.codes.front().name) + "_IMPLEMENTATION\n" + *header;
}
