#include "muslin/render/view.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "muslin/contact/gap.h"
#include "muslin/contact/scene_surfaces.h"
#include "muslin/model/measure.h"
#include "muslin/render/drawable.h"

namespace muslin {

Stage make_stage(const Model& model, const Controls& controls, const State& state) {
  std::vector<int> piece(state.positions.cols(), 0);
  for (int c = 0; c < static_cast<int>(model.cloths.size()); ++c)
    std::fill_n(piece.begin() + model.cloths[c].first_vertex, model.cloths[c].vertex_count, c);
  std::vector<PosedCollider> colliders;
  const PlacedColliders placed = placed_in(model, controls, state);
  for (size_t c = 0; c < model.colliders.size(); ++c)
    if (model.colliders[c].enabled)
      colliders.push_back({model.colliders[c], placed.poses[c], placed.shapes[c]});
  return {state.positions, model.triangles, model.uv, piece, colliders, {}};
}

namespace {

// 1, 2 or 5 times a power of ten, not below x > 0.
double round_up(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double step : {1.0, 2.0, 5.0})
    if (x <= step * power * (1 + 1e-9)) return step * power;
  return 10 * power;
}

}  // namespace

bool shows(const Look& look, SpringClass kind) {
  switch (kind) {
    case SpringClass::structural:
      return look.structural;
    case SpringClass::shear:
      return look.shear;
    case SpringClass::bend:
      break;
  }
  return look.bend;
}

Stage make_stage(const Model& model, const Controls& controls, const State& state, const Look& look) {
  Stage stage = make_stage(model, controls, state);
  const SpringEnergy& springs = model.energies.springs;
  for (int s = 0; s < springs.size(); ++s)
    if (const SpringClass kind = springs[s].shape.kind; shows(look, kind))
      stage.springs.push_back({springs.vertices(s), kind});
  for (const PinnedVertex& pin : controls.pins) stage.marked.push_back(pin.vertex);
  std::sort(stage.marked.begin(), stage.marked.end());
  stage.marked.erase(std::unique(stage.marked.begin(), stage.marked.end()), stage.marked.end());
  stage.heat = measure_heat(model, controls, state, look);
  return stage;
}

HeatMap measure_heat(const Model& model, const Controls& controls, const State& state, const Look& look) {
  constexpr double kPercent = 100, kMillimetres = 1000, kNear = 0.02;  // of the cloth's size
  HeatMap heat;
  double least = 1;  // of the upper end
  switch (look.heat) {
    case Heat::none:
      return heat;
    case Heat::difference:
      return {"difference", "mm", {}, 0, 1};
    case Heat::strain:
      heat = {"strain", "%", kPercent * principal_strain(model, state.positions), 0, 1};
      least = 0.1;
      break;
    case Heat::speed:
      heat = {"speed", "m/s", speed(state.velocities), 0, 1};
      least = 0.1;
      break;
    case Heat::bending:
      heat = {"bending", "J/m²", bending_density(model, state.positions), 0, 1};
      least = 1e-6;
      break;
    case Heat::contact: {
      const Box box(model.start.rowwise().minCoeff(), model.start.rowwise().maxCoeff());
      const double near = round_up(kMillimetres * kNear * std::max(box.diagonal().norm(), 1e-3));
      heat = {"gap", "mm", kMillimetres * measure_gaps(model, controls, state), 0, near};
      heat.low = look.heat_low.value_or(heat.low);
      heat.high = look.heat_high.value_or(heat.high);
      return heat;
    }
  }
  set_ends(look, least, heat);
  return heat;
}

void set_ends(const Look& look, double least, HeatMap& heat) {
  constexpr double kExceeding = 0.01;  // of the values
  std::vector<double> values;
  std::copy_if(heat.values.begin(), heat.values.end(), std::back_inserter(values),
               [](double value) { return std::isfinite(value); });
  double high = least;
  if (!values.empty()) {
    const auto rank = values.end() - 1 - static_cast<std::ptrdiff_t>(kExceeding * double(values.size()));
    std::nth_element(values.begin(), rank, values.end());
    high = std::max(high, *rank);
  }
  heat.low = look.heat_low.value_or(0);
  heat.high = look.heat_high.value_or(round_up(high));
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
