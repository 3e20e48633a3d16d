#include "comparison_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muslin/core/text.h"

using namespace muslin;

std::vector<int> shown_lanes(const Snapshot& snapshot) {
  constexpr int kMost = 4;
  std::vector<int> shown;
  const int count = static_cast<int>(snapshot.lanes.size());
  for (int i = 0; i < count; ++i)
    if (count <= kMost || !snapshot.lanes[i].is_reference) shown.push_back(i);
  return shown;
}

std::vector<Area> lay_out(const Area& whole, int count) {
  std::vector<Area> parts;
  if (count <= 1) return {whole};
  const int columns = count == 2 && whole.height > whole.width ? 1 : 2,
            rows = (count + columns - 1) / columns;
  constexpr int kGap = 2;
  for (int i = 0; i < count; ++i) {
    const int column = i % columns, row = i / columns;
    const int left = whole.width * column / columns + (column > 0 ? kGap : 0);
    const int top = whole.height * row / rows + (row > 0 ? kGap : 0);
    parts.push_back({whole.x + left, whole.y + top, whole.width * (column + 1) / columns - left,
                     whole.height * (row + 1) / rows - top});
  }
  return parts;
}

namespace {

/// "0.12 mm from the reference, 3.4 mm at most": both in the unit of the larger.
std::string away_text(double mean, double most) {
  const bool in_metres = distance_text(most).ends_with(" m");
  const auto text = [&](double metres) {
    return in_metres ? fmt::format("{:.3g} m", metres) : fmt::format("{:.3g} mm", 1000 * metres);
  };
  return fmt::format("{} from the reference, {} at most", text(mean), text(most));
}

/// 1, 2 or 5 times a power of ten, not below x > 0.
double round_up(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (x <= factor * power) return factor * power;
  return 10 * power;
}

}  // namespace

double common_scale(const Snapshot& snapshot, double before) {
  constexpr double kLeast = 0.01;  // [mm]
  constexpr double kFar =
      5;  // a scale that is this much too long shortens; at once, and colours would flicker
  double largest = kLeast;
  const auto reference = std::find_if(snapshot.lanes.begin(), snapshot.lanes.end(),
                                      [](const LaneSnapshot& lane) { return lane.is_reference; });
  if (reference == snapshot.lanes.end() || !reference->model) return std::max(before, largest);
  for (const LaneSnapshot& lane : snapshot.lanes)
    if (lane.model && lane.failure.empty())
      largest = std::max(largest, differences(lane, *reference).maxCoeff());
  const double fitting = round_up(largest * (1 - 1e-9));
  return fitting > before || kFar * fitting <= before * (1 + 1e-9) ? fitting : before;
}

std::vector<std::string> caption(const LaneSnapshot& lane, const LaneSnapshot* reference) {
  std::vector<std::string> lines{lane.label};
  if (!lane.failure.empty()) return lines;  // the banner says it
  const StepReport& step = lane.report.step;
  lines.push_back(fmt::format("{:.1f} ms a frame, {} iterations", lane.report.ms, step.iterations));
  if (reference && !lane.is_reference && reference->model && reference->failure.empty()) {
    const Scalars away = differences(lane, *reference);
    lines.push_back(
        away_text(std::sqrt(away.squaredNorm() / double(away.size())) / 1000, away.maxCoeff() / 1000));
  }
  std::string numbers;
  if (step.residual) numbers = fmt::format("residual {:.1e} N", *step.residual);
  constexpr double kNoticeable = 1e-4;  // of gravity
  if (step.lost_gravity)
    numbers += fmt::format("{}loses {:.2g} % of gravity", numbers.empty() ? "" : ", ",
                           *step.lost_gravity < kNoticeable ? 0 : 100 * *step.lost_gravity);
  if (!numbers.empty()) lines.push_back(numbers);
  return lines;
}
