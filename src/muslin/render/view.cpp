#include "muslin/render/view.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/contact/vertices/posed_surface.h"
#include "muslin/model/measure.h"
#include "muslin/render/drawable.h"
#include "muslin/render/lighting.h"

namespace muslin {

Stage make_stage(const Model& model, const Controls& controls, const State& state) {
  std::vector<int> piece(state.positions.cols(), 0);
  for (int c = 0; c < static_cast<int>(model.cloths.size()); ++c)
    std::fill_n(piece.begin() + model.cloths[c].first_vertex, model.cloths[c].vertex_count, c);
  std::vector<PosedCollider> colliders;
  const PlacedColliders placed = placed_in(model, controls, state);
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c)
    if (model.colliders[c].enabled)
      colliders.push_back({model.colliders[c], placed.poses[c], placed.shapes[c], nullptr,
                           surface_in_shape(model, c, placed.shapes[c])});
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
      const Extent box(model.start.rowwise().minCoeff(), model.start.rowwise().maxCoeff());
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

Extent bounds(const Stage& stage) {
  Extent box;
  for (int v = 0; v < stage.positions.cols(); ++v) box.extend(Vec3(stage.positions.col(v)));
  for (const PosedCollider& posed : stage.colliders)
    for (const DrawVertex& vertex : solid_drawable(posed, 0).vertices)
      box.extend(Vec3(vertex.position.cast<double>()));
  return box;
}

namespace {

/// The height of the highest level floor that is not above `low` [m].
std::optional<double> floor_below(const Stage& stage, double low, double slack) {
  std::optional<double> height = stage.ground;
  for (const PosedCollider& posed : stage.colliders) {
    if (posed.collider.shape != Shape::plane || posed.pose.rotation.col(1).y() < kLevel) continue;
    const double its = posed.pose.translation.y();
    if (its <= low + slack && (!height || its > *height)) height = its;
  }
  return height;
}

/// A box as its corners.
Points corners_of(const Extent& box) {
  Points corners(3, 8);
  for (int k = 0; k < 8; ++k) corners.col(k) = box.corner(static_cast<Extent::CornerType>(k));
  return corners;
}

/// How the directions of a picture lie in the world.
struct Axes {
  Vec3 right, up, back;
};

Axes axes_for(const Vec3& size) {
  constexpr double kAzimuth = 28, kElevation = 20, kDegree = M_PI / 180;
  const double azimuth = (size.x() >= 0.8 * size.z() ? kAzimuth : 90 - kAzimuth) * kDegree;
  const double elevation = kElevation * kDegree;
  const Vec3 back(std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                  std::cos(azimuth) * std::cos(elevation));
  const Vec3 right = Vec3::UnitY().cross(back).normalized();
  return {right, back.cross(right), back};
}

Points columns(const std::vector<Vec3>& vectors) {
  Points points(3, static_cast<int>(vectors.size()));
  for (size_t k = 0; k < vectors.size(); ++k) points.col(static_cast<int>(k)) = vectors[k];
  return points;
}

/// Of points, those that reach farthest in many directions.
void add_farthest(const Points& points, std::vector<Vec3>& farthest) {
  constexpr int kBearings = 24, kLevels = 7;  // directions: 15° and a third of a radius apart
  if (points.cols() == 0) return;
  for (int j = 0; j < kLevels; ++j)
    for (int i = 0; i < kBearings; ++i) {
      const double height = -1 + 2.0 * j / (kLevels - 1), angle = 2 * M_PI * i / kBearings;
      const double across = std::sqrt(1 - height * height);
      const Vec3 way(across * std::cos(angle), height, across * std::sin(angle));
      Eigen::Index vertex = 0;
      (way.transpose() * points).maxCoeff(&vertex);
      farthest.push_back(points.col(vertex));
    }
}

/// How far points reach to both sides of a camera's axis, at which planes through the eye touch them: where
/// ±x + slope · z is largest, x to the side and z towards the camera.
struct Reach {
  double forth, back;

  double middle() const { return (forth - back) / 2; }
  /// Of an eye before the middle that has all points between planes of this slope.
  double distance(double slope) const { return (forth + back) / (2 * slope); }
  /// The place nearest to `wanted` of an axis from which all is within half a width.
  double nearest(double wanted, double half_width) const {
    const double least = std::min(forth - half_width, middle()), most = std::max(half_width - back, middle());
    return std::clamp(wanted, least, most);
  }
};

Reach reach(const Points& points, const Vec3& origin, const Vec3& side, const Vec3& back, double slope) {
  const Points offset = points.colwise() - origin;
  const Eigen::RowVectorXd x = side.transpose() * offset, z = back.transpose() * offset;
  return {(x + slope * z).maxCoeff(), (slope * z - x).maxCoeff()};
}

}  // namespace

Outline outline(const Stage& stage) {
  constexpr double kNear = 1;  // of the height of all: a floor farther below has its shadow for itself
  const Extent box = bounds(stage);
  if (box.isEmpty()) return {Points(3, 0), Points(3, 0)};
  std::vector<Vec3> points;
  for (int v = 0; v < stage.positions.cols(); ++v) points.push_back(stage.positions.col(v));
  for (const PosedCollider& posed : stage.colliders)
    for (const DrawVertex& vertex : solid_drawable(posed, 0).vertices)
      points.push_back(vertex.position.cast<double>());
  const Points things = columns(points);
  const double height = box.sizes().y();
  const auto floor = floor_below(stage, box.min().y(), 0.05 * height);
  if (!floor || box.min().y() - *floor >= kNear * height) return {things, Points(3, 0)};
  const Vec3 light = key_direction();
  return {things, things - light / light.y() * (things.row(1).array() - *floor).max(0).matrix()};
}

void Outlines::add(const Outline& outline) {
  add_farthest(outline.things, things_);
  add_farthest(outline.shadow, shadow_);
}

Outline Outlines::all() const { return {columns(things_), columns(shadow_)}; }

Camera frame_all(const Extent& box, double aspect) {
  return box.isEmpty() ? Camera() : frame_all(Outline{corners_of(box), Points(3, 0)}, aspect);
}

// What is beside a cover is in the middle of its part of the picture after a shear by depth, which moves all
// of a picture to the side.
Camera frame_all(const Outline& outline, double aspect, double covered) {
  constexpr double kMargin = 1.1, kDegree = M_PI / 180;
  Camera camera;
  if (outline.things.cols() == 0) return camera;
  Points points(3, outline.things.cols() + outline.shadow.cols());
  points << outline.things, outline.shadow;
  const Vec3 low = points.rowwise().minCoeff(), high = points.rowwise().maxCoeff();
  const double least = 1e-3 * std::max((high - low).norm(), 1e-3);
  const Axes axes = axes_for((high - low).cwiseMax(least));
  const double slope_y = std::tan(camera.field_of_view * kDegree / 2) / kMargin,
               slope_x = slope_y * aspect * (1 - covered);
  const double shear = covered * aspect * std::tan(camera.field_of_view * kDegree / 2);
  const Vec3 side = axes.right - shear * axes.back;

  const Vec3 middle = (low + high) / 2;
  const Reach across = reach(points, middle, side, axes.back, slope_x);
  const Reach upright = reach(points, middle, axes.up, axes.back, slope_y);
  const double nearest = (axes.back.transpose() * (points.colwise() - middle)).maxCoeff();
  const double distance = std::max({across.distance(slope_x), upright.distance(slope_y), nearest + least});
  const double x =
      across.nearest(reach(outline.things, middle, side, axes.back, slope_x).middle(), slope_x * distance) +
      shear * distance;
  const double y = upright.nearest(reach(outline.things, middle, axes.up, axes.back, slope_y).middle(),
                                   slope_y * distance);
  camera.target = middle + x * axes.right + y * axes.up;
  camera.eye = camera.target + distance * axes.back;
  return camera;
}

}  // namespace muslin
