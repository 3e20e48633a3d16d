#pragma once
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "muslin/model/field.h"

namespace muslin {

/// Whether two values say the same. Of description structs only fields count.
template <class T>
bool same(const T& a, const T& b);

namespace detail {

template <class T>
bool same_value(const T& a, const T& b) {
  return a == b;
}
template <class T>
bool same_value(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!same<T>(a[i], b[i])) return false;
  return true;
}
template <class T>
bool same_value(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same<T>(*a, *b));
}

/// Remembers where the fields of a struct are, in their order.
struct Addresses {
  std::vector<const void*> found;
  template <class T>
  void operator()(std::string_view, const T& member, const FieldInfo&) {
    found.push_back(&member);
  }
};

}  // namespace detail

/// Calls visit(name, member of a, the same member of b) for every field of two structs of one kind; a may be
/// changed by it.
template <class A, class T, class Visitor>
void each_field_of_both(A& a, const T& b, const Visitor& visit) {
  detail::Addresses others;
  T::fields(b, others);
  size_t i = 0;
  const auto visit_both = [&](std::string_view name, auto& member, const FieldInfo&) {
    using Member = std::remove_cvref_t<decltype(member)>;
    visit(name, member, *static_cast<const Member*>(others.found[i++]));
  };
  T::fields(a, visit_both);
}

template <class T>
bool same(const T& a, const T& b) {
  if constexpr (Described<T>) {
    bool all = true;
    each_field_of_both(a, b, [&]<class Member>(std::string_view, const Member& of_a, const Member& of_b) {
      all = all && same<Member>(of_a, of_b);
    });
    return all;
  } else {
    return detail::same_value(a, b);
  }
}

}  // namespace muslin
