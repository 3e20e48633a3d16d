#include "pace.h"

#include <array>

namespace {

constexpr std::array kLevels{Drawing{4, 1}, Drawing{1, 1}, Drawing{1, 2}};

}  // namespace

bool Pace::rests(double time) const {
  constexpr double kAWhile = 0.2;  // [s]
  return time - moved_ > kAWhile;
}

Drawing Pace::moving() const { return kLevels[level_]; }

void Pace::took(double ms) {
  constexpr double kTooLong = 50;  // [ms] twenty pictures a second
  constexpr double kRatio = 4;     // a level takes at most so many times as long as the next one
  constexpr int kInARow = 3;       // one slow picture may be another program's, or the first of its kind
  slow_ = ms > kTooLong ? slow_ + 1 : 0;
  quick_ = kRatio * ms < kTooLong ? quick_ + 1 : 0;
  if (slow_ >= kInARow && level_ + 1 < static_cast<int>(kLevels.size())) {
    ++level_;
    slow_ = 0;
  }
  if (quick_ >= kInARow && level_ > 0) {
    --level_;
    quick_ = 0;
  }
}
