//===- SimulatorRun.cpp - Launches that are watched -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/SimulatorRun.h"

using namespace fsm;

void cuda::announceLaunch(const DeviceModule &module, bool allowsRaces) {
  if (auto *configure = module.device().driver().simulatorConfigure) {
    configure("programs_per_cta", static_cast<long>(module.contract().programsPerCta));
    configure("ctas", static_cast<long>(module.contract().numCtas));
    configure("batch", static_cast<long>(module.contract().batch));
    configure("allow_races", allowsRaces);
  }
}

Result<void> cuda::withReports(const Driver &driver, Result<void> done) {
  if (!driver.isSimulator())
    return done;
  std::string reports = driver.simulatorReports();
  if (reports.empty())
    return done;
  if (reports.back() == '\n')
    reports.pop_back();
  return Error{Error::Kind::Execution, "error: the simulator reports\n" + reports};
}
