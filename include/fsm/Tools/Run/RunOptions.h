//===- RunOptions.h - The command line of fsm-run ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_RUNOPTIONS_H
#define FSM_TOOLS_RUN_RUNOPTIONS_H

#include "fsm/Artifact/Launch.h"
#include "fsm/Compiler/CompileOptions.h"
#include "fsm/Support/Result.h"
#include "fsm/Tools/Arguments/AlignedBuffer.h"
#include "fsm/Tools/Arguments/ArgumentSpec.h"
#include "fsm/Tools/Arguments/Compare.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// The value of --grid.
struct GridSpec {
  /// As many programs as the device runs at once, at most `grid.x`.
  bool isPersistent = false;
  /// What the kernel states.
  bool isStated = false;
  Grid grid;
  /// For x, y and z the parameter of the file that the extent is yet to be divided by, rounded up;
  /// or nothing.
  std::string divisors[3];
};

/// One of --tune: what is tried of a parameter of the file, or of num_warps or num_stages.
struct TuneSpec {
  std::string name;
  std::vector<std::string> values;
  /// Whether it is a parameter of the file even where it is called num_warps or num_stages.
  bool isParameter = false;
};

/// The value of --out: I:FILE.npy.
struct OutSpec {
  /// Position or name of the argument.
  std::string argument;
  std::string path;
};

/// The value of --shift: I:N, or of --overlap: I:J:N.
struct PlaceSpec {
  /// Positions or names of the arguments; of --shift the first alone.
  std::string argument, other;
  /// Elements that the first one begins behind a multiple of 64 bytes, or behind the other's first.
  uint64_t elements = 0;
};

/// Everything the command line says.
struct RunOptions {
  /// The `.mlir` file; "-" is standard input.
  std::string file;
  std::string device;
  /// What to compile for, or empty: what the device runs.
  std::string target;
  /// How the kernel is compiled, but for the target and the facts of the arguments.
  CompileOptions compile;
  std::optional<GridSpec> grid;
  std::vector<ArgumentSpec> arguments;
  std::map<std::string, std::string> parameters;
  /// The file of CUDA's libdevice, empty for a search, nothing to use none.
  std::optional<std::string> libdevice;
  /// How many lines of `fsm.print` a launch keeps.
  unsigned printRecords = 65536;
  bool specialize = true;
  /// Whether programs may race.
  bool allowsRaces = false;
  /// Whether the simulator says what accesses moved.
  bool countsAccesses = false;
  /// Where arrays lie beside pages that nobody may touch.
  Guard guard = Guard::None;
  std::vector<PlaceSpec> shifts;
  std::vector<PlaceSpec> overlaps;
  std::vector<OutSpec> outs;
  std::vector<CheckSpec> checks;
  /// The device to compare with, or empty.
  std::string compare;
  /// How many launches to time, or nothing.
  std::optional<unsigned> timedRuns;
  std::vector<TuneSpec> tunes;
  /// Whether the file's parameters are tuned that have domains and no value.
  bool tunesDomains = false;
  bool isTuned() const { return tunesDomains || !tunes.empty(); }
  /// Whether the file's parameters that have domains and no value get those that a model likes best,
  /// and whether what it says of all of them is printed instead of a run.
  bool chooses = false, listsChoices = false;
  /// Bytes a launch moves, for GB/s; 0 counts every array once.
  uint64_t bytes = 0;
  /// How long all of it may take, in seconds; 0 for any time.
  unsigned timeout = 0;
  /// The stage to print, or empty, and the file for it.
  std::string emit;
  std::string output = "-";
  /// The file of a batch, "-" for standard input, or empty.
  std::string batch;
  bool list = false;
  bool listDevices = false;
  bool help = false;
  bool version = false;
};

/// What is wrong with what fsm-run was asked for, as a sentence that says who speaks.
Error runError(const std::string &message);

/// Reads the words after the program's name. Errors are complete sentences that
/// begin with "fsm-run: ".
Result<RunOptions> parseRunOptions(const std::vector<std::string_view> &words);

/// What --help prints.
std::string runHelpText();

} // namespace fsm

#endif // FSM_TOOLS_RUN_RUNOPTIONS_H
