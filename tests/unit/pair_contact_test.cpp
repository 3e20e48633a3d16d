#include "muslin/contact/pairs/pair_contact.h"

#include <gtest/gtest.h>

#include "property/methods.h"
#include "unit/contact_sheets.h"

namespace muslin {
namespace {

using contact_test::noise;

constexpr double kKilometre = 1000, kStep = 1. / 60;

Scene fine_sheet() {
  Scene scene = sheet(family("quasi_newton"));
  scene.cloths[0].grid->points = {21, 21};
  scene.self_collision.enabled = true;
  scene.self_collision.distance = 0.01;
  return scene;
}

// Such directions occur where cloth is crushed: some vertices go a kilometre, all others some metres.
TEST(PairContact, ListsOfAWayOfAKilometreWhatItsBeginningCanMeet) {
  const Model model = build_model(fine_sheet());
  PairContact contact(model, model.script);
  const Points& x = model.start;
  Points way = noise(model.vertex_count(), 2, 5);
  for (const int v : {50, 200, 300}) way.col(v) = Vec3(kKilometre / 2, kKilometre, 0);
  contact.begin(x, way, kStep, {});
  const auto edges = contact.scene().surfaces().edges.size();
  EXPECT_LT(contact.pair_count(), edges * edges / 20);

  const double safe = contact.safe_step(x, way);
  EXPECT_GT(safe, 0);
  EXPECT_LT(safe, 1 / kKilometre);
  contact.detect(x, way);
  EXPECT_NEAR(contact.safe_step(x, way), safe, 0.01 * safe);  // what stays listed has less slack
}

TEST(PairContact, DoesNotSayOfAWayThatItIsClearFartherThanItLooked) {
  const Model model = build_model(fine_sheet());
  PairContact contact(model, model.script);
  const Points& x = model.start;
  const Points still = Points::Zero(3, x.cols());
  Points way = still;
  way.col(0) = Vec3(0, 0.1, 0);  // off the sheet: there is nothing to meet
  contact.begin(x, still, kStep, {});
  EXPECT_TRUE(contact.is_clear(x, way));
  way.col(0) *= kKilometre;
  EXPECT_FALSE(contact.is_clear(x, way));
  EXPECT_GT(contact.safe_step(x, way), 0);
  EXPECT_LT(contact.safe_step(x, way), 1);

  // all go as far together
  EXPECT_TRUE(contact.is_clear(x, Points::Constant(3, x.cols(), kKilometre)));
}

}  // namespace
}  // namespace muslin
