//===- mutate.cpp - Runs mutants of valid kernels through FSM -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// fsm-mutate [--seed=N] [--first=N] [--count=N] [--seconds=N] [--save=FOLDER] [--gpu] FILE.mlir ...
//
// Mutant i of a seed is always the same text. Mutants run in child processes, a
// few hundred in each; a child that dies has its mutant saved and the next child
// goes on behind it. Exit code 1 if a mutant crashed, hung, or showed FSM wrong.
//
//===----------------------------------------------------------------------===//

#include "IRMutation.h"
#include "TextMutation.h"
#include "Trial.h"

#include "fsm/Compiler/Pipelines.h"
#include "fsm/IR/FSMDialect.h"
#include "fsm/Source/SourceText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fsm::fuzz;
namespace cl = llvm::cl;

static cl::opt<uint64_t> seedOption("seed", cl::init(1), cl::desc("where the choices start"));
static cl::opt<uint64_t> firstOption("first", cl::init(0), cl::desc("number of the first mutant"));
static cl::opt<uint64_t> countOption("count", cl::init(3000), cl::desc("how many mutants"));
static cl::opt<unsigned> secondsOption("seconds", cl::init(10), cl::desc("time one may take"));
static cl::opt<std::string> saveOption("save", cl::init("."), cl::desc("folder of bad mutants"));
static cl::opt<bool> printOption("print", cl::desc("print the mutants, run nothing"));
static cl::opt<bool> gpuOption("gpu", cl::desc("compile for a GPU, and run its passes singly"));
static cl::list<std::string> filesOption(cl::Positional, cl::OneOrMore, cl::desc("FILE.mlir ..."));

static constexpr size_t kBatch = 250;
static constexpr size_t kMaxText = size_t(4) << 20;

namespace {
/// What a child tells its parent while it runs, and after it has died.
struct Report {
  uint64_t current;
  volatile Stage stage;
  uint64_t reached[std::size(kStageNames)];
  uint64_t faults;
  char fault[2048];
  size_t textSize;
  char text[kMaxText];
};

struct Seeds {
  /// As they stand in the files, and with their parameters filled in.
  std::vector<std::string> texts, prepared;
};
} // namespace

/// A source as one text per kernel, each with all helpers: one kernel that is no
/// longer valid would hide what the others come to.
static void addKernels(const std::string &source, std::vector<std::string> &prepared) {
  Parsed parsed = parseAlone(source);
  if (!parsed.module)
    return;
  std::vector<std::string> names;
  for (auto kernel : parsed.module->getOps<fsm::KernelOp>())
    names.push_back(kernel.getSymName().str());
  for (const std::string &name : names) {
    mlir::OwningOpRef<mlir::ModuleOp> alone = parsed.module->clone();
    for (auto kernel : llvm::make_early_inc_range(alone->getOps<fsm::KernelOp>()))
      if (kernel.getSymName() != name)
        kernel.erase();
    llvm::raw_string_ostream(prepared.emplace_back()) << *alone;
  }
  if (names.empty())
    prepared.push_back(source);
}

/// The cases of the files; `// -----` separates them.
static Seeds readSeeds() {
  Seeds seeds;
  for (const std::string &name : filesOption) {
    auto file = llvm::MemoryBuffer::getFile(name, /*IsText=*/true);
    if (!file) {
      llvm::errs() << "error: " << name << ": " << file.getError().message() << "\n";
      std::exit(2);
    }
    llvm::SmallVector<llvm::StringRef> cases;
    (*file)->getBuffer().split(cases, "// -----");
    for (llvm::StringRef text : cases) {
      fsm::Result<std::string> prepared = fsm::prepareSource(text, name, {});
      if (!prepared)
        continue;
      seeds.texts.push_back(text.str());
      addKernels(*prepared, seeds.prepared);
    }
  }
  return seeds;
}

/// Half of the mutants are changed as text, half as parsed modules.
static std::string makeMutant(const Seeds &seeds, uint64_t number) {
  Dice dice(seedOption * 0x9E3779B97F4A7C15u + number);
  if (number % 2 == 0) {
    const std::vector<std::string> &from = dice.oneIn(2) ? seeds.texts : seeds.prepared;
    return mutateText(dice.pick(from), seeds.texts, dice);
  }
  Parsed parsed = parseAlone(dice.pick(seeds.prepared));
  if (!dice.oneIn(3))
    mutateIR(*parsed.module, dice);
  std::string text;
  llvm::raw_string_ostream stream(text);
  parsed.module->print(stream, mlir::OpPrintingFlags().printGenericOpForm());
  return dice.oneIn(2) ? mutateGeneric(text, dice) : text;
}

static void runBatch(const Seeds &seeds, uint64_t first, uint64_t end, Report &report) {
  for (uint64_t number = first; number < end; ++number) {
    alarm(secondsOption);
    report.current = number;
    report.textSize = 0;
    report.stage = Stage::Mutating;
    std::string mutant = makeMutant(seeds, number);
    if (mutant.size() > kMaxText)
      continue;
    std::memcpy(report.text, mutant.data(), mutant.size());
    report.textSize = mutant.size();
    std::string fault =
        tryMutant(mutant, report.stage, gpuOption ? std::optional(number) : std::nullopt);
    ++report.reached[static_cast<size_t>(report.stage)];
    if (fault.empty())
      continue;
    size_t size = std::min(fault.size(), sizeof(report.fault) - 1);
    std::memcpy(report.fault, fault.data(), size);
    report.fault[size] = '\0';
    // Told like a crash: the parent has the words, and the batch goes on there.
    _exit(3);
  }
  _exit(0);
}

/// Saves the mutant a child stumbled over and prints what happened.
static void reportFinding(const Report &report, const std::string &what) {
  std::string name = saveOption + "/mutant-" + llvm::utostr(seedOption) + "-" +
                     llvm::utostr(report.current) + ".mlir";
  std::error_code error;
  llvm::raw_fd_ostream(name, error) << llvm::StringRef(report.text, report.textSize);
  llvm::outs() << "mutant " << report.current << ", " << kStageNames[size_t(report.stage)] << ": "
               << what << "; saved as " << name << "\n";
  llvm::outs().flush();
}

namespace {
struct Counts {
  uint64_t crashed = 0, hung = 0, faults = 0;
};
} // namespace

/// Starts a child on [first, end) and returns where the next one starts.
static uint64_t runChild(const Seeds &seeds, uint64_t first, uint64_t end, Report &report,
                         Counts &counts) {
  pid_t child = fork();
  if (child == 0)
    runBatch(seeds, first, end, report);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return end;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    ++counts.hung;
    reportFinding(report, "no end after " + llvm::utostr(secondsOption) + " s");
  } else if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
    ++counts.faults;
    reportFinding(report, report.fault);
  } else {
    ++counts.crashed;
    reportFinding(report, WIFSIGNALED(status)
                              ? "died of signal " + llvm::itostr(WTERMSIG(status))
                              : "ended with exit code " + llvm::itostr(WEXITSTATUS(status)));
  }
  return report.current + 1;
}

static int printCounts(const Report &report, const Counts &counts) {
  auto past = [&](Stage stage) {
    uint64_t sum = 0;
    for (size_t i = size_t(stage) + 1; i < std::size(kStageNames); ++i)
      sum += report.reached[i];
    return sum;
  };
  llvm::outs() << countOption << " mutants: " << past(Stage::Parsing) << " parsed, "
               << past(Stage::Verifying) << " verified, " << past(Stage::Compiling) << " compiled, "
               << counts.faults << " faults, " << counts.crashed << " crashed, " << counts.hung
               << " hung\n";
  return counts.faults + counts.crashed + counts.hung ? 1 : 0;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Runs mutants of valid kernels through FSM\n");
  fsm::registerPasses();
  Seeds seeds = readSeeds();
  if (seeds.prepared.empty()) {
    llvm::errs() << "error: expected at least one file that parses\n";
    return 2;
  }
  uint64_t end = firstOption + countOption;
  if (printOption) {
    for (uint64_t number = firstOption; number < end; ++number)
      llvm::outs() << makeMutant(seeds, number) << "\n";
    return 0;
  }
  void *memory =
      mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 2;
  Report &report = *static_cast<Report *>(memory);
  Counts counts;
  for (uint64_t next = firstOption; next < end;)
    next = runChild(seeds, next, std::min<uint64_t>(next + kBatch, end), report, counts);
  return printCounts(report, counts);
}
