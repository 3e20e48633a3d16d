#include "muslin/geometry/ccd.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "muslin/core/random.h"
#include "property/long_double_distance.h"

// Motions that are made backwards from a contact: two points of the sides coincide at a chosen time, velocities
// carry all vertices before and after it. No time of impact may be later than that, and none may be zero.

namespace muslin {
namespace {

using reference::Real;

// --- how contacts are made -------------------------------------------------------------------------

struct Family {
  std::string name;
  PairKind kind;
  double thinness = 1;  // least height of the triangle, or least angle of the edges
  double offset = 0;    // [m] coordinates are that far from the origin
  bool grazing = false;  // the sides slide along each other
  bool touching = false;  // the motion begins just before contact
};

std::vector<Family> all_families() {
  std::vector<Family> families;
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge}) {
    const std::string name = kind == PairKind::point_triangle ? "point-triangle" : "edge-edge";
    families.push_back({name + ", any", kind});
    families.push_back({name + ", grazing", kind, 1, 0, true, false});
    families.push_back({name + ", touching start", kind, 1, 0, false, true});
    families.push_back({name + ", far away", kind, 1, 1e3, false, false});
    families.push_back({name + ", thin", kind, 1e-8, 0, false, false});
    families.push_back({name + ", thin, grazing", kind, 1e-8, 0, true, false});
    families.push_back({name + ", thin, far away", kind, 1e-8, 1e3, false, false});
  }
  families.push_back({"edge-edge, parallel", PairKind::edge_edge, 1e-16, 0, false, false});
  families.push_back({"edge-edge, parallel, grazing", PairKind::edge_edge, 1e-16, 0, true, false});
  families.push_back({"edge-edge, parallel, touching", PairKind::edge_edge, 1e-16, 0, false, true});
  return families;
}

struct Hit {
  Quad start, end;
  double time;  // of contact
};

/// Draws one contact of a family. Everything about it is decided by (seed, id).
struct Draw {
  std::uint64_t seed, id, count = 0;
  double unit() { return random_unit(seed, id, count++); }
  double between(double low, double high) { return low + (high - low) * unit(); }
  double scale(double low, double high) { return low * std::pow(high / low, unit()); }
  Vec3 vector() {
    const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
    return {x, y, z};
  }
  /// In [0, 1], often exactly an end: contacts at vertices are the hard ones.
  double weight() { return std::clamp(between(-0.3, 1.3), 0.0, 1.0); }
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

  // 2. Velocities: a common one, one against each other, and some for each vertex. Grazing sides move along the
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

struct Count {
  int hits = 0, late = 0, zero = 0, wasteful = 0;
};

int samples() {
  const char* wanted = std::getenv("MUSLIN_CCD_SAMPLES");
  return wanted ? std::atoi(wanted) : 200'000;
}

// The largest number in a motion: extents of both sides and of the ways relative to each other.
double extent(const Hit& hit) {
  const Vec3 drift = (hit.end - hit.start).rowwise().mean();
  const Quad ways = (hit.end - hit.start).colwise() - drift;
  return (hit.start.colwise() - Vec3(hit.start.col(0))).colwise().norm().maxCoeff() +
         ways.colwise().norm().maxCoeff();
}

class TimeOfImpact : public testing::TestWithParam<Family> {};

TEST_P(TimeOfImpact, IsNeverLateAndNeverZero) {
  const Family& family = GetParam();
  const Clearance clearance;
  Count count;
  for (int id = 0; id < samples(); ++id) {
    const Hit hit = any_hit(family, {17, static_cast<std::uint64_t>(id)});
    const Real initial = reference::distance(family.kind, hit.start);
    const Real contact = reference::distance(family.kind, reference::at(hit.start, hit.end, hit.time));
    // Rounding of the four ways moves the contact by some ulps of the coordinates; where the sides begin as near
    // as that, it may be none.
    if (initial < 1e-14 * extent(hit) || contact > Real(clearance.share / 2) * initial) continue;
    ++count.hits;
    const double time = time_of_impact(family.kind, hit.start, hit.end, clearance);
    count.late += !(time < hit.time);
    count.zero += !(time > 0);
    // Not later, but not much earlier than need be either.
    const Real left = reference::distance(family.kind, reference::at(hit.start, hit.end, time));
    count.late += left < Real(clearance.share) * initial * (1 - 1e-12L);
    count.wasteful += left > Real(clearance.share + 0.02) * initial + 1e-13 * extent(hit);
  }
  RecordProperty("hits", count.hits);
  EXPECT_GE(count.hits, 0.95 * samples());
  EXPECT_EQ(count.late, 0) << "of " << count.hits;
  EXPECT_EQ(count.zero, 0) << "of " << count.hits;
  EXPECT_EQ(count.wasteful, 0) << "of " << count.hits;
  printf("%s %d %d %d %d\n", family.name.c_str(), count.hits, count.late,count.zero,count.wasteful);
}

INSTANTIATE_TEST_SUITE_P(Families, TimeOfImpact, testing::ValuesIn(all_families()));

}  // namespace
}  // namespace muslin
