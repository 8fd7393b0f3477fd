//===- Mutant.h - A right and a wrong expression, one switch ---*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the copies of sources in a build with FSM_MUTANTS include this; tools/dev/mutants says
// what for. FSM_MUTANT names the mutant whose wrong side counts. FSM_MUTANT_REACH names a folder
// in which each mutant whose sides have differed gets an empty file of its name, at once, so that
// crashes, threads and child processes lose none.
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_MUTANTS_MUTANT_H
#define FSM_TEST_MUTANTS_MUTANT_H

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace fsm::mutants {

/// One place of the code that has a wrong side; there is one object for each.
class Site {
public:
  explicit Site(const char *name) : name(name) {
    const char *chosen = std::getenv("FSM_MUTANT");
    active = chosen && std::strcmp(chosen, name) == 0;
    watched = !active && std::getenv("FSM_MUTANT_REACH");
  }
  bool isActive() const { return active; }
  /// Whether it is still to be found out if the sides differ.
  bool isWatched() const { return watched.load(std::memory_order_relaxed); }

  void reach() {
    if (!watched.exchange(false))
      return;
    std::string path = std::string(std::getenv("FSM_MUTANT_REACH")) + "/" + name;
    int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0)
      ::close(file);
  }

private:
  const char *name;
  bool active = false;
  std::atomic<bool> watched{false};
};

// Each lambda has its own type, so that each place has its own instance of these functions, and
// with it its own site.

/// Both sides have no effects: reached where they differ.
template <typename Right, typename Wrong>
auto value(const char *name, Right right, Wrong wrong) {
  static Site site(name);
  using Type = decltype(right());
  if (site.isActive())
    return static_cast<Type>(wrong());
  Type result = right();
  if (site.isWatched() && !(result == static_cast<Type>(wrong())))
    site.reach();
  return result;
}

/// A side may have effects: only one runs. Reached where `matters` holds.
template <typename Matters, typename Right, typename Wrong>
auto effect(const char *name, Matters matters, Right right, Wrong wrong) {
  static Site site(name);
  using Type = decltype(right());
  if (site.isActive())
    return static_cast<Type>(wrong());
  if (site.isWatched() && matters())
    site.reach();
  return right();
}

/// Whether the wrong statement runs instead of the right one. Reached where `matters` holds.
template <typename Matters>
bool statement(const char *name, Matters matters) {
  static Site site(name);
  if (!site.isActive() && site.isWatched() && matters())
    site.reach();
  return site.isActive();
}

} // namespace fsm::mutants

#endif // FSM_TEST_MUTANTS_MUTANT_H
