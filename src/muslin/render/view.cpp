#include "muslin/render/view.h"

#include <algorithm>
#include <cmath>

#include "muslin/render/drawable.h"

namespace muslin {

std::vector<PosedCollider> pose_all(const std::vector<Collider>& colliders, double time) {
  std::vector<PosedCollider> posed;
  for (const Collider& collider : colliders) posed.push_back({collider, pose_at(collider, time)});
  return posed;
}

Stage make_stage(const Model& model, const State& state) {
  std::vector<int> piece(state.positions.cols(), 0);
  for (int c = 0; c < static_cast<int>(model.cloths.size()); ++c)
    std::fill_n(piece.begin() + model.cloths[c].first_vertex, model.cloths[c].vertex_count, c);
  return {state.positions, model.triangles, model.uv, piece, pose_all(model.colliders, state.time), {}};
}

Box bounds(const Stage& stage) {
  Box box;
  for (int v = 0; v < stage.positions.cols(); ++v) box.extend(Vec3(stage.positions.col(v)));
  for (const PosedCollider& posed : stage.colliders)
    for (const DrawVertex& vertex : solid_drawable(posed, 0).vertices)
      box.extend(Vec3(vertex.position.cast<double>()));
  return box;
}

Camera frame_all(const Box& box, double aspect) {
  constexpr double kAzimuth = 28, kElevation = 20, kMargin = 1.1, kDegree = M_PI / 180;
  Camera camera;
  if (box.isEmpty()) return camera;

  const Vec3 size = box.sizes().cwiseMax(1e-3 * std::max(box.diagonal().norm(), 1e-3));
  const double azimuth = (size.x() >= 0.8 * size.z() ? kAzimuth : 90 - kAzimuth) * kDegree;
  const double elevation = kElevation * kDegree;
  const Vec3 back(std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                  std::cos(azimuth) * std::cos(elevation));
  const Vec3 right = Vec3::UnitY().cross(back).normalized();
  const Vec3 up = back.cross(right);
  const double slope_y = std::tan(camera.field_of_view * kDegree / 2) / kMargin;
  const double slope_x = slope_y * aspect;

  double distance = 0;  // the nearest from which every corner is inside the picture
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 side(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5);
    const Vec3 offset = side.cwiseProduct(size);
    const double across = std::max(std::abs(offset.dot(right)) / slope_x, std::abs(offset.dot(up)) / slope_y);
    distance = std::max(distance, across + offset.dot(back));
  }
  camera.target = box.center();
  camera.eye = camera.target + distance * back;
  return camera;
}

}  // namespace muslin
