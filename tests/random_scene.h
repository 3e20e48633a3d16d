#pragma once
#include <Eigen/Geometry>
#include <random>

#include "muslin/model/fabrics.h"
#include "muslin/model/scene.h"

// Scenes with a value of its own in every field, so far as readers take them together.

namespace muslin {

// Gives every field a random value within its range.
class Randomise {
 public:
  explicit Randomise(unsigned seed) : random_(seed) {}

  template <class T>
  void operator()(std::string_view, T& member, const FieldInfo& info) {
    set(member, info.range);
  }
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

 private:
  void set(bool& value, const Range&) { value = pick(2) == 1; }
  void set(int& value, const Range& range) {
    const double low = std::max(range.min, -1000.0), high = std::min(range.max, low + 2000);
    value = std::uniform_int_distribution<int>(static_cast<int>(low), static_cast<int>(high))(random_);
  }
  void set(std::uint64_t& value, const Range&) {
    value = std::uniform_int_distribution<std::uint64_t>()(random_);
  }
  void set(double& value, const Range& range) {
    const double low = std::max(range.min, -1e6), high = std::min(range.max, 1e6);
    do {
      value = std::uniform_real_distribution<double>(low, high)(random_);
      if (pick(2) == 0) value = std::max(low, value * std::pow(10, -pick(20)));
    } while (!range.contains(value));
  }
  void set(Colour& value, const Range&) {
    for (std::uint8_t* part : {&value.red, &value.green, &value.blue})
      *part = static_cast<std::uint8_t>(pick(256));
  }
  void set(std::string& value, const Range&) {
    const char* parts[] = {"a", "\"", "\\", "é", "日本", "/", " "};
    value.clear();
    for (int i = pick(8); i > 0; --i) value += parts[pick(7)];
  }
  template <class E>
  requires std::is_enum_v<E>
  void set(E& value, const Range&) {
    value = static_cast<E>(pick(static_cast<int>(EnumNames<E>::names.size())));
  }
  void set(Vec3& value, const Range& range) {
    for (double& component : value) set(component, range);
  }
  template <class T, size_t N>
  void set(std::array<T, N>& value, const Range& range) {
    for (T& component : value) set(component, range);
  }
  template <class T>
  void set(std::vector<T>& value, const Range& range) {
    value.assign(pick(4), T{});
    for (T& component : value) set(component, range);
  }
  template <class T>
  void set(std::optional<T>& value, const Range& range) {
    value.reset();
    if (pick(2) == 1) set(value.emplace(), range);
  }
  template <Described Struct>
  void set(Struct& value, const Range&) {
    Struct::fields(value, *this);
  }
  std::mt19937 random_;
};

// What hangs together in a scene: names differ, times increase, pins lie on their grid …
inline void mend_motion(Motion& motion, bool is_pin) {
  double time = 0;
  for (Keyframe& key : motion.keyframes) {
    key.time = time += 0.1;
    if (is_pin) key.rotation.setZero();
  }
}
inline void mend_part(ClothPart& part) {
  part.group.reset();
  part.material.reset();
  part.object.reset();
  part.box.reset();
  part.sphere.reset();
  part.uv_box.reset();
}
inline void mend_cloth(Cloth& cloth, int index, Randomise& random) {
  cloth.name += std::to_string(index);
  if (cloth.grid) cloth.mesh.reset();
  if (!cloth.grid && !cloth.mesh) cloth.mesh.emplace();
  if (cloth.mesh) {
    cloth.mesh->file = "mesh.obj";  // which names no objects, and nothing is the pattern of
    cloth.mesh->object.reset();
    cloth.mesh->rest_mesh.reset();
    cloth.mesh->merge = 0;
  }
  cloth.fabric.preset = fabrics()[random.pick(static_cast<int>(fabrics().size()))].fabric.preset;
  if (cloth.grid) {
    cloth.grid->points = {2 + random.pick(50), 2 + random.pick(50)};
    cloth.grid->v = cloth.grid->u.unitOrthogonal() * cloth.grid->v.norm();
    if (!cloth.springs) cloth.fabric.shear = 0;
    if (cloth.membrane != Membrane::baraff_witkin) cloth.fabric.stiffening = cloth.fabric.strain_limit = 0;
  } else if (cloth.springs) {
    cloth.springs->layout = SpringLayout::edges;
  }
  if (cloth.membrane.value_or(Membrane::baraff_witkin) != Membrane::baraff_witkin)
    cloth.fabric.stiffening = cloth.fabric.strain_limit = 0;
  if (cloth.springs) {
    cloth.membrane.reset();
    cloth.bending.reset();
  }
  if (cloth.grid || cloth.mesh) cloth.pattern.reset();
  cloth.seams.clear();  // of borders that the meshes here do not have
  for (Pin& pin : cloth.pins) {
    mend_part(pin);
    pin.vertices.push_back(0);
    for (int& vertex : pin.vertices) vertex = std::abs(vertex) % 4;
    if (!cloth.grid) {
      pin.grid.clear();
      pin.sides.clear();
    }
    for (auto& point : pin.grid) point = {point[0] % 2, point[1] % 2};
    pin.axes = "zx";
    pin.follow.reset();
    pin.strength.reset();
    if (pin.since && pin.until) pin.until = *pin.since + 1;
    mend_motion(pin.motion, true);
  }
  for (FabricRegion& region : cloth.regions) {
    mend_part(region);
    region.sphere = SphereRegion{Vec3::Zero(), 1e9};  // all of it
    if (!region.fabric) region.friction = 0.25;
    if (region.fabric) *region.fabric = cloth.fabric;
  }
}
inline void mend_collider(Collider& collider) {
  mend_motion(collider.motion, false);
  if (collider.shape == Shape::mesh && !collider.mesh) collider.mesh.emplace();
  if (collider.shape != Shape::mesh) {
    collider.mesh.reset();
    collider.frames.reset();
  }
  if (collider.mesh) {
    collider.mesh->file = "mesh.obj";
    collider.mesh->object.reset();
  }
  if (collider.frames) {
    collider.frames->file = "mesh.pc2";
    collider.frames->animation.reset();
    collider.frames->speed.reset();
  }
}
inline Scene random_scene(unsigned seed) {
  Randomise random(seed);
  Scene scene;
  Scene::fields(scene, random);
  if (scene.cloths.empty()) scene.cloths.emplace_back();
  for (size_t i = 0; i < scene.cloths.size(); ++i) mend_cloth(scene.cloths[i], static_cast<int>(i), random);
  for (Collider& collider : scene.colliders) mend_collider(collider);
  scene.dress.reset();  // of a closed mesh
  scene.self_collision.distance = 0.25;
  if (scene.solver.position.integrator == Integrator::sdirk2)
    scene.solver.position.integrator = Integrator::bdf2;  // which it has not
  scene.solver.family = kFamilies[random.pick(static_cast<int>(kFamilies.size()))];
  SolverSettings& solver = scene.solver;
  if (solver.position.sweep == Sweep::jacobi) solver.position.method = PositionMethod::pbd;
  if (PositionSettings& position = solver.position; position.quality) {
    position.method = PositionMethod::xpbd;
    position.sweep = Sweep::gauss_seidel;
    position.substeps.reset();
    position.iterations = PositionSettings().iterations;
    position.coarse = false;
  }
  for (Stepping* stepping :
       std::initializer_list<Stepping*>{&solver.newton, &solver.baraff_witkin, &solver.block_descent,
                                        &solver.projective, &solver.quasi_newton})
    if (stepping->adaptive) stepping->integrator = Integrator::euler;
  return scene;
}

}  // namespace muslin
