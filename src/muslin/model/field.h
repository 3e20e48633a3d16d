#pragma once
#include <array>
#include <limits>
#include <string>
#include <string_view>

// How a description struct tells its parameters. Each has one list,
//
//   template <class Self, class Visitor> static void fields(Self& self, Visitor& visit) {
//     visit("density", self.density, {"mass per area", "kg/m^2", Range::positive()});
//   }
//
// and the scene reader, the JSON Schema, the resolved scene in run.json, the viewer's panel and the Python
// keywords all follow from it: nobody writes a parameter twice.

namespace muslin {

/// The numbers a field accepts.
struct Range {
  double min = -std::numeric_limits<double>::infinity();  ///< least, in the field's unit
  double max = std::numeric_limits<double>::infinity();   ///< largest, accepted itself
  bool above_min = false;                                 ///< min itself is refused

  /// Every finite number.
  static constexpr Range any() { return {}; }
  /// Finite and > 0.
  static constexpr Range positive() { return {0, std::numeric_limits<double>::infinity(), true}; }
  /// Finite and ≥ 0.
  static constexpr Range not_negative() { return {0, std::numeric_limits<double>::infinity(), false}; }
  /// Both bounds included.
  static constexpr Range between(double low, double high) { return {low, high, false}; }

  /// Whether the range takes a number. Readers refuse infinity before they ask.
  constexpr bool contains(double value) const {
    return (above_min ? value > min : value >= min) && value <= max;
  }
};

/// What a person needs to know of a field.
struct FieldInfo {
  std::string_view doc;        ///< one sentence without its full stop
  std::string_view unit = "";  ///< "kg/m^2"; empty: a number without unit, or no number
  Range range = Range::any();  ///< of the number, or of every component of an array of numbers
};

/// "must be > 0 [kg/m^2]", "must be between 0 and 1", "must be finite".
std::string describe(const Range& range, std::string_view unit);

/// A visitor that does nothing: what Described tries fields() with.
struct AnyVisitor {
  /// Takes a field of any type.
  template <class T>
  void operator()(std::string_view, T&, const FieldInfo&) {}
};
/// A struct that tells its parameters by fields().
template <class T>
concept Described = requires(T& value, AnyVisitor& visit) {
  T::fields(value, visit);
};

/// The names that an enumeration has in scenes, in the order of its values: specialise `names`.
template <class E>
struct EnumNames;

/// The name that scenes have for a value of an enumeration.
template <class E>
std::string_view name_of(E value) {
  return EnumNames<E>::names[static_cast<size_t>(value)];
}

}  // namespace muslin
