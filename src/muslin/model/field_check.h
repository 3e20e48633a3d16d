#pragma once
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "muslin/core/types.h"
#include "muslin/model/field.h"
#include "muslin/model/scene.h"

namespace muslin {

/// Most problems that are listed: beyond, more lines help nobody.
inline constexpr size_t kMaxProblems = 100;

/// Compares every number of a description struct with the range of its field.
class FieldCheck {
 public:
  template <Described Struct>
  void check(const Struct& value, const FieldInfo& = {}) {
    const auto visit = [this](std::string_view name, const auto& member, const FieldInfo& info) {
      this->check_below(name, member, info);
    };
    Struct::fields(value, visit);
  }

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  template <class T>
  requires std::integral<T> || std::floating_point<T>
  void check(const T& value, const FieldInfo& info) {
    const double number = static_cast<double>(value);
    if (std::isfinite(number) && info.range.contains(number)) return;
    const Range range = std::isfinite(number) ? info.range : Range::any();
    add(fmt::format("{}, got {}", describe(range, info.unit), value));
  }
  template <class E>
  requires std::is_enum_v<E>
  void check(const E& value, const FieldInfo&) {
    if (static_cast<size_t>(value) >= EnumNames<E>::names.size()) add("is not one of its names");
  }
  void check(const std::string&, const FieldInfo&) {}
  void check(const Colour&, const FieldInfo&) {}
  void check(const Vec3& value, const FieldInfo& info) { check_all(value, info); }
  template <class T, size_t N>
  void check(const std::array<T, N>& values, const FieldInfo& info) {
    check_all(values, info);
  }
  template <class T>
  void check(const std::vector<T>& values, const FieldInfo& info) {
    check_all(values, info);
  }
  template <class T>
  void check(const std::optional<T>& value, const FieldInfo& info) {
    if (value) check(*value, info);
  }

  template <class List>
  void check_all(const List& values, const FieldInfo& info) {
    for (int i = 0; i < static_cast<int>(values.size()); ++i) check_below(i, values[i], info);
  }
  template <class Step, class T>
  void check_below(const Step& step, const T& value, const FieldInfo& info) {
    const size_t length = path_.size();
    append(step);
    check(value, info);
    path_.resize(length);
  }
  void append(std::string_view step) { path_.append("/").append(step); }
  void append(int index) { append(std::to_string(index)); }
  void add(const std::string& message) {
    if (problems_.size() < kMaxProblems) problems_.push_back({path_, message});
  }

  std::string path_;
  std::vector<Problem> problems_;
};

}  // namespace muslin
