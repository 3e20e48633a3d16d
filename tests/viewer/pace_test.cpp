#include "viewer/pace.h"

#include <gtest/gtest.h>

namespace {

/// A machine that needs `ms` for a picture in full, and for coarser ones a fraction of it.
double time_of(const Drawing& drawing, double ms) {
  return ms * (drawing.samples > 1 ? 1 : 0.4) / (drawing.shrink * drawing.shrink);
}

Drawing settled_on(Pace& pace, double ms) {
  for (int picture = 0; picture < 20; ++picture) pace.took(time_of(pace.moving(), ms));
  return pace.moving();
}

TEST(Pace, DrawsAsFinelyAsThereIsTime) {
  Pace pace;
  EXPECT_EQ(pace.moving().samples, 4);
  EXPECT_EQ(settled_on(pace, 10).samples, 4);
  EXPECT_EQ(settled_on(pace, 100).samples, 1);
  EXPECT_EQ(pace.moving().shrink, 1);
  EXPECT_EQ(settled_on(pace, 400).shrink, 2);
  EXPECT_EQ(settled_on(pace, 10).samples, 4) << "it comes back";
}

TEST(Pace, NeverTurnsToAndFro) {
  for (double ms = 1; ms < 1000; ms *= 1.1) {
    Pace pace;
    const Drawing once = settled_on(pace, ms);
    for (int picture = 0; picture < 20; ++picture) {
      pace.took(time_of(pace.moving(), ms));
      EXPECT_EQ(pace.moving().samples, once.samples) << ms;
      EXPECT_EQ(pace.moving().shrink, once.shrink) << ms;
    }
  }
}

TEST(Pace, OneSlowPictureChangesNothing) {
  Pace pace;
  for (int picture = 0; picture < 20; ++picture) pace.took(picture % 3 == 0 ? 500 : 12);
  EXPECT_EQ(pace.moving().samples, 4);
}

}  // namespace
