// How many programs of a kernel does a GPU run at once? The classical formula, worked out by hand
// for examples/05-softmax-persistent.mlir and compared with what the driver says.
//
// Call: occupancy [FILE.mlir [DEVICE]], DEVICE being cuda, cuda:N or sim
#include "fsm/Engine/Engine.h"
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

static int64_t roundUp(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// CTAs that one multiprocessor holds: whatever runs out first decides.
static int64_t ctasByHand(const fsm::cuda::DeviceProperties &gpu, const fsm::KernelReport &kernel) {
  int64_t warps = kernel.launch.numWarps * kernel.launch.programsPerCta;

  // A warp's registers come in pieces of 256, from one of four equal parts of the register file.
  int64_t registersPerWarp = roundUp(int64_t(kernel.numbers.registers) * 32, 256);
  int64_t byRegisters = gpu.registers / 4 / registersPerWarp * 4 / warps;

  // Shared memory comes in pieces of 128 bytes (256 before compute capability 8), and the driver
  // takes some of it for each CTA.
  int64_t shared = int64_t(kernel.launch.sharedBytes) + kernel.numbers.staticSharedBytes;
  int64_t perCta = roundUp(shared + gpu.reservedSharedBytesPerCta, gpu.major < 8 ? 256 : 128);
  int64_t byShared = perCta == 0 ? gpu.maxCtas : gpu.sharedBytes / perCta;

  int64_t byWarps = gpu.maxThreads / 32 / warps;
  std::cout << "CTAs a multiprocessor: " << byRegisters << " by registers, " << byShared
            << " by shared memory, " << byWarps << " by warps, " << gpu.maxCtas << " at most\n";
  return std::min({byRegisters, byShared, byWarps, int64_t(gpu.maxCtas)});
}

static fsm::Result<bool> compare(const std::string &path, const std::string &device) {
  std::ifstream file(path);
  fsm::Source source{{std::istreambuf_iterator<char>(file), {}}, path, {}};
  auto engine = fsm::Engine::create(device);
  if (!engine)
    return engine.error();
  auto kernel = engine->load(source);
  if (!kernel)
    return kernel.error();
  std::vector<float> in(1823 * 781), out(in.size());
  auto buffer = [](auto &v) { return fsm::Argument::buffer(v.data(), v.size() * sizeof(v[0])); };
  auto number = fsm::Argument::integer;
  auto report = engine->report(
      *kernel, {buffer(out), buffer(in), number(781), number(781), number(1823), number(781)});
  if (!report)
    return report.error();
  const fsm::cuda::DeviceProperties *gpu = engine->deviceProperties();
  int64_t byHand = ctasByHand(*gpu, *report) * gpu->multiprocessors * report->launch.programsPerCta;
  std::cout << "programs at once: " << byHand << " by hand, " << report->concurrentPrograms
            << " by the driver of " << engine->device() << "\n";
  return byHand == report->concurrentPrograms;
}

int main(int argc, char **argv) {
  std::string device = argc > 2 ? argv[2] : fsm::Engine::create("cuda") ? "cuda" : "sim";
  auto same = compare(argc > 1 ? argv[1] : "examples/05-softmax-persistent.mlir", device);
  if (!same)
    std::cerr << same.error().message << "\n";
  return same && *same ? 0 : 1;
}
