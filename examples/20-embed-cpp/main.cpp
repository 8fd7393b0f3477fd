// Compiles examples/02-vector-add.mlir, named on the command line, and runs it on data of this
// program.
#include "fsm/Engine/Engine.h"
#include <fstream>
#include <iostream>
#include <iterator>

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : "examples/02-vector-add.mlir");
  fsm::Source source{{std::istreambuf_iterator<char>(file), {}}, "vector-add", {{"BLOCK", "256"}}};
  std::vector<float> a(1000, 1.5f), b(1000, 2.0f), sum(1000);
  auto buffer = [](auto &v) { return fsm::Argument::buffer(v.data(), v.size() * sizeof(v[0])); };
  auto fail = [](const fsm::Error &error) {
    std::cerr << error.message << "\n";
    return 1;
  };
  auto engine = fsm::Engine::create("cpu");
  if (!engine)
    return fail(engine.error());
  auto kernel = engine->load(source);
  if (!kernel)
    return fail(kernel.error());
  auto n = fsm::Argument::integer(1000);
  if (auto done = engine->launch(*kernel, {4}, {buffer(sum), buffer(a), buffer(b), n}); !done)
    return fail(done.error());
  std::cout << "1.5 + 2.0 is " << sum.front() << " and " << sum.back() << "\n";
  return sum == std::vector<float>(1000, 3.5f) ? 0 : 1;
}
