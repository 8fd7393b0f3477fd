//===- CacheFolder.h - Files of a cache -------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_CACHE_CACHEFOLDER_H
#define FSM_LIB_CACHE_CACHEFOLDER_H

#include "fsm/Support/Result.h"

#include <string>

namespace fsm {

/// Refuses a folder that is none, or to which others than the user and root may write.
Result<void> checkCacheFolder(const std::string &folder);

/// Makes the folder, and those that it lies in.
Result<void> makeCacheFolder(const std::string &folder);

/// Puts a file in its place at once, whole or not at all.
Result<void> writeCacheFile(const std::string &folder, const std::string &name,
                            const std::string &content);

} // namespace fsm

#endif // FSM_LIB_CACHE_CACHEFOLDER_H
