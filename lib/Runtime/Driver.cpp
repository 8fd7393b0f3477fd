//===- Driver.cpp - The CUDA driver, found at run time --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/Driver.h"

#include <array>
#include <dlfcn.h>
#include <unistd.h>
#include <vector>

using namespace fsm;
using namespace fsm::cuda;

//===----------------------------------------------------------------------===//
// What results mean
//===----------------------------------------------------------------------===//

static Error::Kind kindOf(int result) {
  switch (result) {
  case kStubLibrary:
  case kNoDevice:
  case kInvalidDevice:
  case kNoBinaryForGpu:
  case kUnsupportedPtxVersion:
  case kSystemDriverMismatch:
    return Error::Kind::NoDevice;
  default:
    return Error::Kind::Execution;
  }
}

/// What the reader can do about a result, or "".
static const char *adviceFor(int result) {
  switch (result) {
  case kStubLibrary:
    return "; this is the stub to link against, expected the library of an installed driver";
  case kNoBinaryForGpu:
    return "; the kernel was compiled for another GPU than this one";
  case kUnsupportedPtxVersion:
    return "; the driver is older than the kernel's PTX, expected a newer driver";
  case kLaunchOutOfResources:
    return "; expected fewer warps or less shared memory";
  case kNotInitialized:
    return "; a forked process cannot use its parent's devices";
  case kIllegalAddress:
  case kHardwareStackError:
  case kIllegalInstruction:
  case kMisalignedAddress:
  case kInvalidAddressSpace:
  case kInvalidPc:
  case kLaunchFailed:
    // CUDA driver API, CUresult: the process must be terminated and launched again.
    return "; no more work succeeds on this device in this process, expected a new one";
  default:
    return "";
  }
}

Error Driver::errorOf(int result, const std::string &action) const {
  const char *name = nullptr;
  const char *sentence = nullptr;
  if (getErrorName(result, &name) != kSuccess || !name)
    name = "an unknown error";
  if (getErrorString(result, &sentence) != kSuccess || !sentence)
    sentence = "no description";
  return Error{kindOf(result), "error: cannot " + action + ": " + name + " (" +
                                   std::to_string(result) + "), " + sentence + adviceFor(result)};
}

Result<int> Driver::deviceCount() const {
  int count = 0;
  int result = deviceGetCount(&count);
  if (result == kNoDevice)
    return 0;
  if (Result<void> checked = check(result, "count the devices"); !checked)
    return checked.error();
  return count;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static Error noLibrary(const std::string &sentence) {
  return Error{Error::Kind::NoDevice, "error: " + sentence};
}

/// Calls a symbol's address what it is.
template <typename Function>
static bool resolve(void *library, const char *symbol, Function *&function) {
  void *address = dlsym(library, symbol);
  static_assert(sizeof(address) == sizeof(function), "functions and data are addressed alike");
  __builtin_memcpy(&function, &address, sizeof(address));
  return address != nullptr;
}

/// What the simulator says beside its error, ": " before it.
static std::string reasonOf(const Driver &driver) {
  std::string reports = driver.simulatorReports ? driver.simulatorReports() : "";
  while (!reports.empty() && reports.back() == '\n')
    reports.pop_back();
  return reports.empty() ? "" : ": " + reports;
}

Result<std::shared_ptr<const Driver>> Driver::load(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return noLibrary("cannot load the driver library '" + path +
                     "': " + (reason ? reason : "no reason given"));
  }
  auto driver = std::make_shared<Driver>();
  driver->file = path;
#define DRIVER_CALL(call, symbol, parameters)                                                      \
  if (!resolve(library, #symbol, driver->call))                                                    \
    return noLibrary("the driver library '" + path +                                               \
                     "' has no function '" #symbol "'; expected a driver of CUDA 11 or newer");
#include "fsm/Runtime/DriverCalls.def"
  resolve(library, "cuTensorMapEncodeTiled", driver->tensorMapEncodeTiled);
  resolve(library, "cuMemPoolCreate", driver->memPoolCreate);
  resolve(library, "cuMemPoolSetAttribute", driver->memPoolSetAttribute);
  resolve(library, "cuMemPoolDestroy", driver->memPoolDestroy);
  resolve(library, "cuMemAllocFromPoolAsync", driver->memAllocFromPoolAsync);
  resolve(library, "cuMemFreeAsync", driver->memFreeAsync);
  constexpr int firstToRecordOverlaps = 12030;
  if (int version = 0;
      driver->driverGetVersion(&version) == kSuccess && version >= firstToRecordOverlaps)
    resolve(library, "cuLaunchKernelEx", driver->launchKernelEx);
  resolve(library, "fsmSimulatorReports", driver->simulatorReports);
  resolve(library, "fsmSimulatorNameArgument", driver->simulatorNameArgument);
  resolve(library, "fsmSimulatorConfigure", driver->simulatorConfigure);
  resolve(library, "fsmSimulatorAccesses", driver->simulatorAccesses);
  if (int result = driver->init(0); result != kSuccess) {
    Error error = driver->errorOf(result, "initialise the driver '" + path + "'");
    error.kind = Error::Kind::NoDevice;
    error.message += reasonOf(*driver);
    return error;
  }
  return std::shared_ptr<const Driver>(std::move(driver));
}

Result<std::shared_ptr<const Driver>> Driver::loadCuda() { return load("libcuda.so.1"); }

static std::string folderOf(const std::string &file) {
  size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash);
}

/// Where this code is: in a program, or in a library that one has loaded.
static std::vector<std::string> ownFolders() {
  std::vector<std::string> folders;
  Dl_info info;
  if (dladdr(reinterpret_cast<const void *>(&ownFolders), &info) && info.dli_fname)
    folders.push_back(folderOf(info.dli_fname));
  std::array<char, 4096> program;
  ssize_t length = readlink("/proc/self/exe", program.data(), program.size());
  if (length > 0 && static_cast<size_t>(length) < program.size())
    folders.push_back(folderOf(std::string(program.data(), static_cast<size_t>(length))));
  return folders;
}

Result<std::shared_ptr<const Driver>> Driver::loadSimulator(const std::string &path) {
  if (!path.empty())
    return load(path);
  const char *name = "libfsm-simulator.so";
  std::string tried;
  for (const std::string &folder : ownFolders())
    for (const char *inner : {"/", "/../lib/"}) {
      std::string candidate = folder + inner + name;
      if (access(candidate.c_str(), F_OK) == 0)
        return load(candidate);
      tried += (tried.empty() ? "" : ", ") + candidate;
    }
  return noLibrary("there is no simulator library '" + std::string(name) + "'; looked for " +
                   tried);
}
