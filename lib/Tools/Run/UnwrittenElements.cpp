//===- UnwrittenElements.cpp - Outputs that stay as they were ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/UnwrittenElements.h"

#include "fsm/Tools/Quote.h"

#include <algorithm>
#include <cstring>

using namespace fsm;

/// No bit of one is that of the other.
static constexpr uint8_t kFirstFill = 0xa7, kSecondFill = 0x58;

static size_t bytesOfElement(const ArgumentValue &value) {
  return scalarTypeInfo(value.argument.type).bytes;
}

static bool isFilled(const ArgumentValue &value, uint64_t element, uint8_t fill) {
  const auto *begin = static_cast<const uint8_t *>(value.data.data()) + element * bytesOfElement(value);
  return std::all_of(begin, begin + bytesOfElement(value), [&](uint8_t byte) { return byte == fill; });
}

UnwrittenElements::UnwrittenElements(const RunOptions &options, std::string_view device,
                                     const std::vector<ArgumentValue> &values) {
  bool isChecked = !options.checks.empty() || !options.compare.empty();
  if (!options.overlaps.empty() || !(isChecked || device == "interp" || device == "sim"))
    return;
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].isBlank && values[i].argument.isOutput && values[i].argument.pointerDepth == 1)
      outputs.push_back({i, {}});
}

void UnwrittenElements::fill(std::vector<ArgumentValue> &values, bool isSecond) const {
  for (const Output &output : outputs)
    if (AlignedBuffer &data = values[output.position].data; data.size())
      std::memset(data.data(), isSecond ? kSecondFill : kFirstFill, data.size());
}

bool UnwrittenElements::anyKeeps(const std::vector<ArgumentValue> &values) {
  bool isAny = false;
  for (Output &output : outputs) {
    const ArgumentValue &value = values[output.position];
    for (uint64_t element = 0; element < value.data.size() / bytesOfElement(value); ++element)
      if (isFilled(value, element, kFirstFill))
        output.kept.push_back(element);
    isAny |= !output.kept.empty();
  }
  return isAny;
}

/// `[3, 5]`: where an element of so many is, the last index being the fastest.
static std::string indexText(uint64_t element, const std::vector<uint64_t> &shape) {
  std::string text;
  for (size_t dim = shape.size(); dim-- > 0; element /= shape[dim])
    text = std::to_string(element % shape[dim]) + (text.empty() ? "" : ", ") + text;
  return "[" + text + "]";
}

std::vector<std::string> UnwrittenElements::take(std::vector<ArgumentValue> &values,
                                                 const std::vector<ArgumentValue> &second) const {
  std::vector<std::string> sentences;
  for (const Output &output : outputs) {
    ArgumentValue &value = values[output.position];
    uint64_t count = 0, first = 0;
    for (uint64_t element : output.kept) {
      if (!isFilled(second[output.position], element, kSecondFill))
        continue;
      first = count++ ? first : element;
      std::memset(static_cast<uint8_t *>(value.data.data()) + element * bytesOfElement(value), 0,
                  bytesOfElement(value));
    }
    if (count)
      sentences.push_back(std::to_string(count) + " of " +
                          std::to_string(value.data.size() / bytesOfElement(value)) + " elements of %" +
                          printable(value.argument.name) + " were not written, the first at " +
                          indexText(first, value.shape));
  }
  return sentences;
}
