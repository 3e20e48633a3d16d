#include "film_plan.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr double kFewestFps = 10;   // below, players and eyes see slides
constexpr double kRounding = 1e-6;  // of a frame

double natural_fps(double rate, double most) {
  if (rate > most) return rate / std::ceil(rate / most - kRounding);
  if (rate < kFewestFps) return rate * std::ceil(kFewestFps / rate - kRounding);
  return rate;
}

}  // namespace

FilmPlan plan_film(const std::vector<int>& frames, double frame_time, double speed, std::optional<double> fps,
                   double most_fps) {
  const double rate = speed / frame_time;  // frames that pass in a second of the film
  FilmPlan plan{fps.value_or(natural_fps(rate, most_fps)), 0, {}};
  plan.step = rate / plan.fps;
  const double duration = (frames.back() - frames.front() + 1) / rate;
  const auto pictures = std::max(1.0, std::round(duration * plan.fps));
  for (double p = 0; p < pictures; ++p) {
    const double frame = frames.front() + std::floor(p * plan.step + kRounding);
    const auto after = std::upper_bound(frames.begin(), frames.end(), frame);
    plan.frames.push_back(*std::prev(after));  // the frame itself, or the last there is before it
  }
  return plan;
}
