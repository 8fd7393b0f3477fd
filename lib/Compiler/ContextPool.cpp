//===- ContextPool.cpp - Contexts that serve one source after the other --===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A new context loads its dialects, some thousand ops, which is an eighth of the time of a small kernel.
// All that a context keeps of a source is what is unique in it: types, attributes and places, none of which
// changes. So the next source is compiled as in a new context, but for the names of dialects, which a new
// one does not know yet while it reads the text. A text that could hold such a name does not get a used one.

#include "ContextPool.h"

#include "fsm/Compiler/Pipelines.h"
#include "fsm/Import/Passes.h"

#include "mlir/IR/Dialect.h"

#include <mutex>
#include <vector>

using namespace mlir;
using namespace fsm;

/// What is unique stays, so a context ends behind so many sources, or bytes of them.
static constexpr unsigned kMostSources = 64;
static constexpr size_t kMostBytes = size_t(256) << 10;
/// More than these are not kept for others; each takes some megabytes.
static constexpr size_t kMostIdle = 16;

/// What a source may hold. Parsers of other dialects never see it.
static const DialectRegistry &registryOf(SourceLanguage language) {
  static const DialectRegistry fsmRegistry = [] {
    DialectRegistry all;
    registerLanguage(all);
    return all;
  }();
  static const DialectRegistry tritonRegistry = [] {
    DialectRegistry all;
    registerLanguage(all);
    registerTriton(all);
    return all;
  }();
  return language == SourceLanguage::Triton ? tritonRegistry : fsmRegistry;
}

PooledContext::PooledContext(SourceLanguage language)
    : context(registryOf(language), MLIRContext::Threading::DISABLED), language(language) {
  // An error is a sentence about the text, not a dump of what a pass has made of it.
  context.printOpOnDiagnostic(false);
}

/// Whether a text may name a dialect: an op, an attribute or a type of it.
static bool mayName(StringRef text, StringRef dialect) {
  for (size_t at = 0; (at = text.find(dialect, at)) != StringRef::npos; ++at) {
    StringRef behind = text.drop_front(at + dialect.size());
    char before = at ? text[at - 1] : ' ';
    // Within a longer word, as `cf` in `scf.for`.
    if (llvm::isAlnum(before) || StringRef("_$.").contains(before))
      continue;
    if (behind.starts_with(".") || (behind.starts_with("<") && (before == '!' || before == '#')))
      return true;
  }
  return false;
}

/// Whether a text is read in a used context as in a new one.
static bool isSameAsInNew(StringRef text, PooledContext &used) {
  // An escape in a string may stand for any letter of a name.
  if (text.contains('\\'))
    return false;
  const DialectRegistry &language = registryOf(used.language);
  for (Dialect *dialect : used.context.getLoadedDialects()) {
    StringRef name = dialect->getNamespace();
    bool isKnown = name == "builtin" || llvm::is_contained(language.getDialectNames(), name);
    if (!isKnown && mayName(text, name))
      return false;
  }
  return true;
}

namespace {
struct Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<PooledContext>> idle;
};
} // namespace

/// Never destroyed: other threads may compile while a process ends, and to take contexts apart takes time.
static Pool &pool() {
  static auto *instance = new Pool;
  return *instance;
}

std::unique_ptr<PooledContext> fsm::takeUsedContext(SourceLanguage language, StringRef text) {
  std::unique_ptr<PooledContext> used;
  {
    std::lock_guard<std::mutex> lock(pool().mutex);
    auto &idle = pool().idle;
    // The last one given back is the one that a cache of the processor holds.
    auto found = llvm::find_if(llvm::reverse(idle), [&](const std::unique_ptr<PooledContext> &one) {
      return one->language == language;
    });
    if (found == idle.rend())
      return nullptr;
    auto at = std::prev(found.base());
    used = std::move(*at);
    idle.erase(at);
  }
  if (isSameAsInNew(text, *used))
    return used;
  giveBack(std::move(used));
  return nullptr;
}

void fsm::giveBack(std::unique_ptr<PooledContext> used) {
  if (used->sources >= kMostSources || used->bytes >= kMostBytes)
    return;
  std::lock_guard<std::mutex> lock(pool().mutex);
  if (pool().idle.size() < kMostIdle)
    pool().idle.push_back(std::move(used));
}
