#include "table.h"

#include <fmt/format.h>

#include <algorithm>

namespace {

constexpr int kGap = 2;          // characters between two columns
constexpr int kNarrowText = 24;  // characters, to which the widest column may shrink

/// How many characters are seen of UTF-8.
int length(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The text in lines of at most `width` characters, cut between words.
std::vector<std::string> wrapped(const std::string& text, int width) {
  std::vector<std::string> lines{""};
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (length(line) + 1 + length(word) <= width)
      line += " " + word;
    else
      lines.push_back(word);
    begin = end + 1;
  }
  return lines;
}

std::string padded(const std::string& text, int width) {
  return text + std::string(std::max(0, width - length(text)), ' ');
}

std::string without_end_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::vector<int> column_widths(const Rows& rows) {
  std::vector<int> widths(rows[0].size(), 0);
  for (const auto& row : rows)
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], length(row[c]));
  return widths;
}

std::string side_by_side(const Rows& rows, const std::vector<int>& widths) {
  std::string text;
  for (const auto& row : rows) {
    std::vector<std::vector<std::string>> cells;
    size_t height = 1;
    for (size_t c = 0; c < row.size(); ++c) {
      cells.push_back(wrapped(row[c], widths[c]));
      height = std::max(height, cells.back().size());
    }
    for (size_t l = 0; l < height; ++l) {
      std::string line;
      for (size_t c = 0; c < cells.size(); ++c)
        line += padded(l < cells[c].size() ? cells[c][l] : "", widths[c] + kGap);
      text += without_end_spaces(line);
    }
  }
  return text;
}

// A paragraph a row: its first cell, and below it a line a column.
std::string below_each_other(const Rows& rows, int width) {
  const std::vector<std::string>& heads = rows[0];
  int widest = 0;
  for (const std::string& head : heads) widest = std::max(widest, length(head));
  std::string text;
  for (size_t r = 1; r < rows.size(); ++r) {
    text += rows[r][0] + "\n";
    for (size_t c = 1; c < rows[r].size(); ++c) {
      std::string head = heads[c];
      for (const std::string& line : wrapped(rows[r][c], std::max(kNarrowText, width - widest - 2 * kGap))) {
        text += without_end_spaces(std::string(kGap, ' ') + padded(head, widest + kGap) + line);
        head.clear();
      }
    }
  }
  return text;
}

}  // namespace

std::string table_text(const Rows& rows, int width) {
  std::vector<int> widths = column_widths(rows);
  int used = -kGap;
  for (const int w : widths) used += w + kGap;
  if (used > width) {
    int& widest = *std::max_element(widths.begin(), widths.end());
    const int room = widest - (used - width);
    if (room < std::min(widest, kNarrowText)) return below_each_other(rows, width);
    widest = room;
  }
  return side_by_side(rows, widths);
}
