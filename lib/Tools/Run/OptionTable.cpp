//===- OptionTable.cpp - The options of fsm-run ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionTable.h"

#include "fsm/Compiler/Compiler.h"
#include "fsm/Machine/GpuTarget.h"
#include "fsm/Tools/Arguments/Number.h"
#include "fsm/Tools/Quote.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace fsm;

Error fsm::valueError(std::string_view option, const std::string &expected, std::string_view got) {
  return runError(std::string(option) + ": expected " + expected + ", got " +
                  (got.empty() ? "nothing" : quoted(got)));
}

static Result<void> setPositive(std::string_view option, std::string_view value, uint64_t max,
                                unsigned &to) {
  std::optional<uint64_t> number = parseUnsigned(value, max);
  if (!number || *number == 0)
    return valueError(option, "an integer from 1 to " + std::to_string(max), value);
  to = static_cast<unsigned>(*number);
  return {};
}

static Result<void> setNonEmpty(std::string_view option, const char *expected,
                                std::string_view value, std::string &to) {
  if (value.empty())
    return valueError(option, expected, value);
  to = std::string(value);
  return {};
}

static Result<void> setDevice(std::string_view value, RunOptions &options) {
  bool isNumbered = value.substr(0, 5) == "cuda:" && parseUnsigned(value.substr(5), 1023);
  if (value != "interp" && value != "cpu" && value != "cuda" && value != "sim" && !isNumbered)
    return valueError("--device", "interp, cpu, cuda[:N] or sim", value);
  options.device = std::string(value);
  return {};
}

static Result<void> setCompare(std::string_view value, RunOptions &options) {
  if (value != "interp" && value != "cpu")
    return valueError("--compare", "cpu or interp", value);
  options.compare = std::string(value);
  return {};
}

static bool isParameterName(std::string_view name) {
  auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && isLetter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return isLetter(c) || (c >= '0' && c <= '9');
  });
}

static Result<void> setGrid(std::string_view value, RunOptions &options) {
  constexpr uint64_t largestX = 2147483647, largestYZ = 65535;
  GridSpec spec;
  constexpr std::string_view persistent = "persistent:";
  if (value.substr(0, persistent.size()) == persistent) {
    std::optional<uint64_t> most = parseUnsigned(value.substr(persistent.size()), largestX);
    if (!most)
      return valueError("--grid", "persistent:N with N from 0 to 2147483647", value);
    spec.isPersistent = true;
    spec.grid.x = static_cast<int32_t>(*most);
    options.grid = spec;
    return {};
  }
  if (value == "auto") {
    spec.isStated = true;
    options.grid = spec;
    return {};
  }
  int32_t *extents[] = {&spec.grid.x, &spec.grid.y, &spec.grid.z};
  std::string_view rest = value;
  for (size_t i = 0;; ++i) {
    std::string_view word = rest.substr(0, rest.find(','));
    size_t slash = std::min(word.find('/'), word.size());
    std::string_view divisor = word.substr(std::min(slash + 1, word.size()));
    // What is divided may be larger than what comes of it.
    std::optional<uint64_t> extent =
        i < 3
            ? parseUnsigned(word.substr(0, slash), i && slash == word.size() ? largestYZ : largestX)
            : std::nullopt;
    if (!extent || (slash < word.size() && !isParameterName(divisor)))
      return valueError("--grid",
                        "X[,Y[,Z]] with X from 0 to 2147483647, Y and Z from 0 to 65535, each "
                        "perhaps as N/PARAMETER, persistent:N, or auto",
                        value);
    spec.divisors[i] = std::string(divisor);
    *extents[i] = static_cast<int32_t>(*extent);
    if (word.size() == rest.size())
      break;
    rest.remove_prefix(word.size() + 1);
  }
  options.grid = spec;
  return {};
}

static Result<void> addArgument(std::string_view value, RunOptions &options) {
  Result<ArgumentSpec> spec = parseArgumentSpec(value);
  if (!spec)
    return runError(spec.error().message);
  options.arguments.push_back(std::move(*spec));
  return {};
}

/// I:N, or I:J:N with another argument.
static Result<PlaceSpec> parsePlace(std::string_view option, std::string_view value,
                                    bool hasOther) {
  auto cut = [](std::string_view &text) {
    size_t colon = std::min(text.find(':'), text.size());
    std::string word(text.substr(0, colon));
    text.remove_prefix(std::min(colon + 1, text.size()));
    return word;
  };
  std::string_view rest = value;
  PlaceSpec spec;
  spec.argument = cut(rest);
  if (hasOther)
    spec.other = cut(rest);
  std::optional<uint64_t> elements = parseUnsigned(rest, uint64_t(1) << 40);
  if (spec.argument.empty() || (hasOther && spec.other.empty()) || !elements)
    return valueError(option,
                      std::string(hasOther ? "I:J:N" : "I:N") +
                          ", positions or names and a number of elements of at most 2^40",
                      value);
  spec.elements = *elements;
  return spec;
}

static Result<void> addShift(std::string_view value, RunOptions &options) {
  Result<PlaceSpec> spec = parsePlace("--shift", value, /*hasOther=*/false);
  if (!spec)
    return spec.error();
  options.shifts.push_back(std::move(*spec));
  return {};
}

static Result<void> addOverlap(std::string_view value, RunOptions &options) {
  Result<PlaceSpec> spec = parsePlace("--overlap", value, /*hasOther=*/true);
  if (!spec)
    return spec.error();
  options.overlaps.push_back(std::move(*spec));
  return {};
}

static Result<void> addParameter(std::string_view value, RunOptions &options) {
  size_t equals = value.find('=');
  std::string name(value.substr(0, equals));
  if (equals == std::string_view::npos || equals + 1 == value.size() || !isParameterName(name))
    return valueError("-D", "NAME=VALUE", value);
  if (!options.parameters.emplace(name, value.substr(equals + 1)).second)
    return runError("-D: expected each parameter once, got a second value for " + quoted(name));
  return {};
}

static Result<void> setGuard(std::string_view value, RunOptions &options) {
  if (value != "begin" && value != "end")
    return valueError("--guard", "begin or end", value);
  options.guard = value == "begin" ? Guard::Begin : Guard::End;
  return {};
}

static Result<void> addOut(std::string_view value, RunOptions &options) {
  size_t colon = value.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == value.size())
    return valueError("--out", "I:FILE.npy, I being a position or a name", value);
  OutSpec spec{std::string(value.substr(0, colon)), std::string(value.substr(colon + 1))};
  for (const OutSpec &other : options.outs)
    if (other.path == spec.path)
      return runError("--out: expected each file once, got a second array for " +
                      quoted(spec.path));
  options.outs.push_back(std::move(spec));
  return {};
}

static Result<void> addCheck(std::string_view value, RunOptions &options) {
  Result<CheckSpec> spec = parseCheckSpec(value);
  if (!spec)
    return runError(spec.error().message);
  options.checks.push_back(std::move(*spec));
  return {};
}

static Result<void> setTime(std::string_view value, RunOptions &options) {
  unsigned runs = 20;
  if (!value.empty())
    if (Result<void> set = setPositive("--time", value, 1000000, runs); !set)
      return set;
  options.timedRuns = runs;
  return {};
}

/// What is printed; there is one standard output for it.
static Result<void> setStage(const std::string &stage, RunOptions &options) {
  if (!options.emit.empty())
    return runError("expected one of --emit, --print-layouts and --print-ir-after, got two");
  options.emit = stage;
  return {};
}

/// NAME=V[,V...], or auto
static Result<void> addTune(std::string_view value, RunOptions &options) {
  if (value == "auto") {
    options.tunesDomains = true;
    return {};
  }
  size_t equals = std::min(value.find('='), value.size());
  TuneSpec spec{std::string(value.substr(0, equals)), {}};
  std::string_view rest = value.substr(std::min(equals + 1, value.size()));
  bool isNumber = spec.name == "num_warps" || spec.name == "num_stages";
  for (;;) {
    std::string_view word = rest.substr(0, rest.find(','));
    unsigned number = 0;
    if (!isParameterName(spec.name) || word.empty())
      return valueError("--tune", "NAME=V[,V...]", value);
    if (Result<void> set =
            isNumber ? setPositive("--tune", word, spec.name == "num_warps" ? 32 : 64, number)
                     : Result<void>();
        !set)
      return set;
    spec.values.emplace_back(word);
    if (word.size() == rest.size())
      break;
    rest.remove_prefix(word.size() + 1);
  }
  for (const TuneSpec &other : options.tunes)
    if (other.name == spec.name)
      return runError("--tune: expected each name once, got " + quoted(spec.name) + " again");
  options.tunes.push_back(std::move(spec));
  return {};
}

static Result<void> setChoose(std::string_view value, RunOptions &options) {
  if (!value.empty() && value != "list")
    return valueError("--choose", "nothing or list", value);
  options.chooses = true;
  options.listsChoices = !value.empty();
  return {};
}

static Result<void> setBytes(std::string_view value, RunOptions &options) {
  std::optional<uint64_t> bytes = parseUnsigned(value, INT64_MAX);
  if (!bytes || *bytes == 0)
    return valueError("--bytes", "an integer of 1 or more", value);
  options.bytes = *bytes;
  return {};
}

//===----------------------------------------------------------------------===//
// The options of a compile
//===----------------------------------------------------------------------===//

namespace {
/// What follows the flag of a row of CompileOptions.def.
struct Switch {
  std::string_view operand = "";
  bool mayRepeat = false;
};
struct NumberUpTo {
  explicit NumberUpTo(uint64_t largest) : largest(largest) {}
  uint64_t largest;
  std::string_view operand = "=N";
  bool mayRepeat = false;
};
struct PowerOfTwoUpTo : NumberUpTo {
  using NumberUpTo::NumberUpTo;
};
struct Word {
  explicit Word(std::string_view form) : form(form), operand("=" + std::string(form)) {}
  std::string_view form;
  std::string operand;
  bool mayRepeat = false;
};
struct Words {
  explicit Words(std::string_view form) : form(form), operand("=" + std::string(form)) {}
  std::string_view form;
  std::string operand;
  bool mayRepeat = true;
};
} // namespace

static Result<void> setOption(std::string_view, Switch, std::string_view, bool &to) {
  to = true;
  return {};
}

static Result<void> setOption(std::string_view option, NumberUpTo form, std::string_view value,
                              unsigned &to) {
  return setPositive(option, value, form.largest, to);
}

static Result<void> setOption(std::string_view option, PowerOfTwoUpTo form, std::string_view value,
                              unsigned &to) {
  std::optional<uint64_t> number = parseUnsigned(value, form.largest);
  if (!number || *number == 0 || (*number & (*number - 1)) != 0)
    return valueError(option, "a power of two from 1 to " + std::to_string(form.largest), value);
  to = static_cast<unsigned>(*number);
  return {};
}

static Result<void> setOption(std::string_view option, const Word &word, std::string_view value,
                              std::string &to) {
  if (value.empty())
    return valueError(option, std::string(word.form), value);
  to = value;
  return {};
}

static Result<void> setOption(std::string_view option, const Words &words, std::string_view value,
                              std::vector<std::string> &to) {
  for (;;) {
    std::string_view word = value.substr(0, value.find(','));
    if (word.empty())
      return valueError(option, std::string(words.form), value);
    to.emplace_back(word);
    if (word.size() == value.size())
      return {};
    value.remove_prefix(word.size() + 1);
  }
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

template <bool RunOptions::*member>
static Result<void> turnOn(std::string_view, RunOptions &options) {
  options.*member = true;
  return {};
}

/// "source, fsm, llvm, llvmir, asm" for the target "cpu".
static std::string stageNames(const char *target) {
  return llvm::join(Compiler::stages(target), ", ");
}

/// What is run, and on what.
static std::vector<Option> launchOptions() {
  return {
      {"--list", "", false, turnOn<&RunOptions::list>,
       "print the kernels of the file and their arguments"},
      {"--list-devices", "", false, turnOn<&RunOptions::listDevices>,
       "print the devices and what they are like; needs no file"},
      {"--kernel", "=NAME", false,
       [](std::string_view value, RunOptions &options) {
         return setNonEmpty("--kernel", "a kernel's name",
                            !value.empty() && value[0] == '@' ? value.substr(1) : value,
                            options.compile.kernel);
       },
       "the kernel to run; needed if the file has several"},
      {"--device", "=NAME", false, setDevice,
       "interp, cpu, cuda[:N] or sim; default: cuda if there is one, else cpu"},
      {"--target", "=NAME", false,
       [](std::string_view value, RunOptions &options) {
         return setNonEmpty("--target", "cpu, sm_90a or the like", value, options.target);
       },
       "what to compile for: cpu, sm_90a, ...; default: the device"},
      {"--grid", "=X[,Y[,Z]]", false, setGrid,
       "how many programs to launch; N/BLOCK is so many blocks of the file's parameter BLOCK"},
      {"--grid", "=persistent:N", false, setGrid,
       "some times as many as the device runs at once, at most N"},
      {"--grid", "=auto", false, setGrid, "as many as the kernel states by its grid [...]"},
      {"--arg", "=[NAME=]SPEC", true, addArgument,
       "the next argument, or the one called NAME:\n"
       "  781  0.5  0x1F  inf     a scalar\n"
       "  f32[1823x781]           an array of zeros, or with a fill:\n"
       "    :randn:SEED :uniform:SEED :arange :full:V\n"
       "  @file.npy               an array from a file, passed row by row\n"
       "  fortran:@file.npy       the same, passed column by column\n"
       "  bf16:@file.npy          a uint16 or uint8 file as bf16 or f8 bits"},
      {"--shift", "=I:N", true, addShift,
       "let argument I begin N elements behind a multiple of 64 bytes"},
      {"--overlap", "=I:J:N", true, addOverlap,
       "let argument I begin at element N of argument J; the elements that both have are those of "
       "J"},
      {"-D", " NAME=VALUE", true, addParameter, "set a parameter ${NAME} of the file"},
  };
}

/// How it is compiled.
static std::vector<Option> compileOptions() {
  return {
#define FSM_LIBRARY_OPTION(type, member, initial, flag, meaning)
#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  {"--" flag, std::string((form).operand), (form).mayRepeat,                                       \
   [](std::string_view value, RunOptions &options) {                                               \
     return setOption("--" flag, form, value, options.compile.member);                             \
   },                                                                                              \
   meaning},
#include "fsm/Compiler/CompileOptions.def"
      {"--libdevice", "[=FILE]", false,
       [](std::string_view value, RunOptions &options) -> Result<void> {
         options.libdevice = std::string(value);
         return {};
       },
       "on a GPU, take functions of math from CUDA's libdevice.10.bc; default: that of the toolkit "
       "which CUDA_HOME, CUDA_PATH, CUDA_ROOT or PATH lead to"},
      {"--no-specialize", "", false,
       [](std::string_view, RunOptions &options) -> Result<void> {
         options.specialize = false;
         return {};
       },
       "compile without looking at the arguments' values"},
      {"--print-records", "=N", false,
       [](std::string_view value, RunOptions &options) {
         return setPositive("--print-records", value, 1u << 24, options.printRecords);
       },
       "keep the first N lines that the kernel prints (default 65536)"},
  };
}

/// What is done with the results, and what else there is to do.
static std::vector<Option> resultOptions() {
  return {
      {"--allow-races", "", false, turnOn<&RunOptions::allowsRaces>,
       "do not look for races between programs, which interp and sim report as errors"},
      {"--count-accesses", "", false, turnOn<&RunOptions::countsAccesses>,
       "on sim, print how many sectors of global memory and wavefronts of shared memory accesses "
       "moved, and how many would have done, by source line"},
      {"--guard", "=begin|end", false, setGuard,
       "for tests: each array begins, or ends, at a page that nobody may touch. On the CPU a "
       "kernel that does ends at once, with the argument's name"},
      {"--out", "=I:FILE.npy", true, addOut,
       "write argument I (position or name) if all went well"},
      {"--check", "=I:FILE.npy[,rtol=R][,atol=A]", true, addCheck,
       "compare argument I with a file; the default depends on the type"},
      {"--compare", "=DEVICE", false, setCompare,
       "run on cpu or interp as well and compare every array"},
      {"--time", "[=N]", false, setTime, "time N launches (default 20)"},
      {"--tune", " NAME=V[,V...] ...", true, addTune,
       "time the kernel with each value of a parameter of the file, of num_warps or of "
       "num_stages, in all combinations; the best is in the last line"},
      {"--tune", "=auto", true, addTune,
       "the same with the values that the file names behind its parameters"},
      {"--choose", "[=list]", false, setChoose,
       "on a GPU, take for such parameters without a -D the values with which a model predicts the least time, "
       "or list what it predicts of all combinations"},
      {"--bytes", "=N", false, setBytes,
       "bytes a launch moves, for GB/s; default: every array once"},
      {"--timeout", "=SECONDS", false,
       [](std::string_view value, RunOptions &options) {
         return setPositive("--timeout", value, 1000000, options.timeout);
       },
       "end with a sentence and status 1 when so many seconds are over"},
      {"--emit", "=STAGE", false,
       [](std::string_view value, RunOptions &options) {
         return value.empty() ? valueError("--emit", "a stage such as fsm, llvm or asm", value)
                              : setStage(std::string(value), options);
       },
       "print the code at a stage: " + stageNames("cpu") + " for the cpu; " + stageNames("gpu") +
           " for a GPU. Or make a kernel for programs without a compiler (docs/embed.md): header or c, of "
           "all targets that --target names, and obj, the object for the cpu that they are linked with"},
      {"--print-layouts", "", false,
       [](std::string_view, RunOptions &options) { return setStage("layouts", options); },
       "print which thread of a GPU holds which element of each block; the same as "
       "--emit=layouts"},
      {"--print-ir-after", "=PASS", false,
       [](std::string_view value, RunOptions &options) {
         return setStage("after:" + std::string(value), options);
       },
       "print the module behind a pass on the way to the target"},
      {"-o", " FILE", false,
       [](std::string_view value, RunOptions &options) {
         return setNonEmpty("-o", "a file name", value, options.output);
       },
       "write what --emit prints to FILE"},
      {"--batch", "=FILE", false,
       [](std::string_view value, RunOptions &options) {
         return setNonEmpty("--batch", "a file of command lines, or '-'", value, options.batch);
       },
       "perform each line of FILE (\"-\" is standard input) as a run of its own, in one process "
       "and on devices that stay open. A line holds what would follow 'fsm-run', quoted as for a "
       "shell; empty ones and comments (#) are skipped. Each prints '[LINE] rc=STATUS stdout=N "
       "stderr=M' and those N + M bytes, a line that fails, crashes or is interrupted does not "
       "stop the rest, and "
       "the highest status is returned"},
      {"--help", "", false, turnOn<&RunOptions::help>, ""},
      {"--version", "", false, turnOn<&RunOptions::version>, ""},
  };
}

const std::vector<Option> &fsm::optionTable() {
  static const std::vector<Option> table = [] {
    std::vector<Option> all;
    for (auto *group : {launchOptions, compileOptions, resultOptions})
      for (Option &option : group())
        all.push_back(std::move(option));
    return all;
  }();
  return table;
}
