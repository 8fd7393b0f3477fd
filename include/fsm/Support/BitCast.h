//===- BitCast.h - The same bits as another type ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_SUPPORT_BITCAST_H
#define FSM_SUPPORT_BITCAST_H

#include <cstring>

namespace fsm {

/// What the bits of a number say as one of another type.
template <typename To, typename From>
To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

} // namespace fsm

#endif // FSM_SUPPORT_BITCAST_H
