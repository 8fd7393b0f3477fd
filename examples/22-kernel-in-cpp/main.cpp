// Builds a softmax over rows in C++, and runs it on the device that is named on the command line.
#include "fsm/Builder/KernelBuilder.h"
#include "fsm/Engine/Engine.h"
#include <cmath>
#include <iostream>
#include <numeric>

static fsm::KernelBuilder softmax(int64_t block) {
  fsm::KernelBuilder k("softmax");
  auto out = k.pointer(fsm::ScalarType::F32, "out"), in = k.pointer(fsm::ScalarType::F32, "in");
  auto columns = k.scalar(fsm::ScalarType::I32, "columns");
  auto offs = k.range(block), mask = offs < columns, row = k.programId() * columns;
  auto x = k.load(in + row, offs, mask, -INFINITY);
  auto e = exp(x - max(x));
  k.store(out + row, offs, e / sum(e), mask);
  return k;
}

int main(int argc, char **argv) {
  constexpr int32_t rows = 4, columns = 781;
  auto fail = [](const fsm::Error &error) {
    std::cerr << error.message << "\n";
    return 1;
  };
  auto text = softmax(1024).text();
  if (!text)
    return fail(text.error());
  auto engine = fsm::Engine::create(argc > 1 ? argv[1] : "cpu");
  if (!engine)
    return fail(engine.error());
  auto kernel = engine->load({*text, "softmax", {}});
  if (!kernel)
    return fail(kernel.error());
  std::vector<float> in(rows * columns), out(rows * columns);
  std::iota(in.begin(), in.end(), 0.0f);
  auto buffer = [](auto &v) { return fsm::Argument::buffer(v.data(), v.size() * sizeof(v[0])); };
  auto count = fsm::Argument::integer(columns);
  if (auto done = engine->launch(*kernel, {rows}, {buffer(out), buffer(in), count}); !done)
    return fail(done.error());
  // Each number is e times the one before, so that the last of a row is 1 - 1 / e.
  std::cout << "the last of each row is " << out.back() << "\n";
  return std::abs(out.back() - (1 - std::exp(-1.0))) < 1e-6 ? 0 : 1;
}
