#include "muslin/compare/tune.h"

#include <gtest/gtest.h>

#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"

namespace muslin {
namespace {

Scene hang() { return read_scene(MUSLIN_SCENES "/hang.json", {{"/cloths/0/grid/points", "[12, 12]"}}); }

TEST(Tune, MoreSubstepsCostMoreAndLeaveLess) {
  const Tuning tuning = tune(hang(), 60);
  ASSERT_GT(tuning.settings.size(), 6u);
  for (size_t k = 1; k < tuning.settings.size(); ++k) {
    const TunedSettings &before = tuning.settings[k - 1], &now = tuning.settings[k];
    if (now.position.path != before.position.path || now.position.coarse != before.position.coarse) continue;
    EXPECT_GT(now.position.steps(), before.position.steps());
    EXPECT_LT(now.strain_p99, before.strain_p99) << now.position.steps();
    EXPECT_LT(*now.step_error, *before.step_error) << now.position.steps();
    EXPECT_LT(now.astray, before.astray) << now.position.steps();
  }
  EXPECT_LT(tuning.settings.back().strain_p50, tuning.settings.back().strain_p99);
  EXPECT_LT(tuning.settings.back().energy, 0) << "backward Euler dissipates";
}

TEST(Tune, AdvisesTheCheapestThatReachesAQuality) {
  const Tuning tuning = tune(hang(), 60);
  ASSERT_EQ(tuning.advice.size(), EnumNames<PositionQuality>::names.size());
  for (const Advice& advice : tuning.advice) {
    ASSERT_TRUE(advice.settings) << name_of(advice.quality);
    const TunedSettings& chosen = tuning.settings[*advice.settings];
    EXPECT_LE(chosen.strain_p99, allowed_strain(advice.quality));
    for (const TunedSettings& other : tuning.settings)
      if (other.strain_p99 <= allowed_strain(advice.quality) && other.astray <= kMostAstray) {
        EXPECT_LE(chosen.ms, other.ms);
      }
  }
}

TEST(Tune, RefusesWhatKnowsNoMaterialAndStopsWhenAsked) {
  Scene scene = hang();
  scene.solver.position.method = PositionMethod::pbd;
  EXPECT_THROW(tune(scene, 2), Error);
  int begun = 0;
  const Tuning tuning =
      tune(hang(), 5, {[&](const PositionSettings&) { ++begun; }, [&] { return begun > 2; }});
  EXPECT_TRUE(tuning.interrupted);
  EXPECT_EQ(tuning.settings.size(), 2u);
}

}  // namespace
}  // namespace muslin
