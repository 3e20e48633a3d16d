#pragma once
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "muslin/core/check.h"

namespace muslin {

/// What is wrong with one input: the first ten problems in words, the others as a count.
class Problems {
 public:
  /// Notes one problem at `place`.
  template <class... Args>
  void add(const std::string& place, fmt::format_string<Args...> text, Args&&... args) {
    if (++count_ > kNamed) return;
    if (count_ > 1) text_ += '\n';
    text_ += place + ": " + fmt::format(text, std::forward<Args>(args)...);
  }

  bool any() const { return count_ > 0; }

  /// Throws Error(invalid) with one line a problem, if there is any.
  void throw_if_any() const {
    if (!any()) return;
    throw Error(ErrorKind::invalid,
                count_ > kNamed ? fmt::format("{}\nand {} more", text_, count_ - kNamed) : text_);
  }

  /// A problem after which reading makes no sense: notes it and throws.
  template <class... Args>
  [[noreturn]] void fail(const std::string& place, fmt::format_string<Args...> text, Args&&... args) {
    add(place, text, std::forward<Args>(args)...);
    throw_if_any();
    std::abort();  // not reached: there is at least one problem
  }

 private:
  static constexpr int kNamed = 10;
  int count_ = 0;
  std::string text_;
};

}  // namespace muslin
