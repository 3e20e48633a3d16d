#include "muslin/io/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "muslin/platform/numbers.h"

namespace muslin {

bool TextLines::next(std::string_view& line) {
  if (offset_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', offset_), text_.size());
  line = text_.substr(offset_, end - offset_);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  offset_ = std::min(end + 1, text_.size());
  ++number_;
  return true;
}

std::string_view take_word(std::string_view& rest) {
  constexpr std::string_view kSpace = " \t\r\v\f";
  rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(kSpace));
  rest.remove_prefix(word.size());
  return word;
}

std::optional<double> parse_number(std::string_view word) {
  std::array<char, 1024> digits;  // strtod wants a zero at the end
  if (word.empty() || word.size() >= digits.size()) return {};
  if (word.find_first_of(" \t\r\n\v\fxX") != word.npos) return {};  // strtod would take " 1" and "0x1"
  *std::copy(word.begin(), word.end(), digits.begin()) = '\0';
  char* end = nullptr;
  const double value = platform::parse_double(digits.data(), &end);
  if (end != digits.data() + word.size()) return {};
  return value;
}

std::string quote(std::string_view word) {
  std::string text = "'";
  for (const char c : word.substr(0, 40))
    text +=
        c >= ' ' && c <= '~' ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return text + (word.size() > 40 ? "...'" : "'");
}

}  // namespace muslin
