#include "muslin/compare/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {

namespace {

constexpr double kWorthSaying = 0.005;  // a fraction of gravity below this makes no headline
constexpr double kSame = 5e-5;  // fractions that differ by less read the same, and so do distances [m]

std::string percent_text(double fraction) {
  const double percent = 100 * std::abs(fraction);
  return fmt::format("{:.{}f} %", percent, percent < 9.95 ? 1 : 0);
}

// Lost gravity of the first frame where that has a meaning: between floating and falling.
std::optional<double> first_loss(const SolverRecord& record) {
  if (record.frames.empty() || record.diverged) return {};
  const std::optional<double> lost = record.frames.front().error.lost_gravity;
  return lost && std::abs(*lost) <= 1 ? lost : std::nullopt;
}

std::optional<double> last_error(const SolverRecord& record, int frame) {
  if (record.frames.empty() || record.diverged || record.frames.back().frame != frame) return {};
  return record.frames.back().error.position.rms;
}

// The distance from the reference in the last frame, infinite if that was not reached.
double end_of(const SolverRecord& record) {
  const bool is_there = !record.frames.empty() && !record.diverged;
  return is_there ? record.frames.back().error.position.rms : std::numeric_limits<double>::infinity();
}

/// The records with the largest and the smallest of a number; of small ones that read the same, the one that
/// ends nearest to the reference.
struct Extremes {
  const SolverRecord *worst = nullptr, *best = nullptr;
  double most = 0, least = 0;
  int count = 0;
};
template <class Number>  // of a record, or absent
Extremes extremes(const Comparison& comparison, const Number& number) {
  Extremes found;
  for (const SolverRecord& record : comparison.solvers) {
    const std::optional<double> value = number(record);
    if (!value) continue;
    if (!found.worst || *value > found.most) found.worst = &record, found.most = *value;
    const auto is_better = [&] {
      if (std::abs(*value - found.least) > kSame) return *value < found.least;
      return end_of(record) < end_of(*found.best);
    };
    if (!found.best || is_better()) found.best = &record, found.least = *value;
    ++found.count;
  }
  return found;
}

std::string frames_text(int frames) { return frames == 1 ? "one frame" : fmt::format("{} frames", frames); }

std::string distance_sentence(const Comparison& comparison) {
  const int frame = comparison.reference.frames.empty() ? 0 : comparison.reference.frames.back().frame;
  const Extremes far =
      extremes(comparison, [&](const SolverRecord& record) { return last_error(record, frame); });
  if (!far.worst) return "";
  const std::string worst = fmt::format("After {}, {} is {} from the converged answer", frames_text(frame),
                                        far.worst->label, length_text(far.most));
  return far.count == 1 ? worst : fmt::format("{}; {} {}", worst, far.best->label, length_text(far.least));
}

}  // namespace

std::string length_text(double metres) {
  const double size = std::abs(metres);
  const auto text = [](double value, const char* unit) {
    return fmt::format("{:.{}f} {}", value, value < 9.95 ? 1 : 0, unit);
  };
  if (size < 1e-12) return "0 mm";
  if (size < 0.9995e-6) return text(1e9 * size, "nm");
  if (size < 0.9995e-3) return text(1e6 * size, "µm");
  if (size < 0.00995) return text(1e3 * size, "mm");
  if (size < 0.995) return text(1e2 * size, "cm");
  return text(size, "m");
}

Headline headline(const Comparison& comparison) {
  Headline head;
  head.below = distance_sentence(comparison);
  const Extremes loss = extremes(comparison, [](const SolverRecord& record) {
    const std::optional<double> lost = first_loss(record);
    return lost ? std::optional(std::abs(*lost)) : lost;
  });
  if (loss.worst && loss.most >= kWorthSaying) {
    const double signed_loss = *first_loss(*loss.worst);
    head.title = fmt::format("After one frame, {} has {} {} {}", loss.worst->label,
                             signed_loss > 0 ? "lost" : "made up", percent_text(signed_loss),
                             signed_loss > 0 ? "of gravity" : "of gravity that is not there");
    if (loss.count > 1) head.title += fmt::format("; {} {}", loss.best->label, percent_text(loss.least));
  } else if (!head.below.empty()) {
    std::swap(head.title, head.below);
  } else if (comparison.interrupted) {
    head.title = "Interrupted before a frame was made by every solver";
  } else {
    head.title = "No solver came through this scene with these steps";
  }
  return head;
}

}  // namespace muslin
