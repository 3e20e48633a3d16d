#include "muslin/sweep/figures.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <type_traits>

#include "muslin/io/scene_tree.h"
#include "muslin/model/report_fields.h"

namespace muslin {

namespace {

constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};

template <class T>
constexpr bool is_place = std::is_same_v<T, Vec3> || std::is_same_v<T, std::optional<Vec3>>;
// A hash is none, though it has digits.
template <class T>
constexpr bool is_number = std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>> ||
                           std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>;

std::vector<Figure> figures_of_a_frame() {
  std::vector<Figure> found;
  const auto visit = [&]<class T>(const char* name, const T&, const FieldInfo& info) {
    const std::string doc(info.doc), unit(info.unit);
    if constexpr (is_place<T>)
      for (const char* axis : kAxes)
        found.push_back({fmt::format("{}_{}", name, axis), fmt::format("{}, its {}", doc, axis), unit, true});
    else
      found.push_back({name, doc, unit, is_number<T>});
  };
  FrameReport frame;
  report_fields(frame, visit);
  report_times(frame, visit);
  return found;
}

// A frame of run.json by the names of figures.
std::map<std::string, Json> values_of(const Json& frame) {
  std::map<std::string, Json> values;
  for (const auto& [name, value] : frame.items())
    if (value.is_array() && value.size() == kAxes.size())
      for (size_t axis = 0; axis < kAxes.size(); ++axis) values[name + "_" + kAxes[axis]] = value[axis];
    else if (!value.is_structured())
      values[name] = value;
  const Json& ms = frame.at("ms");
  values["ms"] = ms.at("frame");
  values["solve_ms"] = ms.at("solve");
  values["contact_ms"] = ms.at("contact");
  return values;
}

/// Of one number, over frames in which it exists.
struct Extent {
  Json max, min;
  double sum = 0;
  int count = 0;

  void add(const Json& value) {
    if (!value.is_number()) return;
    if (count == 0 || value > max) max = value;
    if (count == 0 || value < min) min = value;
    sum += value.get<double>();
    ++count;
  }
  Json mean() const { return count > 0 ? Json(sum / count) : Json(); }
};

}  // namespace

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = [] {
    std::vector<Figure> found = figures_of_a_frame();
    const size_t count = found.size();
    for (const char* kind : {"max", "min", "mean"})
      for (size_t k = 0; k < count; ++k) {
        const Figure figure = found[k];
        if (!figure.is_number) continue;
        found.push_back({fmt::format("{} {}", kind, figure.name),
                         fmt::format("{} of all frames: {}", kind, figure.doc), figure.unit, true});
      }
    return found;
  }();
  return all;
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const Figure& figure : figures()) names.push_back(figure.name);
  return names;
}

std::map<std::string, std::string> figures_of(const Json& frames) {
  std::map<std::string, Extent> extents;
  for (size_t k = frames.size() > 1 ? 1 : 0; k < frames.size(); ++k)
    for (const auto& [name, value] : values_of(frames[k])) extents[name].add(value);
  std::map<std::string, Json> values = values_of(frames.back());
  for (const auto& [name, extent] : extents) {
    values["max " + name] = extent.max;
    values["min " + name] = extent.min;
    values["mean " + name] = extent.mean();
  }
  std::map<std::string, std::string> texts;
  for (const std::string& name : figure_names())
    if (const auto found = values.find(name); found != values.end()) texts[name] = found->second.dump();
  return texts;
}

}  // namespace muslin
