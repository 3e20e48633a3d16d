#include "muslin/contact/pairs/pair_filters.h"

#include <gtest/gtest.h>

#include <algorithm>

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

class WithPairFilters : public ::testing::Test {
 protected:
  void TearDown() override {
    PairFilters::off = false;
    set_threads(0);
  }
};

class PairFiltersOff : public WithPairFilters, public ::testing::WithParamInterface<Case> {};

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

// Position-based contact finds the same pairs from lists that it keeps for many substeps as from new ones.
TEST_F(WithPairFilters, ChangeNoBitOfBoundedContact) {
  for (const char* name : {"stack", "card_shuffle"}) {
    Scene scene = torture::make(name, {6, 1});
    scene.solver.family = "position";
    scene.solver.position.substeps = 10;
    scene.solver.position.contact = PositionContact::pairs;
    const std::vector<Frame> with = run(scene, 12, true), without = run(scene, 12, false);
    EXPECT_EQ(with, without) << name;
    const auto fewer = [](const Frame& a, const Frame& b) { return a.contacts < b.contacts; };
    EXPECT_GT(std::max_element(with.begin(), with.end(), fewer)->contacts, 50) << name;
  }
}

}  // namespace
}  // namespace muslin
