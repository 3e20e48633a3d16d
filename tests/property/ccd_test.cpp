#include "muslin/geometry/ccd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "property/draw.h"
#include "property/long_double_distance.h"

// Motions that are made backwards from a contact: two points of the sides coincide at a chosen time,
// velocities carry all vertices before and after it. No time of impact may be later than that, and none may
// be zero.

namespace muslin {
namespace {

using reference::Real;

// --- how contacts are made -------------------------------------------------------------------------

struct Family {
  std::string name;
  PairKind kind;
  double thinness = 1;    // least height of the triangle, or least angle of the edges
  double offset = 0;      // [m] coordinates are that far from the origin
  bool grazing = false;   // the sides slide along each other
  bool touching = false;  // the motion begins just before contact
};

std::vector<Family> all_families() {
  std::vector<Family> families;
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge}) {
    const std::string name = kind == PairKind::point_triangle ? "PointTriangle" : "EdgeEdge";
    families.push_back({name, kind});
    families.push_back({name + "Grazing", kind, 1, 0, true, false});
    families.push_back({name + "TouchingStart", kind, 1, 0, false, true});
    families.push_back({name + "FarAway", kind, 1, 1e3, false, false});
    families.push_back({name + "Thin", kind, 1e-8, 0, false, false});
    families.push_back({name + "ThinGrazing", kind, 1e-8, 0, true, false});
    families.push_back({name + "ThinFarAway", kind, 1e-8, 1e3, false, false});
  }
  families.push_back({"EdgeEdgeParallel", PairKind::edge_edge, 1e-16, 0, false, false});
  families.push_back({"EdgeEdgeParallelGrazing", PairKind::edge_edge, 1e-16, 0, true, false});
  families.push_back({"EdgeEdgeParallelTouchingStart", PairKind::edge_edge, 1e-16, 0, false, true});
  return families;
}

struct Hit {
  Quad start, end;
  double time;  // of contact
};

Hit any_hit(const Family& family, Draw draw) {
  Hit hit;
  // 1. The moment of contact: features through one place.
  Quad x;
  for (int i = 0; i < 4; ++i) x.col(i) = draw.vector();
  const double thinness = draw.scale(family.thinness, 1);
  const double s = draw.weight(), t = draw.weight();
  if (family.kind == PairKind::point_triangle) {
    x.col(3) = x.col(1) + draw.between(-1, 2) * (x.col(2) - x.col(1)) + thinness * (x.col(3) - x.col(1));
    x.col(0) = (1 - s) * x.col(1) + s * ((1 - t) * x.col(2) + t * x.col(3));
  } else {
    const Vec3 a = x.col(1) - x.col(0);
    const Vec3 b = draw.between(-1, 1) * a + thinness * (x.col(3) - x.col(2));
    x.col(2) = (1 - s) * x.col(0) + s * x.col(1) - t * b;
    x.col(3) = x.col(2) + b;
  }
  const Vec3 place = family.offset * draw.vector();
  x.colwise() += place;

  // 2. Velocities: a common one, one against each other, and some for each vertex. Grazing sides move along
  // the
  //    first edge, with a thousandth of that across.
  const Vec3 common = draw.vector();
  Vec3 against = draw.vector();
  if (family.grazing) against = 2 * (x.col(2) - x.col(1)) + 1e-3 * against;
  Quad velocity;
  for (int i = 0; i < 4; ++i) velocity.col(i) = common + (family.grazing ? 1e-3 : 1.0) * draw.vector();
  velocity.col(0) += against;
  if (family.kind == PairKind::edge_edge) velocity.col(1) += against;

  // 3. The way there, and on.
  hit.time = family.touching ? draw.scale(1e-10, 1e-3) : draw.between(0.001, 1);
  hit.start = x - hit.time * velocity;
  hit.end = x + (1 - hit.time) * velocity;
  return hit;
}

// --- what must hold --------------------------------------------------------------------------------

/// Contacts a kind of pair, shared by its families; scripts/nightly asks for more.
int samples_a_kind() {
  const char* wanted = std::getenv("MUSLIN_CCD_SAMPLES");
  return wanted ? std::atoi(wanted) : 200'000;
}
int samples(const Family& family) {
  const std::vector<Family> all = all_families();
  const auto sisters =
      std::count_if(all.begin(), all.end(), [&](const Family& other) { return other.kind == family.kind; });
  return samples_a_kind() / static_cast<int>(sisters);
}

/// The largest number in a motion: the extent of the pair, and of the ways relative to each other.
double extent(const Hit& hit) {
  const Vec3 middle = hit.start.rowwise().mean(), drift = (hit.end - hit.start).rowwise().mean();
  return (hit.start.colwise() - middle).colwise().norm().maxCoeff() +
         ((hit.end - hit.start).colwise() - drift).colwise().norm().maxCoeff();
}

class TimeOfImpact : public testing::TestWithParam<Family> {};

TEST_P(TimeOfImpact, IsNeverLateAndNeverZero) {
  const Family& family = GetParam();
  const Clearance clearance;
  int hits = 0, late = 0, zero = 0, below = 0, early = 0;
  for (int id = 0; id < samples(family); ++id) {
    const Hit hit = any_hit(family, {17, static_cast<std::uint64_t>(id)});
    const auto distance = [&](double time) {
      return reference::distance(family.kind, reference::at(hit.start, hit.end, time));
    };
    // The numbers of the ways are rounded, which moves the contact by some ulps of the coordinates: sides
    // that begin as near as that may miss each other.
    const Real initial = distance(0), kept = clearance.fraction * initial;
    if (initial < 1e-13 * extent(hit) || distance(hit.time) > kept / 2) continue;
    ++hits;
    const double time = time_of_impact(family.kind, hit.start, hit.end, clearance);
    late += !(time < hit.time);
    zero += !(time > 0);
    for (const double part : {0.3, 0.7, 0.95, 1.0}) below += distance(part * time) < kept * (1 - 1e-9L);
    early += distance(time) > kept + 0.02L * initial + 1e-13L * extent(hit);
  }
  RecordProperty("hits", hits);
  EXPECT_GE(hits, 0.95 * samples(family)) << "too few contacts survive rounding";
  EXPECT_EQ(late, 0) << "of " << hits;
  EXPECT_EQ(zero, 0) << "of " << hits;
  EXPECT_EQ(below, 0) << "of " << hits << ": nearer on the way than promised";
  // Parallel edges that nearly touch need small steps, and may run out of them.
  EXPECT_LE(early, (family.thinness < 1 && family.touching ? 0.02 : 0.001) * hits) << "of " << hits;
}

INSTANTIATE_TEST_SUITE_P(Families, TimeOfImpact, testing::ValuesIn(all_families()),
                         [](const auto& test) { return test.param.name; });

// --- what is not a contact -------------------------------------------------------------------------

Quad shifted(const Quad& x, const Vec3& by) { return x.colwise() + by; }

/// A point one above the middle of a triangle.
Quad point_above() {
  Quad x;
  x << 0.25, 0, 1, 0,  //
      0.25, 0, 0, 1,   //
      1, 0, 0, 0;
  return x;
}

TEST(TimeOfImpactOf, PairsThatRestOrMoveTogetherIsOne) {
  const Quad x = point_above();
  EXPECT_EQ(time_of_impact(PairKind::point_triangle, x, x), 1);
  EXPECT_EQ(time_of_impact(PairKind::point_triangle, x, shifted(x, Vec3(8, -16, 32))), 1);
}

TEST(TimeOfImpactOf, AFallingPointIsWhenTheFractionIsLeft) {
  const Quad start = point_above();
  Quad end = start;
  end(2, 0) = -1;  // at time t it is 1 − 2t above
  for (const double fraction : {0.0, 0.1, 0.5, 0.9})
    for (const double separation : {0.0, 0.25, 0.9}) {
      const double time = time_of_impact(PairKind::point_triangle, start, end, {fraction, separation});
      const double exact = (1 - separation) * (1 - fraction) / 2;
      EXPECT_LE(time, exact);
      EXPECT_GE(time, 0.99 * exact);
    }
}

TEST(TimeOfImpactOf, AFallingPointIsWhenTheReserveIsLeftOrNineTenthsOfLess) {
  const Quad start = point_above();
  Quad end = start;
  end(2, 0) = -1;  // at time t it is 1 − 2t above
  for (const double reserve : {0.0, 0.05, 0.1, 0.3, 0.8, 0.9, 1.0, 7.0}) {
    const double stays = std::max(0.1, std::min(reserve, 0.9));
    const double time = time_of_impact(PairKind::point_triangle, start, end, {.reserve = reserve});
    EXPECT_LE(time, (1 - stays) / 2);
    EXPECT_GE(time, 0.98 * (1 - stays) / 2) << reserve;
  }
}

TEST(TimeOfImpactOf, PairsNearerThanTheSeparationIsZeroUnlessTheyPart) {
  const Quad start = point_above();
  Quad end = start;
  end(2, 0) = 1.1;
  EXPECT_EQ(time_of_impact(PairKind::point_triangle, start, end, {0.1, 1.5}), 1);
  end(2, 0) = 0.9;
  EXPECT_EQ(time_of_impact(PairKind::point_triangle, start, end, {0.1, 1.0}), 0);
  EXPECT_EQ(time_of_impact(PairKind::point_triangle, start, end, {0.1, 1.5}), 0);
}

TEST(TimeOfImpactOf, NumbersThatAreNoneIsZero) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Quad fine = point_above(), end = shifted(fine, Vec3(0.1, 0, 0));
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
    for (int k = 0; k < 12; ++k)
      for (const double wrong : {std::nan(""), infinity, -infinity}) {
        Quad bad = fine;
        bad.data()[k] = wrong;
        EXPECT_EQ(time_of_impact(kind, bad, end), 0);
        EXPECT_EQ(time_of_impact(kind, fine, bad), 0);
      }
}

TEST(TimeOfImpactOf, PairsThatPartIsOneHoweverNearTheyAre) {
  for (const double distance : {1.0, 1e-6, 1e-12}) {
    Quad start = point_above(), end = start;
    start(2, 0) = distance;
    end(2, 0) = 5;
    EXPECT_EQ(time_of_impact(PairKind::point_triangle, start, end), 1);
  }
}

TEST(TimeOfImpactOf, RandomMotionsKeepsTheDistance) {
  // Hits and misses alike: whoever goes on to the end has kept the distance all the way.
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge}) {
    int misses = 0;
    for (int id = 0; id < 5000; ++id) {
      Quad start, end;
      for (int k = 0; k < 12; ++k) {
        start.data()[k] = random_unit(21, id, k);
        end.data()[k] = start.data()[k] + 2 * random_unit(22, id, k) - 1;
      }
      const double time = time_of_impact(kind, start, end);
      const Real kept = Real(0.1) * reference::distance(kind, start);
      misses += time == 1;
      for (int k = 0; k <= 40; ++k)
        EXPECT_GE(reference::distance(kind, reference::at(start, end, time * k / 40)), kept * (1 - 1e-9L));
    }
    EXPECT_GT(misses, 1000);
    EXPECT_LT(misses, 4900);
  }
}

TEST(TimeOfImpactOf, TheSameMotionFarAwayIsTheSame) {
  // Coordinates on a grid of 2⁻³⁰, so that shifting them by thousands is exact.
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
    for (int id = 0; id < 2000; ++id) {
      Quad start, end;
      for (int k = 0; k < 12; ++k) {
        start.data()[k] = std::round(random_unit(31, id, k) * 0x1p30) * 0x1p-30;
        end.data()[k] = std::round(random_unit(32, id, k) * 0x1p30) * 0x1p-30;
      }
      const Vec3 there(4096, -2048, 1024), motion(-512, 8192, 64);
      EXPECT_EQ(time_of_impact(kind, shifted(start, there), shifted(end, there)),
                time_of_impact(kind, start, end));
      // Also when all move on together.
      EXPECT_EQ(time_of_impact(kind, start, shifted(end, motion)), time_of_impact(kind, start, end));
    }
}

// No square of a length may over- or underflow on the way: a power of two changes nothing.
TEST(TimeOfImpactAtAnyScale, IsTheSame) {
  Quad point, edges;
  point << 0.2, 0, 1, 0,  //
      0.3, 0, 0, 1,       //
      0.5, 0, 0.1, 0;
  edges << -1, 1, 0, 0,  //
      0, 0, -1, 1,       //
      0.5, 0.6, 0, 0.1;
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge, PairKind::point_plane}) {
    const Quad start = kind == PairKind::edge_edge ? edges : point;
    Quad end = start;
    end(2, 0) -= 0.9;
    end(2, 1) -= kind == PairKind::edge_edge ? 0.9 : 0;
    end(2, 3) = 0.2;
    const double time = time_of_impact(kind, start, end);
    ASSERT_GT(time, 0);
    ASSERT_LT(time, 1);
    for (const int power : {-1000, -600, -300, -231, -120, 120, 300, 501, 1000}) {
      const double scale = std::ldexp(1, power);
      EXPECT_EQ(time_of_impact(kind, scale * start, scale * end), time) << power;
      EXPECT_EQ(time_of_impact(kind, scale * start, scale * start), 1) << power;
    }
    const double most = std::numeric_limits<double>::max();
    EXPECT_EQ(time_of_impact(kind, -most * start, most * end), 0) << "differences are infinite: stop";
    end(0, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(time_of_impact(kind, start, end), 0);
  }
}

}  // namespace
}  // namespace muslin
