#include "scene_form.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "muslin/core/check.h"
#include "muslin/geometry/distance.h"
#include "muslin/io/scene_text.h"
#include "muslin/io/viewer_variant.h"
#include "muslin/model/pieces.h"
#include "muslin/model/same_fields.h"

using namespace muslin;

namespace {

/// Whether numbers of vertices mean the same in both.
bool has_same_vertices(const Cloth& a, const Cloth& b) {
  if (a.mesh.has_value() != b.mesh.has_value()) return false;
  return a.mesh ? same(a.mesh, b.mesh) : same(a.grid->points, b.grid->points);
}

void renumber(Pin& pin, const Cloth& from, const Cloth& to) {
  if (!pin.vertices.empty() && !has_same_vertices(from, to))
    pin.vertices = same_places(from, to, pin.vertices);
}

/// Pins of the text as this form's scene has them; those that are the same there keep the text's numbers.
Scene in_terms_of_file(const SceneForm& form, Scene scene) {
  if (scene.cloths.size() != form.written.cloths.size()) return scene;
  for (size_t c = 0; c < scene.cloths.size(); ++c) {
    const Cloth &written = form.written.cloths[c], &read = form.scene.cloths[c];
    const Cloth shown = scene.cloths[c];
    for (size_t k = 0; k < shown.pins.size(); ++k) {
      Pin& pin = scene.cloths[c].pins[k];
      if (k < read.pins.size() && k < written.pins.size() && same(pin.vertices, read.pins[k].vertices))
        pin.vertices = written.pins[k].vertices;
      else
        renumber(pin, shown, written);
    }
  }
  return scene;
}

/// Whether overrides say which vertices a pin holds.
bool say_pin(const std::vector<Override>& overrides, size_t cloth, size_t pin) {
  const std::string own = "cloths/" + std::to_string(cloth) + "/pins/" + std::to_string(pin) + "/vertices";
  return std::any_of(overrides.begin(), overrides.end(), [&](const Override& override) {
    const std::string path = override.first.substr(override.first.starts_with("/") ? 1 : 0);
    return path == own || own.starts_with(path + "/");
  });
}

// What makes the viewer's form of a scene: its variant; and where that says nothing of the solver, and a run
// has quasi-Newton as it comes, its preset for the hand that pulls.
std::vector<Override> for_viewer(const std::string& text, const std::string& path, const Scene& written) {
  std::vector<Override> variant = viewer_variant_of(text, path);
  const bool says_solver = std::any_of(variant.begin(), variant.end(), [](const Override& override) {
    return override.first.starts_with("solver") || override.first.starts_with("/solver");
  });
  if (!says_solver && written.solver.family == "quasi_newton" &&
      same(written.solver.quasi_newton, QuasiNewtonSettings()))
    variant.emplace_back("/solver/quasi_newton/preset", "\"interactive\"");
  return variant;
}

std::string folder_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace

std::vector<int> same_places(const Cloth& from, const Cloth& to, const std::vector<int>& vertices) {
  constexpr double kRounding = 1e-6;  // of barycentric weights
  const Mesh a = placed_mesh(from), b = placed_mesh(to);
  const std::set<int> held(vertices.begin(), vertices.end());
  std::vector<Stencil<3>> near;  // the triangles about held vertices
  for (const Stencil<3>& triangle : a.triangles)
    if (std::any_of(triangle.begin(), triangle.end(), [&](int v) { return held.count(v) > 0; }))
      near.push_back(triangle);

  // 1. What lies between held vertices
  std::set<int> found;
  for (int v = 0; v < b.vertex_count(); ++v) {
    double least = kInfinity;
    bool between = false;
    for (const Stencil<3>& triangle : near) {
      Quad places;
      places << b.positions.col(v), a.positions.col(triangle[0]), a.positions.col(triangle[1]),
          a.positions.col(triangle[2]);
      const Closest closest = closest_points(PairKind::point_triangle, places);
      if (closest.distance >= least) continue;
      least = closest.distance;
      between = true;
      for (int k = 0; k < 3; ++k)
        between &= -closest.weight[k + 1] < kRounding || held.count(triangle[k]) > 0;
    }
    if (between) found.insert(v);
  }

  // 2. No pin is lost
  for (const int v : vertices) {
    Eigen::Index nearest = 0;
    (b.positions.colwise() - a.positions.col(v)).colwise().squaredNorm().minCoeff(&nearest);
    found.insert(static_cast<int>(nearest));
  }
  return {found.begin(), found.end()};
}

SceneForm read_form(const std::string& text, const std::string& path, bool as_written) {
  SceneForm form;
  form.path = path;
  form.written = form.scene = parse_scene(text, path, folder_of(path));
  const std::vector<Override> variant = for_viewer(text, path, form.written);
  form.has_variant = !variant.empty();
  if (as_written || variant.empty()) return form;
  form.overrides = variant;

  // Its mesh may not have the numbers that pins name: those are found by their places
  std::vector<Override> overrides = variant;
  for (size_t c = 0; c < form.written.cloths.size(); ++c)
    for (size_t k = 0; k < form.written.cloths[c].pins.size(); ++k)
      if (!form.written.cloths[c].pins[k].vertices.empty() && !say_pin(variant, c, k))
        overrides.emplace_back("/cloths/" + std::to_string(c) + "/pins/" + std::to_string(k) + "/vertices",
                               "[0]");
  form.scene = parse_scene(text, path, folder_of(path), overrides);
  for (size_t c = 0; c < form.written.cloths.size() && c < form.scene.cloths.size(); ++c) {
    const Cloth& written = form.written.cloths[c];
    Cloth& shown = form.scene.cloths[c];
    for (size_t k = 0; k < written.pins.size() && k < shown.pins.size(); ++k) {
      if (written.pins[k].vertices.empty() || say_pin(variant, c, k)) continue;
      shown.pins[k].vertices = written.pins[k].vertices;
      renumber(shown.pins[k], written, shown);
    }
  }
  return form;
}

std::string edited_text(const SceneForm& form, const std::string& text, const Scene& scene) {
  const std::string edited =
      change_scene_text(text, form.path, in_terms_of_file(form, form.scene), in_terms_of_file(form, scene));
  // What is shown are places of pins, which come back as they were but for those between vertices of the file
  Scene again = read_form(edited, form.path, form.overrides.empty()).scene, wanted = scene;
  if (!form.overrides.empty())
    for (size_t c = 0; c < std::min(again.cloths.size(), wanted.cloths.size()); ++c)
      for (size_t k = 0; k < std::min(again.cloths[c].pins.size(), wanted.cloths[c].pins.size()); ++k)
        again.cloths[c].pins[k].vertices = wanted.cloths[c].pins[k].vertices;
  if (!same(again, wanted))
    throw Error(ErrorKind::invalid,
                form.path + ": cannot say these changes; something else there overrides them");
  return edited;
}

SceneForm other_form(const SceneForm& form, const std::string& text, const Scene& scene, Scene& changed,
                     std::string& left_behind) {
  const bool as_written = !form.overrides.empty();
  SceneForm other = read_form(text, form.path, as_written);
  try {
    changed = read_form(edited_text(form, text, scene), form.path, as_written).scene;
  } catch (const Error& error) {
    left_behind = error.what();
    changed = other.scene;
    for (size_t c = 0; c < std::min(changed.cloths.size(), scene.cloths.size()); ++c) {
      const std::vector<Pin>& pins = scene.cloths[c].pins;
      for (size_t k = form.scene.cloths[c].pins.size(); k < pins.size(); ++k) {
        changed.cloths[c].pins.push_back(pins[k]);
        renumber(changed.cloths[c].pins.back(), scene.cloths[c], changed.cloths[c]);
      }
    }
  }
  return other;
}
