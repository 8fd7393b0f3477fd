//===- Target.h - What libFuzzer and the replay call ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_FUZZ_TARGETS_TARGET_H
#define FSM_TEST_FUZZ_TARGETS_TARGET_H

#include <cstddef>
#include <cstdint>

/// Takes one input as far as it goes. A crash, a report of a sanitizer, an abort or more
/// than five seconds is a find.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// libFuzzer's own changes of the bytes of an input, from within its custom mutators.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t mostSize);

#endif // FSM_TEST_FUZZ_TARGETS_TARGET_H
