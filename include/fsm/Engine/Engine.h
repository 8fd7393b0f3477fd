//===- Engine.h - Compile, load and launch kernels -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ENGINE_ENGINE_H
#define FSM_ENGINE_ENGINE_H

#include "fsm/Artifact/Launch.h"
#include "fsm/Compiler/Compiler.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

class Engine;

/// A kernel loaded into an engine. Copies share the compiled code; the engine
/// must outlive them.
class Kernel {
public:
  const KernelSignature &signature() const;

private:
  friend class Engine;
  struct State;
  explicit Kernel(std::shared_ptr<State> state) : state(std::move(state)) {}
  std::shared_ptr<State> state;
};

/// One device that compiles and runs kernels. Calls on one engine may come
/// from any threads.
class Engine {
public:
  /// Opens "cpu" or "interp"; "" opens the best device there is.
  static Result<Engine> create(std::string_view device = "");

  Engine(Engine &&);
  Engine &operator=(Engine &&);
  ~Engine();

  /// The name of the device that was opened.
  std::string_view device() const;

  /// How many programs run at the same time: what `--grid=persistent:N`
  /// launches at most.
  int32_t concurrentPrograms() const;

  /// Parses and checks a source and picks one kernel of it. Code is generated
  /// by `compile`, or by the first launch.
  Result<Kernel> load(const Source &source, const CompileOptions &options = {});

  /// Generates code specialised for these arguments, unless it is there.
  Result<void> compile(const Kernel &kernel, const std::vector<Argument> &arguments);

  /// Runs the kernel over the grid and returns when it is done. The count and
  /// kinds of the arguments are checked against the signature.
  Result<void> launch(const Kernel &kernel, Grid grid, const std::vector<Argument> &arguments);

  /// What is known of these arguments: pointers that are multiples of 16, 32 or 64
  /// bytes, buffers that overlap no other one or exceed the machine's private
  /// caches, integers that are 1 or multiples of 4 or 16.
  static std::vector<ArgumentFact> factsOf(const std::vector<Argument> &arguments);

private:
  struct State;
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace fsm

#endif // FSM_ENGINE_ENGINE_H
