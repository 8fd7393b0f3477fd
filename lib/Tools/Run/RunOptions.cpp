//===- RunOptions.cpp - The command line of fsm-run ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunOptions.h"
#include "fsm/Tools/Arguments/Number.h"
#include "fsm/Tools/Quote.h"

#include <algorithm>
#include <set>

using namespace fsm;

std::string_view fsm::runHelpText() {
  return R"(usage: fsm-run FILE.mlir --grid=X[,Y[,Z]] --arg=SPEC ... [option ...]

Compiles one kernel of FILE.mlir ("-" is standard input), launches it, checks and times it.

  --list                  print the kernels of the file and their arguments
  --list-devices          print the devices and what they are like; needs no file
  --kernel=NAME           the kernel to run; needed if the file has several
  --device=NAME           interp, cpu, cuda[:N] or sim; default: cuda if there is one, else cpu
  --target=NAME           what to compile for: cpu, sm_90a, ...; default: the device
  --grid=X[,Y[,Z]]        how many programs to launch
  --grid=persistent:N     some times as many as the device runs at once, at most N
  --arg=[NAME=]SPEC       the next argument, or the one called NAME:
                            781  0.5  0x1F  inf     a scalar
                            f32[1823x781]           an array of zeros, or with a fill:
                              :randn:SEED :uniform:SEED :arange :full:V
                            @file.npy               an array from a file
                            bf16:@file.npy          a uint16 or uint8 file as bf16 or f8 bits
  --shift=I:N             let argument I begin N elements behind a multiple of 64 bytes
  --overlap=I:J:N         let argument I begin at element N of argument J; the elements that both
                          have are those of J
  -D NAME=VALUE           set a parameter ${NAME} of the file
  --num-warps=N           override the kernel's num_warps
  --num-ctas=N            override the kernel's num_ctas
  --num-stages=N          override every loop's fsm.num_stages
  --strict                on a GPU, stages that it has no room for are an error, not a warning
  --remarks               on a GPU, say of each load in a loop with fsm.num_stages whether it runs
                          ahead, and why
  --print-records=N       keep the first N lines that the kernel prints (default 65536)
  --no-specialize         compile without looking at the arguments' values
  --without=PASS[,PASS]   leave passes out, of canonicalize, fsm-combine, cse and
                          loop-invariant-code-motion; the answers stay
  --libdevice[=FILE]      on a GPU, take functions of math from CUDA's libdevice.10.bc; default:
                          that of the toolkit which CUDA_HOME, CUDA_PATH, CUDA_ROOT or PATH lead to
  --guard=begin|end       for tests: each array begins, or ends, at a page that nobody may touch.
                          On the CPU a kernel that does ends at once, with the argument's name
  --out=I:FILE.npy        write argument I (position or name) if all went well
  --check=I:FILE.npy[,rtol=R][,atol=A]
                          compare argument I with a file; the default depends on the type
  --compare=DEVICE        run on cpu or interp as well and compare every array
  --time[=N]              time N launches (default 20)
  --bytes=N               bytes a launch moves, for GB/s; default: every array once
  --emit=STAGE            print the code at a stage: fsm, llvm, llvmir, asm for the cpu; fsm, gpu,
                          nvvm, llvm, llvmir, ptx, contract for a GPU
  -o FILE                 write what --emit prints to FILE
  --batch=FILE            perform each line of FILE ("-" is standard input) as a run of its own, in
                          this process and on devices that stay open. A line holds what would follow
                          'fsm-run', quoted as for a shell; empty ones and comments (#) are skipped.
                          Each prints '[LINE] rc=STATUS stdout=N stderr=M' and those N + M bytes, a
                          line that fails does not stop the rest, and the highest status is returned
  --help, --version

Exit status: 0 all went well, 1 a comparison or the kernel failed, 2 bad input, 3 no such device.
)";
}

static Error usageError(const std::string &message) { return badInput("fsm-run: " + message); }

static Error valueError(std::string_view option, const std::string &expected,
                        std::string_view got) {
  return usageError(std::string(option) + ": expected " + expected + ", got " +
                    (got.empty() ? "nothing" : quoted(got)));
}

/// Options call one of these with their value.
using Handler = Result<void> (*)(std::string_view value, RunOptions &options);

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
  int32_t *extents[] = {&spec.grid.x, &spec.grid.y, &spec.grid.z};
  std::string_view rest = value;
  for (size_t i = 0;; ++i) {
    std::string_view word = rest.substr(0, rest.find(','));
    std::optional<uint64_t> extent =
        i < 3 ? parseUnsigned(word, i ? largestYZ : largestX) : std::nullopt;
    if (!extent)
      return valueError("--grid",
                        "X[,Y[,Z]] with X from 0 to 2147483647, Y and Z from 0 to 65535, or "
                        "persistent:N",
                        value);
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
    return usageError(spec.error().message);
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
  auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  bool isName = !name.empty() && isLetter(name[0]) &&
                std::all_of(name.begin(), name.end(),
                            [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
  if (equals == std::string_view::npos || equals + 1 == value.size() || !isName)
    return valueError("-D", "NAME=VALUE", value);
  if (!options.parameters.emplace(name, value.substr(equals + 1)).second)
    return usageError("-D: expected each parameter once, got a second value for " + quoted(name));
  return {};
}

static Result<void> addWithout(std::string_view value, RunOptions &options) {
  for (;;) {
    std::string_view word = value.substr(0, value.find(','));
    if (word.empty())
      return valueError("--without", "PASS[,PASS]", value);
    options.without.emplace_back(word);
    if (word.size() == value.size())
      return {};
    value.remove_prefix(word.size() + 1);
  }
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
      return usageError("--out: expected each file once, got a second array for " +
                        quoted(spec.path));
  options.outs.push_back(std::move(spec));
  return {};
}

static Result<void> addCheck(std::string_view value, RunOptions &options) {
  Result<CheckSpec> spec = parseCheckSpec(value);
  if (!spec)
    return usageError(spec.error().message);
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

static Result<void> setBytes(std::string_view value, RunOptions &options) {
  std::optional<uint64_t> bytes = parseUnsigned(value, INT64_MAX);
  if (!bytes || *bytes == 0)
    return valueError("--bytes", "an integer of 1 or more", value);
  options.bytes = *bytes;
  return {};
}

namespace {
struct Option {
  std::string_view name;
  enum { NoValue, NeedsValue, MayHaveValue } value;
  bool mayRepeat;
  Handler handle;
};
} // namespace

static constexpr Option kOptions[] = {
    {"--list", Option::NoValue, false,
     [](std::string_view, RunOptions &options) -> Result<void> {
       options.list = true;
       return {};
     }},
    {"--list-devices", Option::NoValue, false,
     [](std::string_view, RunOptions &options) -> Result<void> {
       options.listDevices = true;
       return {};
     }},
    {"--kernel", Option::NeedsValue, false,
     [](std::string_view value, RunOptions &options) {
       return setNonEmpty("--kernel", "a kernel's name",
                          !value.empty() && value[0] == '@' ? value.substr(1) : value,
                          options.kernel);
     }},
    {"--device", Option::NeedsValue, false, setDevice},
    {"--target", Option::NeedsValue, false,
     [](std::string_view value, RunOptions &options) {
       return setNonEmpty("--target", "cpu, sm_90a or the like", value, options.target);
     }},
    {"--grid", Option::NeedsValue, false, setGrid},
    {"--arg", Option::NeedsValue, true, addArgument},
    {"--shift", Option::NeedsValue, true, addShift},
    {"--overlap", Option::NeedsValue, true, addOverlap},
    {"-D", Option::NeedsValue, true, addParameter},
    {"--num-warps", Option::NeedsValue, false,
     [](std::string_view value, RunOptions &options) {
       return setPositive("--num-warps", value, 32, options.numWarps);
     }},
    {"--num-ctas", Option::NeedsValue, false,
     [](std::string_view value, RunOptions &options) {
       return setPositive("--num-ctas", value, 16, options.numCtas);
     }},
    {"--num-stages", Option::NeedsValue, false,
     [](std::string_view value, RunOptions &options) {
       return setPositive("--num-stages", value, 64, options.numStages);
     }},
    {"--print-records", Option::NeedsValue, false,
     [](std::string_view value, RunOptions &options) {
       return setPositive("--print-records", value, 1u << 24, options.printRecords);
     }},
    {"--without", Option::NeedsValue, true, addWithout},
    {"--libdevice", Option::MayHaveValue, false,
     [](std::string_view value, RunOptions &options) -> Result<void> {
       options.libdevice = std::string(value);
       return {};
     }},
    {"--no-specialize", Option::NoValue, false,
     [](std::string_view, RunOptions &options) -> Result<void> {
       options.specialize = false;
       return {};
     }},
    {"--strict", Option::NoValue, false,
     [](std::string_view, RunOptions &options) -> Result<void> {
       options.strict = true;
       return {};
     }},
    {"--remarks", Option::NoValue, false,
     [](std::string_view, RunOptions &options) -> Result<void> {
       options.remarks = true;
       return {};
     }},
    {"--guard", Option::NeedsValue, false, setGuard},
    {"--out", Option::NeedsValue, true, addOut},
    {"--check", Option::NeedsValue, true, addCheck},
    {"--compare", Option::NeedsValue, false, setCompare},
    {"--time", Option::MayHaveValue, false, setTime},
    {"--bytes", Option::NeedsValue, false, setBytes},
    {"--emit", Option::NeedsValue, false,
     [](std::string_view value, RunOptions &options) {
       return setNonEmpty("--emit", "a stage such as fsm, llvm or asm", value, options.emit);
     }},
    {"-o", Option::NeedsValue, false,
     [](std::string_view value, RunOptions &options) {
       return setNonEmpty("-o", "a file name", value, options.output);
     }},
    {"--batch", Option::NeedsValue, false,
     [](std::string_view value, RunOptions &options) {
       return setNonEmpty("--batch", "a file of command lines, or '-'", value, options.batch);
     }},
    {"--help", Option::NoValue, false,
     [](std::string_view, RunOptions &options) -> Result<void> {
       options.help = true;
       return {};
     }},
    {"--version", Option::NoValue, false,
     [](std::string_view, RunOptions &options) -> Result<void> {
       options.version = true;
       return {};
     }},
};

/// How many letters must be added, dropped or replaced to get from a to b.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

static Error unknownOption(std::string_view name) {
  const Option *nearest = nullptr;
  size_t least = std::max<size_t>(2, name.size() / 3) + 1;
  // Longer words are nobody's typing error, and the distance is quadratic.
  if (name.size() < 64)
    for (const Option &option : kOptions)
      if (size_t distance = editDistance(name, option.name); distance < least) {
        least = distance;
        nearest = &option;
      }
  return usageError("unknown option " + quoted(name) +
                    (nearest ? "; did you mean '" + std::string(nearest->name) + "'?"
                             : "; --help lists the options"));
}

namespace {
/// Goes through the words from left to right.
class CommandLine {
public:
  explicit CommandLine(const std::vector<std::string_view> &words) : words(words) {}
  Result<RunOptions> parse();

private:
  Result<void> parseWord(std::string_view word);
  Result<void> parseFile(std::string_view word);
  Result<void> parseOption(const Option &option, std::optional<std::string_view> value);

  const std::vector<std::string_view> &words;
  size_t next = 0;
  bool onlyFiles = false;
  std::set<std::string_view> seen;
  size_t numOptions = 0;
  RunOptions options;
};
} // namespace

/// Finds the option a word is, and the value that the word itself holds: after
/// '=', or for -D and -o right after the letter.
static const Option *findOption(std::string_view word, std::optional<std::string_view> &value) {
  if (word == "-h")
    word = "--help";
  size_t equals = word.find('=');
  std::string_view name = word.substr(0, equals);
  if (word[1] != '-') {
    name = word.substr(0, 2);
    equals = word.size() > 2 ? 1 : std::string_view::npos;
  }
  if (equals != std::string_view::npos)
    value = word.substr(equals + 1);
  for (const Option &option : kOptions)
    if (option.name == name)
      return &option;
  return nullptr;
}

Result<void> CommandLine::parseFile(std::string_view word) {
  if (!options.file.empty())
    return usageError("expected one file, got " + quoted(options.file) + " and " + quoted(word));
  if (word.empty())
    return usageError("expected a file name, got an empty word");
  options.file = std::string(word);
  return {};
}

Result<void> CommandLine::parseOption(const Option &option, std::optional<std::string_view> value) {
  ++numOptions;
  if (!option.mayRepeat && !seen.insert(option.name).second)
    return usageError(std::string(option.name) + ": expected the option once, got it again");
  if (option.value == Option::NoValue && value)
    return usageError(std::string(option.name) + ": expected no value, got " + quoted(*value));
  if (option.value == Option::MayHaveValue && value && value->empty())
    return valueError(option.name, "a value after '='", "");
  if (option.value == Option::NeedsValue && !value) {
    // The next word, unless it is an option: `--arg -1` but not `--grid --arg`.
    if (next == words.size() || words[next].substr(0, 2) == "--")
      return valueError(option.name, "a value", next == words.size() ? "" : words[next]);
    value = words[next++];
  }
  return option.handle(value.value_or(""), options);
}

Result<void> CommandLine::parseWord(std::string_view word) {
  if (onlyFiles || word == "-" || word.empty() || word[0] != '-')
    return parseFile(word);
  if (word == "--") {
    onlyFiles = true;
    return {};
  }
  std::optional<std::string_view> value;
  if (const Option *option = findOption(word, value))
    return parseOption(*option, value);
  return unknownOption(word.substr(0, word.find('=')));
}

/// What options ask of each other.
static Result<void> checkTogether(const RunOptions &options, size_t numOptions) {
  if (options.help || options.version || options.listDevices)
    return {};
  if (!options.batch.empty() && (numOptions > 1 || !options.file.empty()))
    return usageError("--batch: expected nothing beside it; every line says all of its run");
  if (!options.batch.empty())
    return {};
  if (options.guard != Guard::None && (!options.shifts.empty() || !options.overlaps.empty()))
    return usageError("--guard: expected no --shift and no --overlap beside it, for each guarded "
                      "array lies by itself");
  if (options.file.empty())
    return usageError("expected a FILE.mlir; --help shows how to call it");
  if (options.emit.empty() && options.output != "-")
    return usageError("-o: expected --emit=STAGE beside it (arrays are written by --out)");
  if (options.bytes && !options.timedRuns)
    return usageError("--bytes: expected --time beside it");
  if (options.list)
    return {};
  if (options.grid || !options.emit.empty()) {
    const char *needsLaunch = options.grid               ? nullptr
                              : !options.outs.empty()    ? "--out"
                              : !options.checks.empty()  ? "--check"
                              : !options.compare.empty() ? "--compare"
                              : options.timedRuns        ? "--time"
                                                         : nullptr;
    if (needsLaunch)
      return usageError(std::string(needsLaunch) + ": expected --grid=X[,Y[,Z]] beside it");
    return {};
  }
  return usageError("expected --grid=X[,Y[,Z]]; --list and --emit alone need none");
}

Result<RunOptions> CommandLine::parse() {
  while (next < words.size())
    if (Result<void> parsed = parseWord(words[next++]); !parsed)
      return parsed.error();
  if (Result<void> checked = checkTogether(options, numOptions); !checked)
    return checked.error();
  return std::move(options);
}

Result<RunOptions> fsm::parseRunOptions(const std::vector<std::string_view> &words) {
  return CommandLine(words).parse();
}
