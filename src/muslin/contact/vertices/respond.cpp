#include "muslin/contact/vertices/respond.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "muslin/contact/vertices/gap.h"
#include "muslin/core/parallel.h"
#include "muslin/model/collider_shape.h"

namespace muslin {

namespace {

// Where a place fixed to the collider comes to by the end of the step: not a bit away where nothing moves.
Vec3 carried_along(const Pose& start, const Pose& end, const Vec3& place) {
  const Vec3 local = start.rotation.transpose() * (place - start.translation);
  return place + (end.rotation - start.rotation) * local + (end.translation - start.translation);
}

// Coulomb: out along the normal by the depth, and back along the slip by at most friction · depth. The slip
// is the vertex's tangential motion relative to the collider's surface.
std::optional<Vec3> coulomb(const Collider&, const PosedSurface& surface, const SurfacePoint& nearest,
                            const Pose& start, const Pose& end, const Vec3& x_start, const Vec3& x,
                            double offset, double friction) {
  const auto& [distance, n] = nearest;
  const double depth = offset - distance;
  if (!(depth > 0)) return {};
  const Vec3 out = x + depth * n;
  Vec3 motion = (out - x_start) - (out - carried(end, start, out));
  if (surface.deforms()) motion -= surface.deformation(out);
  const Vec3 slip = motion - motion.dot(n) * n;
  const double length = slip.norm();
  if (length == 0) return out;
  return out - std::min(1.0, friction * depth / length) * slip;
}

// CS184: towards the surface point below x, by 1 − friction of the way from the last position, as the moving
// collider carried it. A plane acts when the path crosses it, and its target lies 0.1 mm on the side the
// vertex came from.
std::optional<Vec3> cs184(const Collider& collider, const PosedSurface& surface, const SurfacePoint& nearest,
                          const Pose& start, const Pose& end, const Vec3& x_start, const Vec3& x,
                          double offset, double friction) {
  constexpr double kSurfaceOffset = 1e-4;  // [m] SURFACE_OFFSET of the course
  Vec3 from = carried_along(start, end, x_start);
  if (surface.deforms()) from += surface.deformation(x);
  const auto& [distance, n] = nearest;
  Vec3 target = x + (offset - distance) * n;
  if (collider.shape == Shape::plane) {
    const double before = surface.at(from).distance - offset, now = distance - offset;
    if ((before >= 0) == (now >= 0)) return {};
    target += (before >= 0 ? kSurfaceOffset : -kSurfaceOffset) * n;
  } else if (distance > offset) {
    return {};
  }
  return from + (1 - friction) * (target - from);
}

// A plane of CS184 acts on what crossed it, wherever that is now.
bool acts_from_afar(const Collider& collider) {
  return collider.shape == Shape::plane && collider.friction_law == FrictionLaw::cs184;
}

// Pushes one vertex out of every collider; whether any met it.
bool push_out_vertex(const Model& model, const Input& input, ColliderProbes& probes, const Vec3& x_start,
                     int v, Points& positions) {
  bool touched = false;
  for (int c = 0; c < probes.count(); ++c) {
    const Collider& collider = model.colliders[c];
    const Pose &start = input.collider_start[c], &end = input.collider_end[c];
    const double offset = collider.margin + model.half_thickness[v];
    const Vec3 x = positions.col(v);
    if (probes.is_farther(c, v, x, offset) && !acts_from_afar(collider)) continue;
    const SurfacePoint nearest = probes.at(c, v, x);
    const auto& law = collider.friction_law == FrictionLaw::coulomb ? coulomb : cs184;
    const std::optional<Vec3> corrected =
        law(collider, probes[c], nearest, start, end, x_start, x, offset, friction_of(model, collider, v));
    if (!corrected) continue;
    touched = true;
    positions.col(v) += input.controls->free.col(v).cwiseProduct(*corrected - x);
  }
  return touched;
}

}  // namespace

ContactReport push_out(const Model& model, const Input& input, const Points& start, ColliderProbes& probes,
                       Points& positions) {
  ContactReport report;
  if (model.colliders.empty()) return report;
  report.touched.assign(model.vertex_count(), 0);
  probes.begin(model, input);
  parallel_for(model.vertex_count(), [&](int v) {
    report.touched[v] = push_out_vertex(model, input, probes, start.col(v), v, positions);
  });
  report.contacts = static_cast<int>(std::count(report.touched.begin(), report.touched.end(), 1));
  return report;
}

// Looks at the shapes where a vertex may be nearer than those before it in its chunk.
double least_gap(const Model& model, const Input& input, ColliderProbes& probes, const Points& positions) {
  constexpr int kChunk = 256;
  const int n = model.vertex_count(), chunks = (n + kChunk - 1) / kChunk;
  probes.begin(model, input);
  std::vector<double> gaps(chunks, kInfinity);
  parallel_for(
      chunks,
      [&](int chunk) {
        double& least = gaps[chunk];
        for (int v = chunk * kChunk; v < std::min(n, (chunk + 1) * kChunk); ++v)
          for (int c = 0; c < probes.count(); ++c) {
            const double kept = model.colliders[c].margin + model.half_thickness[v];
            if (probes.is_farther(c, v, positions.col(v), kept + least)) continue;
            const double distance = probes.at(c, v, positions.col(v)).distance;
            least = std::min(least, distance - model.colliders[c].margin - model.half_thickness[v]);
          }
      },
      1);
  return *std::min_element(gaps.begin(), gaps.end());
}

int push_apart(const Model& model, const Points& free, Neighbours& neighbours, Points& positions) {
  if (model.self_distance == 0 || !positions.allFinite()) return 0;
  neighbours.update(model, positions);
  Points correction = Points::Zero(3, positions.cols());
  std::vector<char> moved(model.vertex_count(), 0);
  parallel_for(
      model.vertex_count(),
      [&](int i) {
        Vec3 sum = Vec3::Zero();
        int count = 0;
        const Vec3 place = positions.col(i);
        for (const auto& [vertex, wanted] : neighbours.of(i)) {
          const Vec3 apart = place - positions.col(vertex);
          const double squared = apart.squaredNorm();
          if (squared >= wanted * wanted || squared == 0) continue;
          sum += (wanted / std::sqrt(squared) - 1) * apart;
          ++count;
        }
        if (count == 0) return;
        correction.col(i) = model.self_collision.relaxation / count * sum;
        moved[i] = 1;
      },
      256);
  positions += free.cwiseProduct(correction);
  return static_cast<int>(std::count(moved.begin(), moved.end(), 1));
}

}  // namespace muslin
