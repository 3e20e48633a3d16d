#include "field_widgets.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>

using namespace muslin;

namespace row {

namespace {

constexpr float kNameWidth = 0.42f;  // of the panel's width
constexpr const char* kBack = "\u21ba";

float back_width() { return ImGui::GetFrameHeight(); }

/// How far a drag of one pixel takes a number, so that large and small ones answer alike.
float drag_speed(double value) { return static_cast<float>(0.005 * std::max(std::abs(value), 1e-6)); }

/// "kg/m^2" with raised digits, '%' as `percent`.
std::string written_unit(std::string_view unit, const char* percent) {
  std::string text;
  for (size_t i = 0; i < unit.size(); ++i) {
    const bool raised = unit[i] == '^' && i + 1 < unit.size() && (unit[i + 1] == '2' || unit[i + 1] == '3');
    if (raised)
      text += unit[++i] == '2' ? "²" : "³";
    else
      text += unit[i] == '%' ? percent : std::string(1, unit[i]);
  }
  return text;
}

std::string number_format(std::string_view unit, const char* number) {
  std::string format = number;
  if (unit.empty()) return format;
  return format + ' ' + written_unit(unit, "%%");
}

/// Ends of a range that a drag may reach.
struct Ends {
  double low, high;
  explicit Ends(const Range& range)
      : low(std::max(range.min, -DBL_MAX / 4)), high(std::min(range.max, DBL_MAX / 4)) {
    if (range.above_min) low += 1e-12 * std::max(1.0, std::abs(low));
  }
};

bool drag(const char* id, double& value, const FieldInfo& info, std::string_view unit) {
  const Ends ends(info.range);
  const std::string format = number_format(unit, "%.4g");
  const float speed = value == 0 ? 0.01f : drag_speed(value);
  return ImGui::DragScalar(id, ImGuiDataType_Double, &value, speed, &ends.low, &ends.high, format.c_str(),
                           ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoRoundToFormat);
}

bool drag(const char* id, int& value, const FieldInfo& info) {
  const int low = info.range.min < -1e9 ? -1000000000 : static_cast<int>(info.range.min);
  const int high = info.range.max > 1e9 ? 1000000000 : static_cast<int>(info.range.max);
  const float speed = std::max(0.05f, static_cast<float>(std::abs(value)) * 0.005f);
  const std::string format = number_format(info.unit, "%d");
  return ImGui::DragInt(id, &value, speed, low, high, format.c_str(), ImGuiSliderFlags_AlwaysClamp);
}

void explain(std::string_view doc, std::string_view more) {
  if (!ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 22);
  ImGui::TextUnformatted(doc.data(), doc.data() + doc.size());
  if (!more.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::TextUnformatted(more.data(), more.data() + more.size());
    ImGui::PopStyleColor();
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace

std::string plain(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

double first_value(const Range& range) {
  for (const double value : {1.0, 0.9, 0.0})
    if (range.contains(value)) return value;
  return range.above_min ? range.min * (1 + 1e-9) : range.min;
}

void begin(std::string_view name, const FieldInfo& info, const std::string& unread) {
  ImGui::PushID(name.data(), name.data() + name.size());
  const float width = ImGui::GetContentRegionAvail().x, left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  const std::string text = plain(name);
  const float room = width * kNameWidth - ImGui::GetStyle().ItemSpacing.x;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::PushClipRect(from, {from.x + room, from.y + ImGui::GetFrameHeight()}, true);
  unread.empty() ? ImGui::TextUnformatted(text.c_str()) : ImGui::TextDisabled("%s", text.c_str());
  ImGui::PopClipRect();
  const bool bounded = info.range.min > -DBL_MAX || info.range.max < DBL_MAX;
  if (unread.empty())
    explain(info.doc, bounded ? describe(info.range, info.unit) : written_unit(info.unit, "%"));
  else
    explain(info.doc, "Nothing reads it now: " + unread);
  ImGui::SameLine(left + width * kNameWidth);
  ImGui::SetNextItemWidth(-back_width() - ImGui::GetStyle().ItemInnerSpacing.x);
}

bool end(bool changed) {
  bool back = false;
  if (changed) {
    ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - back_width());
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
    back = ImGui::Button(kBack, {back_width(), 0});
    ImGui::PopStyleColor();
    explain("back to the default", "");
  }
  ImGui::PopID();
  return back;
}

bool number(double& value, const FieldInfo& info) { return drag("##value", value, info, info.unit); }
bool integer(int& value, const FieldInfo& info) { return drag("##value", value, info); }
bool seed(std::uint64_t& value) { return ImGui::InputScalar("##value", ImGuiDataType_U64, &value); }
bool flag(bool& value) { return ImGui::Checkbox("##value", &value); }

bool text(std::string& value) {
  static std::string typed;  // until Enter: a path is no path before its last letter
  typed = value;
  if (!ImGui::InputText("##value", &typed, ImGuiInputTextFlags_EnterReturnsTrue)) return false;
  value = typed;
  return true;
}

bool colour(Colour& value) {
  float parts[3] = {value.red / 255.0f, value.green / 255.0f, value.blue / 255.0f};
  if (!ImGui::ColorEdit3("##value", parts, ImGuiColorEditFlags_DisplayHex)) return false;
  const auto byte = [](float part) { return static_cast<std::uint8_t>(std::lround(255 * part)); };
  value = {byte(parts[0]), byte(parts[1]), byte(parts[2])};
  return true;
}

namespace {

/// Several fields in the width of one: part(i) draws the i-th and says whether it changed.
template <class Part>
bool side_by_side(size_t count, const Part& part) {
  bool changed = false;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float each = (ImGui::CalcItemWidth() - gap * float(count - 1)) / float(count);
  for (size_t i = 0; i < count; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (i > 0) ImGui::SameLine(0, gap);
    ImGui::SetNextItemWidth(each);
    changed |= part(i);
    ImGui::PopID();
  }
  return changed;
}

}  // namespace

bool numbers(std::span<double> values, const FieldInfo& info) {
  return side_by_side(values.size(), [&](size_t i) {
    const bool changed = drag("##part", values[i], info, "");
    explain(fmt::format("{} {}", values.size() == 3 ? std::string(1, "xyz"[i]) : std::to_string(i + 1),
                        info.unit.empty() ? "" : fmt::format("[{}]", written_unit(info.unit, "%"))),
            "");
    return changed;
  });
}

bool integers(std::span<int> values, const FieldInfo& info) {
  return side_by_side(values.size(), [&](size_t i) { return drag("##part", values[i], info); });
}

bool vector(Vec3& value, const FieldInfo& info) { return numbers({value.data(), 3}, info); }

bool choice(size_t& index, std::span<const std::string_view> names) {
  bool changed = false;
  if (!ImGui::BeginCombo("##value", plain(names[index]).c_str())) return false;
  for (size_t i = 0; i < names.size(); ++i)
    if (ImGui::Selectable(plain(names[i]).c_str(), i == index)) {
      changed = i != index;
      index = i;
    }
  ImGui::EndCombo();
  return changed;
}

bool presence(bool& there) {
  const bool changed = ImGui::Checkbox("##there", &there);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(-back_width() - ImGui::GetStyle().ItemInnerSpacing.x);
  return changed;
}

bool list(std::vector<int>& values, size_t group) {
  constexpr size_t kMost = 300;  // that a line of text is fit for
  if (values.size() > kMost * group) {
    words(fmt::format("{} of them", values.size() / group));
    return false;
  }
  std::string line;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) line += group > 1 && i % group == 0 ? ", " : " ";
    line += std::to_string(values[i]);
  }
  if (!text(line)) return false;
  values.clear();
  const char* at = line.c_str();
  while (*at != 0) {
    char* end = nullptr;
    const long value = std::strtol(at, &end, 10);
    if (end == at) {
      ++at;  // a comma, a bracket
    } else {
      values.push_back(static_cast<int>(std::clamp(value, -1000000000L, 1000000000L)));
      at = end;
    }
  }
  return true;
}

bool several(std::vector<size_t>& chosen, std::span<const std::string_view> names) {
  bool changed = false;
  const float left = ImGui::GetCursorPosX(), half = ImGui::CalcItemWidth() / 2;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) {
      if (i % 2 == 1)
        ImGui::SameLine(left + half);
      else
        ImGui::SetCursorPosX(left);
    }
    const auto place = std::find(chosen.begin(), chosen.end(), i);
    bool on = place != chosen.end();
    if (!ImGui::Checkbox(plain(names[i]).c_str(), &on)) continue;
    if (on)
      chosen.push_back(i);
    else
      chosen.erase(place);
    changed = true;
  }
  return changed;
}

bool add_button(std::string_view list) {
  const std::string one(list.substr(0, list.size() - 1));  // "pins" -> "pin"
  return ImGui::SmallButton(("add a " + one).c_str());
}

bool remove_button() { return ImGui::SmallButton("remove"); }

void words(const std::string& text) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", text.c_str());
}

bool begin_group(std::string_view name, std::string_view doc, bool open) {
  const std::string title = plain(name);
  const ImGuiTreeNodeFlags flags = ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_FramePadding |
                                   (open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  const bool shown = ImGui::TreeNodeEx(title.c_str(), flags);
  explain(doc, "");
  return shown;
}

void end_group() { ImGui::TreePop(); }

}  // namespace row
