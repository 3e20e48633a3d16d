#include "plots.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "stage_view.h"
#include "style.h"

using namespace muslin;

void History::add(const Snapshot& snapshot, double draw_ms) {
  if (snapshot.lanes.empty()) return;
  if (snapshot.load != load_ || (!rows_.empty() && snapshot.frame < rows_.back().frame)) rows_.clear();
  load_ = snapshot.load;
  if (!rows_.empty() && rows_.back().frame == snapshot.frame) {
    rows_.back().draw_ms = draw_ms;
    return;
  }
  Row row{snapshot.frame, snapshot.lanes.front().report, draw_ms, {}};
  const LaneSnapshot& last = snapshot.lanes.back();
  if (last.is_reference && last.model)
    for (const LaneSnapshot& lane : snapshot.lanes)
      if (!lane.is_reference && lane.model)
        row.difference.push_back(differences(lane, last).norm() /
                                 std::sqrt(double(last.state.positions.cols())));
  rows_.push_back(std::move(row));
  if (rows_.size() > kLength) rows_.pop_front();
}

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

const ImU32 kInks[] = {IM_COL32(92, 168, 219, 255), IM_COL32(242, 179, 71, 255), IM_COL32(115, 199, 140, 255),
                       IM_COL32(214, 117, 158, 255)};

struct Curve {
  std::string name;
  std::function<double(const History::Row&)> value;  ///< not a number: nothing to draw
};

struct Span {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool is_empty() const { return low > high; }
};

std::string written(double value, bool logarithmic) {
  return logarithmic ? fmt::format("{:.1e}", std::pow(10, value)) : fmt::format("{:.3g}", value);
}

/// The names of the curves in their colours, with the newest values.
void draw_key(const std::vector<Curve>& curves, const History::Row& newest, bool logarithmic) {
  for (size_t c = 0; c < curves.size(); ++c) {
    const double value = curves[c].value(newest);
    const std::string text = std::isfinite(value)
                                 ? fmt::format("{} {}", curves[c].name, written(value, logarithmic))
                                 : curves[c].name;
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    if (c > 0) {
      ImGui::SameLine(0, 12);
      if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    }
    ImGui::PushStyleColor(ImGuiCol_Text, kInks[c % std::size(kInks)]);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
  }
}

void draw_curves(const std::deque<History::Row>& rows, const std::vector<Curve>& curves, Span span,
                 ImVec2 corner, ImVec2 size) {
  ImDrawList& ink = *ImGui::GetWindowDrawList();
  ink.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg), 5);
  if (span.is_empty() || rows.size() < 2) return;
  if (span.high - span.low < 1e-12) span.high = span.low + 1;
  const float inset = 4;
  for (size_t c = 0; c < curves.size(); ++c) {
    std::vector<ImVec2> line;
    const auto flush = [&] {
      if (line.size() > 1)
        ink.AddPolyline(line.data(), static_cast<int>(line.size()), kInks[c % std::size(kInks)], 0, 1.6f);
      line.clear();
    };
    for (size_t i = 0; i < rows.size(); ++i) {
      const double value = curves[c].value(rows[i]);
      if (!std::isfinite(value)) {
        flush();
        continue;
      }
      const double right = double(i + History::kLength - rows.size()) / (History::kLength - 1);
      const double up = (value - span.low) / (span.high - span.low);
      line.push_back({corner.x + inset + float(right) * (size.x - 2 * inset),
                      corner.y + size.y - inset - float(up) * (size.y - 2 * inset)});
    }
    flush();
  }
}

void plot(const char* title, const std::deque<History::Row>& rows, const std::vector<Curve>& curves,
          bool from_zero, bool logarithmic = false) {
  Span span;
  if (from_zero) span.include(0);
  for (const History::Row& row : rows)
    for (const Curve& curve : curves) span.include(curve.value(row));

  ImGui::TextDisabled("%s", title);
  if (!span.is_empty()) {
    const std::string ends =
        fmt::format("{} … {}", written(span.low, logarithmic), written(span.high, logarithmic));
    ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x -
                    ImGui::CalcTextSize(ends.c_str()).x);
    ImGui::TextDisabled("%s", ends.c_str());
  }
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 4.2f);
  draw_curves(rows, curves, span, ImGui::GetCursorScreenPos(), size);
  ImGui::Dummy(size);
  draw_key(curves, rows.back(), logarithmic);
  ImGui::Spacing();
}

double logarithm(const std::optional<double>& value) {
  return value && *value > 0 ? std::log10(*value) : kNothing;
}

}  // namespace

void draw_plots(const History& history) {
  using Row = History::Row;
  const std::deque<Row>& rows = history.rows();
  if (rows.empty()) return ImGui::TextDisabled("nothing has run yet");
  const double floor = rows.front().report.potential_energy;
  plot("energy [J]", rows,
       {{"kinetic", [](const Row& r) { return r.report.kinetic_energy; }},
        {"elastic", [](const Row& r) { return r.report.elastic_energy; }},
        {"height", [floor](const Row& r) { return r.report.potential_energy - floor; }}},
       false);
  plot("residual [N]", rows, {{"", [](const Row& r) { return logarithm(r.report.step.residual); }}}, false,
       true);
  plot("error of time [mm]", rows,
       {{"", [](const Row& r) { return 1000 * r.report.step.time_error.value_or(0); }}}, true);
  plot("strain [%]", rows,
       {{"99th of 100", [](const Row& r) { return 100 * r.report.strain_p99; }},
        {"largest", [](const Row& r) { return 100 * r.report.strain_max; }}},
       true);
  plot(
      "time a frame [ms]", rows,
      {{"solve", [](const Row& r) { return r.report.step.solve_ms; }},
       {"contact", [](const Row& r) { return r.report.step.contact_ms; }},
       {"rest", [](const Row& r) { return r.report.ms - r.report.step.solve_ms - r.report.step.contact_ms; }},
       {"draw", [](const Row& r) { return r.draw_ms; }}},
      true);
  plot("contacts", rows, {{"vertices", [](const Row& r) { return double(r.report.step.contacts); }}}, true);
  if (rows.back().difference.empty()) return;
  std::vector<Curve> curves;
  for (size_t c = 0; c < rows.back().difference.size(); ++c)
    curves.push_back({fmt::format("lane {}", c + 1),
                      [c](const Row& r) { return c < r.difference.size() ? r.difference[c] : kNothing; }});
  plot("from the reference [mm]", rows, curves, true);
}
