#include "muslin/compare/compare_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "muslin/compare/compare_json.h"
#include "muslin/compare/headline.h"
#include "muslin/compare/page_parts.h"
#include "muslin/model/collider_shape.h"
#include "muslin/model/motion.h"
#include "muslin/page/page.h"
#include "muslin/solver/methods.h"
#include "muslin/version.h"

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kDigits = 6;
constexpr double kFinest =
    1e-4;                      // [m] what positions in pictures are rounded to, unless the cloth is too large
constexpr int kSteps = 32767;  // of them, in each direction from the origin

/// Positions as 16-bit steps from an origin: what lies beyond is put on the border.
struct Lattice {
  Vec3 origin = Vec3::Zero();
  double step = kFinest;

  std::string encode(const std::vector<Points>& pictures) const {
    std::vector<unsigned char> bytes;
    for (const Points& points : pictures)
      for (int v = 0; v < points.cols(); ++v)
        for (int axis = 0; axis < 3; ++axis) {
          const double steps = (points(axis, v) - origin[axis]) / step;
          const double safe = std::isfinite(steps) ? std::clamp(steps, -1.0 * kSteps, 1.0 * kSteps) : kSteps;
          const auto whole = static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(safe)));
          bytes.push_back(static_cast<unsigned char>(whole & 0xFF));
          bytes.push_back(static_cast<unsigned char>(whole >> 8));
        }
    return base64(bytes.data(), bytes.size());
  }
};

// Wide enough for the reference and for twice as much around it.
Lattice lattice_of(const std::vector<Points>& reference) {
  constexpr double kRoom = 3;
  Lattice lattice;
  if (reference.empty()) return lattice;
  Vec3 low = reference.front().rowwise().minCoeff(), high = reference.front().rowwise().maxCoeff();
  for (const Points& points : reference) {
    if (!points.allFinite()) continue;
    low = low.cwiseMin(points.rowwise().minCoeff());
    high = high.cwiseMax(points.rowwise().maxCoeff());
  }
  lattice.origin = (low + high) / 2;
  lattice.step = std::max(kFinest, kRoom / 2 * (high - low).maxCoeff() / kSteps);
  return lattice;
}

Json encode_mesh(const Mesh& mesh) {
  Json vertices = Json::array(), triangles = Json::array();
  for (const auto& p : mesh.positions.colwise()) vertices.push_back({p.x(), p.y(), p.z()});
  for (const auto& [a, b, c] : mesh.triangles) triangles.push_back({a, b, c});
  return {{"vertices", vertices}, {"triangles", triangles}};
}

Json encode_collider(const Collider& collider, const std::vector<int>& frames, double frame_time) {
  Json poses = Json::array();
  for (const int frame : frames) {
    const Pose pose = pose_at(collider, frame * frame_time);
    Json numbers = Json::array();
    for (int k = 0; k < 9; ++k) numbers.push_back(pose.rotation(k / 3, k % 3));
    for (int k = 0; k < 3; ++k) numbers.push_back(pose.translation[k]);
    poses.push_back(numbers);
  }
  const Vec3& size = collider.size;
  Json json{{"shape", std::string(name_of(collider.shape))},
            {"radius", collider.radius},
            {"length", collider.length},
            {"size", {size.x(), size.y(), size.z()}},
            {"poses", poses}};
  constexpr Shape kDrawnByPage[] = {Shape::sphere, Shape::plane, Shape::box, Shape::capsule, Shape::cylinder};
  if (std::count(std::begin(kDrawnByPage), std::end(kDrawnByPage), collider.shape) == 0)
    json["mesh"] = encode_mesh(shape_of(collider).mesh(collider, collider.radius / 8, 48));
  return json;
}

std::string pictures_json(const Comparison& comparison) {
  const PictureMesh& mesh = comparison.pictures;
  const Lattice lattice = lattice_of(comparison.reference.pictures);
  Json triangles = Json::array(), colliders = Json::array(), positions;
  for (const Stencil<3>& t : mesh.triangles)
    for (const int v : t) triangles.push_back(v);
  for (const Collider& collider : comparison.scene.colliders)
    if (collider.enabled)
      colliders.push_back(encode_collider(collider, mesh.frames, comparison.scene.frame_time));
  positions[comparison.reference.name] = lattice.encode(comparison.reference.pictures);
  for (const SolverRecord& record : comparison.solvers)
    positions[record.name] = lattice.encode(record.pictures);
  const Vec3& g = comparison.scene.gravity;
  const Json document{{"vertices", mesh.vertices.size()},
                      {"triangles", triangles},
                      {"frames", mesh.frames},
                      {"left_out_vertices", mesh.left_out_vertices},
                      {"left_out_frames", mesh.left_out_frames},
                      {"origin", {lattice.origin.x(), lattice.origin.y(), lattice.origin.z()}},
                      {"step", lattice.step},
                      {"gravity", {g.x(), g.y(), g.z()}},
                      {"colliders", colliders},
                      {"positions", positions}};
  return document.dump();
}

// The colours of page.css for light paper or dark, from the table of methods.
std::string colours(std::string_view Stroke::*ink) {
  std::string css;
  for (const Method& method : methods()) css += fmt::format(" --s-{}: {};", method.name, method.stroke.*ink);
  return css;
}

std::string dashes_json() {
  Json dashes = Json::object();
  for (const Method& method : methods()) dashes[std::string(method.name)] = std::string(method.stroke.dash);
  return dashes.dump();
}

}  // namespace

std::string compare_page(const Comparison& comparison) {
  const Headline head = headline(comparison);
  return filled_page(kComparePage, {{"scene", html_escaped(comparison.scene.name)},
                                    {"title", html_escaped(with_firm_spaces(head.title))},
                                    {"below", html_escaped(with_firm_spaces(head.below))},
                                    {"version", html_escaped(version())},
                                    {"style", std::string(kPageStyle)},
                                    {"colours", colours(&Stroke::on_light)},
                                    {"dark_colours", colours(&Stroke::on_dark)},
                                    {"dashes", script_escaped(dashes_json())},
                                    {"data", script_escaped(compare_json(comparison, kDigits))},
                                    {"pictures", script_escaped(pictures_json(comparison))},
                                    {"script", fmt::format("{}{}", kPageScript, kCompareScript)}});
}

}  // namespace muslin
