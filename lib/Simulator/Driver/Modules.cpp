//===- Modules.cpp - cuModule... and cuFunc... ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"

#include <algorithm>
#include <cstring>

using namespace fsm;
using namespace fsm::driver;

//===----------------------------------------------------------------------===//
// What the compiler would refuse
//===----------------------------------------------------------------------===//

namespace {

/// Why a module does not load.
struct Refusal {
  CUresult result = CUDA_SUCCESS;
  std::string sentence;
};

/// The newest PTX, as major * 10 + minor, that a driver of the version reads.
long newestPtx(long driverVersion) {
  long major = driverVersion / 1000, minor = driverVersion % 1000 / 10;
  // PTX 8.5 came with CUDA 12.5 and stayed in 12.6.
  if (major == 12 && minor > 5)
    --minor;
  return (major - 4) * 10 + minor;
}

Refusal checkVersion(const sim::Program &program, const Settings &settings) {
  long newest = newestPtx(settings.driverVersion);
  if (!program.version)
    return {CUDA_ERROR_INVALID_PTX, "expected '.version' before anything else"};
  if (program.version > newest)
    return {CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
            "the module is of PTX " + std::to_string(program.version / 10) + "." +
                std::to_string(program.version % 10) + "; this driver reads PTX up to " +
                std::to_string(newest / 10) + "." + std::to_string(newest % 10)};
  return {};
}

/// `sm_90` runs on 9.0 and above, `sm_90a` on 9.0 only, `sm_100f` on 10.x from 10.0 on.
Refusal checkTarget(const sim::Program &program, const Settings &settings) {
  const std::string &target = program.target;
  long device = settings.computeMajor * 10 + settings.computeMinor;
  std::string digits = target.rfind("sm_", 0) == 0 ? target.substr(3) : "";
  char suffix =
      digits.empty() || (digits.back() >= '0' && digits.back() <= '9') ? 0 : digits.back();
  if (suffix)
    digits.pop_back();
  bool isNumber = !digits.empty() && digits.size() < 5 &&
                  digits.find_first_not_of("0123456789") == std::string::npos;
  if (!isNumber || (suffix && suffix != 'a' && suffix != 'f'))
    return {CUDA_ERROR_INVALID_PTX, "expected a target such as 'sm_90', got '" + target + "'"};
  long wanted = std::stol(digits);
  bool fits = suffix == 'a'   ? wanted == device
              : suffix == 'f' ? wanted <= device && wanted / 10 == device / 10
                              : wanted <= device;
  if (fits)
    return {};
  return {CUDA_ERROR_INVALID_PTX,
          "the module is for '" + target + "'; the device is of sm_" + std::to_string(device)};
}

Refusal checkImage(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    return {CUDA_ERROR_INVALID_IMAGE, "expected PTX text, got an empty one"};
  bool isElf = text.rfind("\x7f"
                          "ELF",
                          0) == 0;
  bool isFatBinary = text.rfind("\x50\xed\x55\xba", 0) == 0;
  if (isElf || isFatBinary)
    return {CUDA_ERROR_NO_BINARY_FOR_GPU, "expected PTX text, got machine code"};
  return {};
}

//===----------------------------------------------------------------------===//
// Options of the compiler
//===----------------------------------------------------------------------===//

/// A buffer of the caller for messages, and where its filled bytes are told.
struct Log {
  char *buffer = nullptr;
  size_t bytes = 0;
  void **filled = nullptr;

  void write(const std::string &text) const {
    size_t count = buffer && bytes ? std::min(text.size(), bytes - 1) : 0;
    if (buffer && bytes) {
      std::memcpy(buffer, text.data(), count);
      buffer[count] = 0;
    }
    if (filled)
      *filled = reinterpret_cast<void *>(static_cast<uintptr_t>(count));
  }
};

/// The options that have an effect here. The value of a size is in the pointer itself.
struct JitOptions {
  Log info, error;

  bool read(unsigned count, const CUjit_option *options, void **values) {
    if (count && (!options || !values))
      return false;
    for (unsigned index = 0; index < count; ++index) {
      if (options[index] < 0 || options[index] >= CU_JIT_NUM_OPTIONS)
        return false;
      readOne(options[index], values[index]);
    }
    return true;
  }

private:
  void readOne(CUjit_option option, void *&value) {
    Log &log = option <= CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ? info : error;
    if (option == CU_JIT_INFO_LOG_BUFFER || option == CU_JIT_ERROR_LOG_BUFFER) {
      log.buffer = static_cast<char *>(value);
    } else if (option == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
               option == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
      // The size is an unsigned int in the place of a pointer.
      log.bytes = static_cast<unsigned>(reinterpret_cast<uintptr_t>(value));
      log.filled = &value;
    }
  }
};

/// Adds the kernels of a module, as the compiler would make them.
Refusal addKernels(LoadedModule &module) {
  for (const std::string &name : module.module.kernels()) {
    const sim::Function &function = module.module.program()->functions.at(name);
    if (!function.isDefined)
      continue;
    Result<sim::KernelNeeds> needs = module.module.needs(name);
    if (!needs)
      return {CUDA_ERROR_INVALID_PTX, needs.error().message};
    auto kernel = std::make_unique<Kernel>();
    kernel->module = &module;
    kernel->function = &function;
    kernel->staticSharedBytes = static_cast<int>(needs->sharedBytes);
    kernel->localBytes = static_cast<int>(needs->localBytes);
    if (kernel->staticSharedBytes > kDefaultSharedBytes)
      return {CUDA_ERROR_INVALID_PTX, "kernel '" + name + "' has " +
                                          std::to_string(needs->sharedBytes) +
                                          " bytes of static shared memory; it may have at most " +
                                          std::to_string(kDefaultSharedBytes)};
    kernel->maxDynamicSharedBytes = kDefaultSharedBytes - kernel->staticSharedBytes;
    kernel->registers = static_cast<int>(needs->registers);
    module.kernels.emplace(name, std::move(kernel));
  }
  return {};
}

Refusal load(DriverState &driver, Context &context, std::string_view text, CUmodule *handle) {
  if (Refusal refusal = checkImage(text); refusal.result)
    return refusal;
  Result<sim::Module> parsed = sim::Module::parse(text);
  if (!parsed)
    return {CUDA_ERROR_INVALID_PTX, parsed.error().message};
  for (auto check : {checkVersion, checkTarget})
    if (Refusal refusal = check(*parsed->program(), driver.settings); refusal.result)
      return refusal;
  auto module = std::make_unique<LoadedModule>(std::move(*parsed));
  if (Refusal refusal = addKernels(*module); refusal.result)
    return refusal;
  *handle = module.get();
  context.modules.emplace(*handle, std::move(module));
  return {};
}

} // namespace

FSM_DRIVER_ENTRY CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                                             CUjit_option *options, void **values) {
  return callInContext(
      [&](DriverState &driver, Context &context) {
        JitOptions jit;
        if (!module || !image || !jit.read(count, options, values))
          return CUDA_ERROR_INVALID_VALUE;
        Refusal refusal = load(driver, context, static_cast<const char *>(image), module);
        jit.error.write(refusal.sentence);
        jit.info.write("");
        if (refusal.result)
          driver.reports += "cuModuleLoadData: " + refusal.sentence + "\n";
        return refusal.result;
      },
      CUDA_ERROR_OUT_OF_MEMORY);
}

FSM_DRIVER_ENTRY CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

FSM_DRIVER_ENTRY CUresult cuModuleUnload(CUmodule module) {
  return callInContext([&](DriverState &driver, Context &context) {
    auto found = context.modules.find(module);
    if (found == context.modules.end())
      return CUDA_ERROR_INVALID_HANDLE;
    driver.device.unload(module->module);
    context.modules.erase(found);
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                                              const char *name) {
  return callInContext([&](DriverState &, Context &context) {
    if (!function || !name)
      return CUDA_ERROR_INVALID_VALUE;
    if (!context.modules.count(module))
      return CUDA_ERROR_INVALID_HANDLE;
    auto found = module->kernels.find(name);
    if (found == module->kernels.end())
      return CUDA_ERROR_NOT_FOUND;
    *function = found->second.get();
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                                               const char *name) {
  return callInContext([&](DriverState &driver, Context &context) {
    if (!name)
      return CUDA_ERROR_INVALID_VALUE;
    if (!context.modules.count(module))
      return CUDA_ERROR_INVALID_HANDLE;
    auto variable = driver.device.variable(module->module, name);
    if (!variable)
      return CUDA_ERROR_NOT_FOUND;
    if (address)
      *address = variable->first;
    if (bytes)
      *bytes = variable->second;
    return CUDA_SUCCESS;
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static int attributeOf(const DriverState &driver, const Kernel &kernel, int attribute) {
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    return kernel.maxThreads();
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    return kernel.staticSharedBytes;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    return kernel.localBytes;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    return kernel.registers;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    return std::stoi(kernel.module->module.program()->target.substr(3));
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    return static_cast<int>(driver.settings.computeMajor * 10 + driver.settings.computeMinor);
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return kernel.maxDynamicSharedBytes;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    return kernel.carveout;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    return kernel.allowsLargeClusters;
  default:
    return 0;
  }
}

FSM_DRIVER_ENTRY CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                                             CUfunction function) {
  return callInContext([&](DriverState &driver, Context &context) {
    if (!value || attribute < 0 || attribute >= kFunctionAttributes)
      return CUDA_ERROR_INVALID_VALUE;
    Kernel *kernel = context.find(function);
    if (!kernel)
      return CUDA_ERROR_INVALID_HANDLE;
    *value = attributeOf(driver, *kernel, attribute);
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                                             int value) {
  return callInContext([&](DriverState &, Context &context) {
    Kernel *kernel = context.find(function);
    if (!kernel)
      return CUDA_ERROR_INVALID_HANDLE;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0 || value > kOptInSharedBytes - kernel->staticSharedBytes)
        return CUDA_ERROR_INVALID_VALUE;
      kernel->maxDynamicSharedBytes = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100)
        return CUDA_ERROR_INVALID_VALUE;
      kernel->carveout = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      kernel->allowsLargeClusters = value != 0;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

FSM_DRIVER_ENTRY CUresult cuFuncSetCacheConfig(CUfunction function, unsigned preference) {
  return callInContext([&](DriverState &, Context &context) {
    if (!context.find(function))
      return CUDA_ERROR_INVALID_HANDLE;
    return preference <= 3 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}
