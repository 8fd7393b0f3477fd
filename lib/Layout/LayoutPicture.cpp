//===- LayoutPicture.cpp - Layouts to look at ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/LayoutPicture.h"
#include "fsm/Layout/SharedSwizzle.h"

#include <algorithm>
#include <map>

using namespace fsm;

namespace {

/// The block as a list of tables, and who holds each element.
class Picture {
public:
  explicit Picture(const LinearLayout &layout) : from(layout.from()), block(layout.to()) {
    for (uint64_t place = 0; place < from.size(); ++place)
      holders[layout.apply(place)].push_back(place);
  }

  uint64_t rows() const { return block.extentOf(rowDim()); }
  uint64_t columns() const { return block.extentOf(columnDim()); }
  unsigned rank() const { return static_cast<unsigned>(block.axes().size()); }

  /// The first elements of the tables.
  std::vector<uint64_t> tables() const {
    std::vector<uint64_t> result;
    uint64_t step = uint64_t(1) << (block.bitsOf(rowDim()) + block.bitsOf(columnDim()));
    for (uint64_t element = 0; element < block.size(); element += step)
      if (block.contains(element))
        result.push_back(element);
    return result;
  }
  uint64_t element(uint64_t table, uint64_t row, uint64_t column) const {
    return table | (rank() < 2 ? 0 : block.place(rowDim(), row)) |
           (rank() < 1 ? 0 : block.place(columnDim(), column));
  }

  /// The first place that holds an element, or nothing.
  const uint64_t *holder(uint64_t element) const {
    auto found = holders.find(element);
    return found == holders.end() ? nullptr : &found->second.front();
  }
  std::string label(uint64_t element) const {
    auto found = holders.find(element);
    if (found == holders.end())
      return "-";
    std::string text = placeText(found->second.front());
    size_t more = found->second.size() - 1;
    return more ? text + "+" + std::to_string(more) : text;
  }
  /// What the labels mean.
  std::string legend() const {
    if (from.has(Dim::Offset))
      return "offset";
    std::string text = from.bitsOf(Dim::Cta) ? "cta." : "";
    return text + (from.bitsOf(Dim::Warp) ? "warp.lane:register" : "lane:register");
  }
  /// What decides the colour of an element, as a number.
  uint64_t colour(uint64_t place) const {
    return from.has(Dim::Offset) ? place % kBanks : from.get(place, Dim::Lane);
  }

private:
  // dim0, dim1, ... are listed last to first.
  Dim columnDim() const { return rank() < 1 ? Dim::Offset : block.axes()[0].dim; }
  Dim rowDim() const { return rank() < 2 ? Dim::Offset : block.axes()[1].dim; }

  std::string placeText(uint64_t place) const {
    if (from.has(Dim::Offset))
      return std::to_string(place);
    std::string text;
    for (Dim dim : {Dim::Cta, Dim::Warp})
      if (from.bitsOf(dim))
        text += std::to_string(from.get(place, dim)) + ".";
    return text + std::to_string(from.get(place, Dim::Lane)) + ":" +
           std::to_string(from.get(place, Dim::Register));
  }

  const BitSpace &from, &block;
  std::map<uint64_t, std::vector<uint64_t>> holders;
};

std::string padded(const std::string &text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string textTable(const Picture &picture, uint64_t table) {
  size_t width = 4;
  for (uint64_t row = 0; row < picture.rows(); ++row)
    for (uint64_t column = 0; column < picture.columns(); ++column)
      width = std::max(width, picture.label(picture.element(table, row, column)).size() + 1);
  std::string text = padded("", 5);
  for (uint64_t column = 0; column < picture.columns(); ++column)
    text += padded(std::to_string(column), width);
  for (uint64_t row = 0; row < picture.rows(); ++row) {
    text += "\n" + padded(std::to_string(row), 5);
    for (uint64_t column = 0; column < picture.columns(); ++column)
      text += padded(picture.label(picture.element(table, row, column)), width);
  }
  return text + "\n";
}

constexpr unsigned kCellWidth = 72, kCellHeight = 24, kMargin = 24;

std::string attribute(const char *name, const std::string &value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

std::string svgText(uint64_t x, uint64_t y, const std::string &text, const std::string &more = "") {
  return "<text" + attribute("x", std::to_string(x)) + attribute("y", std::to_string(y)) + more +
         ">" + text + "</text>\n";
}

std::string svgCell(const Picture &picture, uint64_t element, uint64_t x, uint64_t y) {
  const uint64_t *place = picture.holder(element);
  // Neighbouring numbers get hues far apart: the golden angle.
  std::string fill =
      place ? "hsl(" + std::to_string(picture.colour(*place) * 137 % 360) + ",60%,80%)" : "white";
  return "<rect" + attribute("x", std::to_string(x)) + attribute("y", std::to_string(y)) +
         attribute("width", std::to_string(kCellWidth)) +
         attribute("height", std::to_string(kCellHeight)) + attribute("fill", fill) +
         attribute("stroke", "gray") + "/>\n" +
         svgText(x + kCellWidth / 2, y + kCellHeight - 8, picture.label(element));
}

} // namespace

std::string fsm::drawAsText(const LinearLayout &layout) {
  Picture picture(layout);
  std::string text = picture.legend() + "\n";
  for (uint64_t table : picture.tables()) {
    if (picture.rank() > 2)
      text += "from " + layout.to().format(table) + "\n";
    text += textTable(picture, table);
  }
  return text;
}

std::string fsm::drawAsSvg(const LinearLayout &layout) {
  Picture picture(layout);
  std::string body;
  uint64_t y = kMargin;
  for (uint64_t table : picture.tables()) {
    std::string title = picture.legend();
    if (picture.rank() > 2)
      title += " from " + layout.to().format(table);
    // A gray for white pages and for black ones; the cells have a background of their own.
    body += svgText(kMargin + kCellWidth, y - 6, title, attribute("fill", "#7d8590"));
    for (uint64_t row = 0; row < picture.rows(); ++row, y += kCellHeight)
      for (uint64_t column = 0; column < picture.columns(); ++column)
        body +=
            svgCell(picture, picture.element(table, row, column), kMargin + column * kCellWidth, y);
    y += kMargin;
  }
  std::string width =
      std::to_string(2 * kMargin + std::max<uint64_t>(3, picture.columns()) * kCellWidth);
  std::string height = std::to_string(y);
  return "<svg" + attribute("xmlns", "http://www.w3.org/2000/svg") + attribute("width", width) +
         attribute("height", height) + attribute("viewBox", "0 0 " + width + " " + height) +
         attribute("font-family", "monospace") + attribute("font-size", "12") +
         attribute("text-anchor", "middle") + ">\n" + body + "</svg>\n";
}
