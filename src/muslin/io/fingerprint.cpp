#include "muslin/io/fingerprint.h"

#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "muslin/energy/energies.h"
#include "muslin/io/scene_tree.h"
#include "muslin/io/sha256.h"

namespace muslin {

namespace {

/// The sum of the sums of arrays, each hashed where it lies in memory.
class Sums {
 public:
  template <class Number>
  void add(const Number* numbers, std::size_t count) {
    static_assert(std::is_arithmetic_v<Number>);
    text_ += sha256({reinterpret_cast<const char*>(numbers), count * sizeof(Number)});
  }
  template <class Matrix>
  void add_matrix(const Matrix& matrix) {
    add(matrix.data(), static_cast<std::size_t>(matrix.size()));
  }
  template <class Vertices>
  void add_stencils(const std::vector<Vertices>& stencils) {
    constexpr std::size_t n = std::tuple_size_v<Vertices>;
    static_assert(sizeof(Vertices) == n * sizeof(int));
    add(stencils.empty() ? nullptr : stencils[0].data(), n * stencils.size());
  }
  std::string digits() const { return sha256(text_); }

 private:
  std::string text_;
};

void add_pins(const std::vector<PinnedVertex>& pins, Sums& sums) {
  std::vector<double> numbers;
  for (const PinnedVertex& pin : pins) {
    numbers.push_back(pin.vertex);
    numbers.push_back(pin.motion);
    numbers.insert(numbers.end(), {pin.fixed.x(), pin.fixed.y(), pin.fixed.z()});
    numbers.insert(numbers.end(), {pin.place.x(), pin.place.y(), pin.place.z()});
  }
  sums.add(numbers.data(), numbers.size());
}

// What else pins do follows from these, the colliders and the numbers of the scene.
void add_pins(const Model& model, Sums& sums) {
  add_pins(model.script.pins, sums);
  for (const auto* pins : {&model.script.pulled, &model.late_pins})
    if (!pins->empty()) add_pins(*pins, sums);
}

// Elements by their vertices and stiffness; their rest shapes by the forces that they have at the start.
void add_elements(const Model& model, const Points& start, Sums& sums) {
  std::vector<double> stiffness;
  model.energies.each([&](const auto& energy) {
    // States that were saved before there were energies from outside, and stitches, still fit.
    const bool is_later = energy.kName == StoredCustomEnergy::kName || energy.kName == StitchEnergy::kName;
    if (is_later && energy.size() == 0) return;
    sums.add_stencils(energy.elements().vertices);
    for (int e = 0; e < energy.size(); ++e)
      for (const double weight : energy[e].majorant().diagonal().eval()) stiffness.push_back(weight);
  });
  sums.add(stiffness.data(), stiffness.size());
  Scratch scratch;
  Points forces = Points::Zero(3, start.cols());
  add_elastic_gradient(model.energies, start, scratch, forces);
  sums.add_matrix(forces);
}

std::string sum_of_shapes(const Model& model, const Points& start) {
  Sums sums;
  std::vector<int> numbering;
  for (int v = 0; v < model.user_vertex_count(); ++v) numbering.push_back(model.vertex_numbers.to_model(v));
  sums.add(numbering.data(), numbering.size());
  sums.add_matrix(start);
  sums.add_matrix(model.start_velocity);
  sums.add_matrix(model.mass);
  sums.add_matrix(model.half_thickness);
  sums.add_stencils(model.triangles);
  sums.add_stencils(model.edges);
  sums.add(model.edge_length.data(), model.edge_length.size());
  add_elements(model, start, sums);
  add_pins(model, sums);
  if (model.friction.size() > 0) sums.add_matrix(model.friction);
  for (const Collider& collider : model.colliders) {
    if (!collider.mesh || !collider.mesh->mesh) continue;
    sums.add_matrix(collider.mesh->mesh->positions);
    sums.add_stencils(collider.mesh->mesh->triangles);
    if (!collider.frames || !collider.frames->shapes) continue;
    for (const Points& shape : *collider.frames->shapes) sums.add_matrix(shape);
  }
  return sums.digits();
}

void drop(Json& tree, std::initializer_list<const char*> keys) {
  for (const char* key : keys) tree.erase(key);
}

std::string sum_of(const Json& tree) {
  return sha256(tree.dump(-1, ' ', false, Json::error_handler_t::replace));  // words may be no UTF-8
}

std::string sum_of_solver(const SolverSettings& settings) {
  Json tree = to_tree(settings);
  for (const std::string_view family : kFamilies)
    if (family != settings.family) tree.erase(std::string(family));
  return sum_of(tree);
}

std::string sum_of_numbers(const Scene& scene) {
  Json tree = to_tree(scene);
  drop(tree, {"name", "frames", "background", "solver"});
  for (Json& cloth : tree["cloths"]) {
    drop(cloth, {"name", "colour"});
    if (cloth["regions"].empty()) drop(cloth, {"regions"});  // as before there were any
    if (cloth.contains("pattern")) drop(cloth["pattern"], {"file"});
    if (cloth.contains("mesh")) drop(cloth["mesh"], {"file", "rest_mesh", "object"});
  }
  for (Json& collider : tree["colliders"]) {
    drop(collider, {"name", "colour"});
    for (const char* part : {"mesh", "frames"})
      if (collider.contains(part)) drop(collider[part], {"file"});
  }
  return sum_of(tree);
}

}  // namespace

Fingerprint fingerprint_of(const Scene& scene, const Model& model, const Points& start) {
  return {sum_of_shapes(model, start), sum_of_numbers(scene), sum_of_solver(scene.solver)};
}

std::string describe_difference(const Fingerprint& found, const Fingerprint& expected) {
  std::string parts;
  const auto add = [&](const char* part, const std::string& a, const std::string& b) {
    if (a != b) parts += (parts.empty() ? "" : ", and ") + std::string(part);
  };
  add("meshes, masses, elements or pins are others", found.shapes, expected.shapes);
  add("numbers of the scene are others", found.numbers, expected.numbers);
  add("settings of the solver are others", found.solver, expected.solver);
  return parts;
}

}  // namespace muslin
