#include "muslin/contact/pairs/pair_filters.h"

#include <gtest/gtest.h>

#include "muslin/core/parallel.h"
#include "muslin/simulation.h"
#include "torture/scenes.h"

// Whole runs with the filters of pairs and without: not a bit may differ.

namespace muslin {
namespace {

struct Case {
  std::string scene;
  int cells, frames;
};

class PairFiltersOff : public ::testing::TestWithParam<Case> {
 protected:
  void TearDown() override {
    PairFilters::off = false;
    set_threads(0);
  }
};

struct Frame {
  std::uint64_t hash;
  int iterations, linear, contacts;
  double least_distance;

  bool operator==(const Frame&) const = default;
};

std::vector<Frame> run(const Scene& scene, int frames, bool filters) {
  PairFilters::off = !filters;
  Simulation simulation(scene);
  std::vector<Frame> all;
  for (int frame = 0; frame < frames; ++frame) {
    const StepReport step = simulation.step().step;
    all.push_back({hash(simulation.state()), step.iterations, step.linear_iterations, step.contacts,
                   step.least_distance});
  }
  return all;
}

TEST_P(PairFiltersOff, ChangeNoBit) {
  const auto& [name, cells, frames] = GetParam();
  const Scene scene = torture::make(name, {cells, 1});
  const std::vector<Frame> with = run(scene, frames, true), without = run(scene, frames, false);
  int contacts = 0;
  for (int k = 0; k < frames; ++k) {
    EXPECT_EQ(with[k], without[k]) << "frame " << k + 1;
    contacts = std::max(contacts, with[k].contacts);
  }
  EXPECT_GT(contacts, 50);
}

INSTANTIATE_TEST_SUITE_P(Scenes, PairFiltersOff,
                         testing::Values(Case{"stack", 8, 24}, Case{"fold", 16, 30}, Case{"twist", 24, 40},
                                         Case{"rotating_sphere", 16, 24}, Case{"needles", 16, 24},
                                         Case{"funnel", 12, 40}, Case{"card_shuffle", 6, 24}),
                         [](const auto& each) { return each.param.scene; });

}  // namespace
}  // namespace muslin
