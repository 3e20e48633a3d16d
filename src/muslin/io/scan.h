#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// What the readers of text formats have in common.

namespace muslin {

/// The longest line a reader accepts [bytes]; longer ones mean that the file is no text.
inline constexpr std::size_t kMaxLine = std::size_t{1} << 16;

/// The lines of a text, one after another.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : text_(text) {}

  /// The next line without its end (LF or CRLF); false after the last.
  bool next(std::string_view& line);
  /// The number of the line that next() gave, from 1.
  std::size_t number() const { return number_; }
  /// Where the line after it begins [bytes].
  std::size_t offset() const { return offset_; }

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t number_ = 0;
};

/// Takes the next word, between white space, off the front of `rest`; empty if there is none.
std::string_view take_word(std::string_view& rest);

/// A decimal number that is the whole word, in any locale; infinite if it is too large or says so.
std::optional<double> parse_number(std::string_view word);

/// The word as a message shows it: in quotes, unprintable bytes as \xNN, cut after 40 bytes.
std::string quote(std::string_view word);

}  // namespace muslin
