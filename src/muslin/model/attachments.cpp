#include "muslin/model/attachments.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "muslin/geometry/distance.h"
#include "muslin/model/pieces.h"
#include "muslin/model/pins.h"

namespace muslin {

namespace {

/// A string from a vertex to a point of a triangle, slack up to a length: E = ½ k (|r| − L)² beyond it, with
/// r = x₀ − Σ wᵢ xᵢ.
class Strings : public CustomEnergy {
 public:
  struct String {
    double stiffness;  ///< k [N/m]
    Vec3 weights;      ///< w, whose sum is 1
    double slack;      ///< L [m]
  };
  std::vector<String> strings;

  double value(int s, const ElementColumns& x) const override {
    const double stretch = std::max(0.0, (x * shares(s)).norm() - strings[s].slack);
    return 0.5 * strings[s].stiffness * stretch * stretch;
  }
  ElementColumns gradient(int s, const ElementColumns& x) const override {
    const Vec3 r = x * shares(s);
    const double length = r.norm(), stretch = length - strings[s].slack;
    if (!(stretch > 0)) return ElementColumns::Zero(3, 4);
    return strings[s].stiffness * stretch / length * r * shares(s).transpose();
  }
  // k [ r̂r̂ᵀ + (1 − L/|r|)(I − r̂r̂ᵀ) ] where it is taut: never negative
  ElementHessian hessian(int s, const ElementColumns& x) const override {
    const Vec3 r = x * shares(s);
    const double length = r.norm();
    ElementHessian h = ElementHessian::Zero(12, 12);
    if (!(length > strings[s].slack)) return h;
    const Vec3 along = r / length;
    const double across = 1 - strings[s].slack / length;
    const Mat3 block =
        strings[s].stiffness * (across * Mat3::Identity() + (1 - across) * along * along.transpose());
    const Eigen::Vector4d share = shares(s);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) h.block<3, 3>(3 * i, 3 * j) = share[i] * share[j] * block;
    return h;
  }
  ElementHessian hessian_psd(int s, const ElementColumns& x) const override { return hessian(s, x); }
  ElementPairs majorant(int s, const ElementColumns&) const override {
    return strings[s].stiffness * shares(s) * shares(s).transpose();
  }
  bool is_square() const override { return true; }

 private:
  Eigen::Vector4d shares(int s) const {
    const Vec3& w = strings[s].weights;
    return {1, -w[0], -w[1], -w[2]};
  }
};

/// A triangle of a cloth, and the point of it that is nearest to a place.
struct NearestTriangle {
  int triangle = -1;
  Closest closest{kInfinity, Vec3::UnitY(), Eigen::Vector4d::Zero()};
};

NearestTriangle nearest_of(const Model& model, int first_triangle, int count, const Vec3& place) {
  NearestTriangle nearest;
  for (int user = first_triangle; user < first_triangle + count; ++user) {
    const int t = model.triangle_numbers.to_model(user);
    Quad x;
    x.col(0) = place;
    for (int k = 0; k < 3; ++k) x.col(1 + k) = model.start.col(model.triangles[t][k]);
    const Closest closest = closest_points(PairKind::point_triangle, x);
    if (closest.distance < nearest.closest.distance) nearest = {t, closest};
  }
  return nearest;
}

int cloth_with(const Model& model, int vertex) {
  const auto holds = [&](const ClothRange& cloth) {
    return vertex < cloth.first_vertex + cloth.vertex_count;
  };
  return static_cast<int>(std::find_if(model.cloths.begin(), model.cloths.end(), holds) -
                          model.cloths.begin());
}

}  // namespace

void attach_to_cloths(const Scene& scene, Model& model) {
  const auto strings = std::make_shared<Strings>();
  std::vector<Stencil<4>> stencils;
  for (size_t c = 0; c < scene.cloths.size(); ++c) {
    const Cloth& cloth = scene.cloths[c];
    for (const Pin& pin : cloth.pins) {
      const auto is_named = [&](const auto& other) { return pin.follow && other.name == *pin.follow; };
      if (std::any_of(scene.colliders.begin(), scene.colliders.end(), is_named)) continue;
      const auto other = std::find_if(scene.cloths.begin(), scene.cloths.end(), is_named);
      if (other == scene.cloths.end()) continue;
      const WrittenMesh& to = model.written[other - scene.cloths.begin()];
      for (const int user : pinned_vertices(cloth, pin, placed_mesh(cloth))) {
        const int v = model.vertex_numbers.to_model(model.written[c].first_vertex + user);
        const auto [t, closest] = nearest_of(model, to.first_triangle, to.triangle_count, model.start.col(v));
        const auto& [i, j, k] = model.triangles[t];
        stencils.push_back({v, i, j, k});
        strings->strings.push_back({pin.strength.value_or(0), -closest.weight.tail<3>(), closest.distance});
        model.attached.push_back({v, cloth_with(model, i)});
      }
    }
  }
  for (int s = 0; s < std::ssize(stencils); ++s) {
    const ElementColumns start = gather(model.start, stencils[s]);
    model.energies.custom.add(stencils[s], 0, {strings, s, 4, strings->majorant(s, start)}, 1);
  }
  std::sort(model.attached.begin(), model.attached.end());
  model.attached.erase(std::unique(model.attached.begin(), model.attached.end()), model.attached.end());
}

}  // namespace muslin
