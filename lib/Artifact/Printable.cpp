//===- Printable.cpp - Foreign text made safe to print -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/Printable.h"

#include <cstdint>

using namespace fsm;

/// The length of the well-formed UTF-8 sequence that begins at `at` and may be
/// shown as it is, or 0.
static size_t harmlessLength(std::string_view text, size_t at) {
  auto byte = [&](size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  unsigned first = byte(0);
  if (first < 0x80)
    return first >= 0x20 && first != 0x7f ? 1 : 0;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  uint32_t point = first & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
    point = point << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  bool wellFormed =
      point >= smallest[length] && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  bool steers = point < 0xa0 || (point >= 0x200e && point <= 0x200f) ||
                (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
  return wellFormed && !steers ? length : 0;
}

std::string fsm::printable(std::string_view text, size_t limit) {
  constexpr char digits[] = "0123456789abcdef";
  std::string shown;
  size_t at = 0;
  while (at < text.size() && at < limit) {
    if (size_t length = harmlessLength(text, at)) {
      shown += text.substr(at, length);
      at += length;
      continue;
    }
    auto byte = static_cast<unsigned char>(text[at++]);
    shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
  if (at < text.size())
    shown += "...";
  return shown;
}
