#pragma once
#include <imgui.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/model/field.h"
#include "muslin/model/same_fields.h"
#include "muslin/model/scene.h"
#include "muslin/solver/inert.h"

// Rows of a panel, made from the fields() of description structs: a name that tells the field's sentence, a
// widget for its type, and a button back to the default where the value is another. All return whether a
// value changed.

namespace row {

/// Begins a row: the name, and room for the widget. Both are grey where `unread` says why nothing reads it.
void begin(std::string_view name, const muslin::FieldInfo& info, const std::string& unread = "");
/// Ends it; true if the button back was pressed. The button is there only where `changed`.
bool end(bool changed);

bool number(double& value, const muslin::FieldInfo& info);
bool integer(int& value, const muslin::FieldInfo& info);
bool seed(std::uint64_t& value);
bool flag(bool& value);
bool text(std::string& value);
bool colour(muslin::Colour& value);
bool vector(muslin::Vec3& value, const muslin::FieldInfo& info);
bool numbers(std::span<double> values, const muslin::FieldInfo& info);
bool integers(std::span<int> values, const muslin::FieldInfo& info);
bool choice(size_t& index, std::span<const std::string_view> names);
/// A check box whether an optional is there; in the row's room before its value.
bool presence(bool& there);
/// Numbers with commas between groups of `group`, typed as text until Enter: "0 5 17", "0 0, -1 0".
bool list(std::vector<int>& values, size_t group);
/// A check box for every name, whether it is among the chosen.
bool several(std::vector<size_t>& chosen, std::span<const std::string_view> names);
/// What there is no widget for.
void words(const std::string& text);

/// Buttons that add an element to a list, and take one away.
bool add_button(std::string_view list);
bool remove_button();

/// A heading that opens and closes what follows; `end_group` only if it says true.
bool begin_group(std::string_view name, std::string_view doc, bool open);
void end_group();
std::string plain(std::string_view name);

/// A number within the range, for an optional that had none.
double first_value(const muslin::Range& range);

}  // namespace row

/// Whether a list can be made longer and shorter in a panel; others only have their elements' fields.
template <class T>
inline constexpr bool kGrows = false;
template <>
inline constexpr bool kGrows<muslin::Pin> = true;
template <>
inline constexpr bool kGrows<muslin::Keyframe> = true;

/// What an added element begins as.
inline muslin::Pin added_to(const std::vector<muslin::Pin>&) {
  muslin::Pin pin;
  pin.vertices = {0};
  return pin;
}
inline muslin::Keyframe added_to(const std::vector<muslin::Keyframe>& keyframes) {
  muslin::Keyframe keyframe;
  if (!keyframes.empty()) keyframe = keyframes.back();
  keyframe.time += keyframes.empty() ? 0 : 0.5;
  return keyframe;
}

/// Widgets for the fields of description structs. `skip` names fields to leave out.
class FieldWidgets {
 public:
  explicit FieldWidgets(std::vector<std::string_view> skip = {}) : skip_(std::move(skip)) {}

  /// Greys what nothing reads; `path` is the JSON pointer of the struct that is drawn.
  FieldWidgets& grey(const std::vector<muslin::InertField>& inert, std::string path) {
    inert_ = &inert;
    path_ = std::move(path);
    return *this;
  }

  template <muslin::Described Struct>
  bool draw(Struct& value, const Struct& standard) {
    muslin::detail::Addresses standards;
    Struct::fields(standard, standards);
    bool changed = false;
    size_t i = 0;
    const auto visit = [&](std::string_view name, auto& member, const muslin::FieldInfo& info) {
      using Member = std::remove_cvref_t<decltype(member)>;
      const auto& its_standard = *static_cast<const Member*>(standards.found[i++]);
      for (const std::string_view skipped : skip_)
        if (skipped == name) return;
      changed |= this->field(name, member, its_standard, info);
    };
    Struct::fields(value, visit);
    return changed;
  }

  /// One field: its row, or its group.
  template <class T>
  bool field(std::string_view name, T& value, const T& standard, const muslin::FieldInfo& info) {
    const Below below(path_, name);
    if constexpr (muslin::Described<T>) {
      if (!row::begin_group(name, info.doc, false)) return false;
      const bool changed = draw(value, standard);
      row::end_group();
      return changed;
    } else if constexpr (is_list_of_structs<T>()) {
      return list(name, value, standard, info);
    } else {
      const std::string unread = why_unread();
      row::begin(name, info, unread);
      ImGui::BeginDisabled(!unread.empty());
      bool changed = widget(value, info);
      ImGui::EndDisabled();
      if (row::end(!muslin::same(value, standard))) {
        value = standard;
        changed = true;
      }
      return changed;
    }
  }

 private:
  template <class T>
  static constexpr bool is_list_of_structs() {
    if constexpr (requires { typename T::value_type; }) return muslin::Described<typename T::value_type>;
    return false;
  }

  template <class T>
  bool list(std::string_view name, T& values, const T& standards, const muslin::FieldInfo& info) {
    if constexpr (requires { values.emplace(); }) {  // an optional struct
      if (!values || !row::begin_group(name, info.doc, false)) return false;
      const bool changed = draw(*values, standards ? *standards : *values);
      row::end_group();
      return changed;
    } else {
      constexpr bool grows = kGrows<typename T::value_type>;
      bool changed = false;
      std::optional<size_t> removed;
      for (size_t i = 0; i < values.size(); ++i) {
        const std::string title = std::string(name) + " " + std::to_string(i + 1);
        if (!row::begin_group(title, info.doc, false)) continue;
        const Below below(path_, std::to_string(i));
        changed |= draw(values[i], i < standards.size() ? standards[i] : values[i]);
        if (grows && row::remove_button()) removed = i;
        row::end_group();
      }
      if (removed) values.erase(values.begin() + static_cast<std::ptrdiff_t>(*removed));
      changed |= removed.has_value();
      if constexpr (grows) {
        if (row::add_button(name)) {
          values.push_back(added_to(values));
          changed = true;
        }
      }
      return changed;
    }
  }

  static bool widget(bool& value, const muslin::FieldInfo&) { return row::flag(value); }
  static bool widget(int& value, const muslin::FieldInfo& info) { return row::integer(value, info); }
  static bool widget(std::uint64_t& value, const muslin::FieldInfo&) { return row::seed(value); }
  static bool widget(double& value, const muslin::FieldInfo& info) { return row::number(value, info); }
  static bool widget(std::string& value, const muslin::FieldInfo&) { return row::text(value); }
  static bool widget(muslin::Colour& value, const muslin::FieldInfo&) { return row::colour(value); }
  static bool widget(muslin::Vec3& value, const muslin::FieldInfo& info) { return row::vector(value, info); }
  template <size_t N>
  static bool widget(std::array<double, N>& value, const muslin::FieldInfo& info) {
    return row::numbers(value, info);
  }
  template <size_t N>
  static bool widget(std::array<int, N>& value, const muslin::FieldInfo& info) {
    return row::integers(value, info);
  }
  static bool widget(std::vector<int>& value, const muslin::FieldInfo&) { return row::list(value, 1); }
  template <size_t N>
  static bool widget(std::vector<std::array<int, N>>& value, const muslin::FieldInfo&) {
    std::vector<int> flat;
    for (const std::array<int, N>& group : value) flat.insert(flat.end(), group.begin(), group.end());
    if (!row::list(flat, N)) return false;
    value.assign(flat.size() / N, {});
    for (size_t i = 0; i < flat.size() / N * N; ++i) value[i / N][i % N] = flat[i];
    return true;
  }
  template <class E>
  requires std::is_enum_v<E>
  static bool widget(std::vector<E>& value, const muslin::FieldInfo&) {
    std::vector<size_t> chosen;
    for (const E element : value) chosen.push_back(static_cast<size_t>(element));
    if (!row::several(chosen, muslin::EnumNames<E>::names)) return false;
    value.clear();
    for (const size_t index : chosen) value.push_back(static_cast<E>(index));
    return true;
  }
  template <class T>
  static bool widget(std::vector<T>& value, const muslin::FieldInfo&) {
    row::words(std::to_string(value.size()) + " of them");
    return false;
  }
  template <class T>
  static bool widget(std::optional<T>& value, const muslin::FieldInfo& info) {
    bool there = value.has_value();
    bool changed = row::presence(there);
    if (changed && there) {
      value.emplace();
      if constexpr (std::is_arithmetic_v<T>) value = static_cast<T>(row::first_value(info.range));
    } else if (changed) {
      value.reset();
    }
    if (value)
      changed |= widget(*value, info);
    else
      row::words("not set");
    return changed;
  }
  template <class E>
  requires std::is_enum_v<E>
  static bool widget(E& value, const muslin::FieldInfo&) {
    size_t index = static_cast<size_t>(value);
    if (!row::choice(index, muslin::EnumNames<E>::names)) return false;
    value = static_cast<E>(index);
    return true;
  }

  /// A step into the scene, for as long as it lives.
  class Below {
   public:
    Below(std::string& path, std::string_view step) : path_(path), length_(path.size()) {
      path_.append("/").append(step);
    }
    ~Below() { path_.resize(length_); }
    Below(const Below&) = delete;
    Below& operator=(const Below&) = delete;

   private:
    std::string& path_;
    size_t length_;
  };

  std::string why_unread() const {
    if (inert_)
      for (const muslin::InertField& field : *inert_)
        if (field.path == path_) return field.reason;
    return "";
  }

  std::vector<std::string_view> skip_;
  const std::vector<muslin::InertField>* inert_ = nullptr;
  std::string path_;
};
