#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "muslin/core/check.h"
#include "muslin/core/random.h"
#include "muslin/model/elements.h"
#include "muslin/model/fabrics.h"
#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"
#include "muslin/model/sanity.h"

namespace muslin {

namespace {

std::string quoted(const Cloth& cloth) { return fmt::format("cloth \"{}\"", cloth.name); }

// The rest shape of a cloth, in place.
Mesh rest_mesh(const Cloth& cloth) {
  if (cloth.grid) {
    const Grid& grid = *cloth.grid;
    return make_sheet(grid.points, grid.origin, grid.size[0] * grid.u.normalized(),
                      grid.size[1] * grid.v.normalized(), grid.diagonals);
  }
  if (!cloth.mesh || !cloth.mesh->mesh)
    throw Error(ErrorKind::invalid, quoted(cloth) + ": has neither grid nor mesh");
  Mesh mesh = *cloth.mesh->mesh;
  mesh.positions = placed(*cloth.mesh, mesh.positions);
  return mesh;
}

// Random offsets across a grid: the start, not the rest shape, is uneven.
void jitter(const Cloth& cloth, std::uint64_t seed, Points& positions) {
  if (!cloth.grid || cloth.grid->jitter == 0) return;
  const Vec3 normal = cloth.grid->u.cross(cloth.grid->v).normalized();
  for (int i = 0; i < positions.cols(); ++i)
    positions.col(i) += cloth.grid->jitter * (2 * random_unit(seed, i, 0) - 1) * normal;
}

// Every vertex of the cloth added last weighs `mass` and shares it evenly among its triangles. A triangle
// counts thrice the least that it gets, so that what the air does to it never throws a corner.
void set_vertex_mass(double mass, const Mesh& mesh, int first, Model& model) {
  model.mass.segment(first, mesh.vertex_count()).setConstant(mass);
  std::vector<int> valence(mesh.vertex_count());
  for (const Stencil<3>& triangle : mesh.triangles)
    for (const int v : triangle) ++valence[v];
  auto triangle_mass = model.triangle_mass.end() - static_cast<std::ptrdiff_t>(mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles)
    *triangle_mass++ = 3 * mass / std::max({valence[a], valence[b], valence[c]});
}

// A third of every triangle's mass goes to each of its vertices, unless the cloth names its vertices' mass.
void add_masses(const Cloth& cloth, const Mesh& mesh, Model& model, int first) {
  const auto user = [&](int v) { return model.vertex_numbers.to_user(first + v) - first; };
  for (const auto& [a, b, c] : mesh.triangles) {
    const double area = triangle_area(mesh.positions.col(a), mesh.positions.col(b), mesh.positions.col(c));
    if (!(area > 0))
      throw Error(ErrorKind::invalid, fmt::format("{}: triangle of vertices {} {} {} has no area",
                                                  quoted(cloth), user(a), user(b), user(c)));
    const double mass = area * *cloth.fabric.density;
    if (!std::isfinite(mass))
      throw Error(ErrorKind::invalid,
                  fmt::format("{}: triangle of vertices {} {} {} is too large or too heavy", quoted(cloth),
                              user(a), user(b), user(c)));
    model.triangle_mass.push_back(mass);
    for (const int v : {a, b, c}) model.mass[first + v] += mass / 3;
  }
  if (cloth.vertex_mass) set_vertex_mass(*cloth.vertex_mass, mesh, first, model);
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (!(model.mass[first + v] > 0))
      throw Error(
          ErrorKind::invalid,
          fmt::format(
              "{}: vertex {} belongs to no triangle, so it has no mass: remove it, or give vertex_mass",
              quoted(cloth), user(v)));
}

// The vertices of one border of a grid.
void add_side(const Grid& grid, Side side, std::vector<int>& vertices) {
  const auto [nu, nv] = grid.points;
  const bool along_v = side == Side::u_min || side == Side::u_max;
  const int first = side == Side::u_max ? nu - 1 : side == Side::v_max ? (nv - 1) * nu : 0;
  for (int k = 0; k < (along_v ? nv : nu); ++k) vertices.push_back(first + k * (along_v ? nu : 1));
}

// The vertices that a pin names by the user's numbers, without repetition.
std::vector<int> pinned_vertices(const Cloth& cloth, const Pin& pin) {
  std::vector<int> vertices = pin.vertices;
  for (const auto& [i, j] : pin.grid) {
    const auto [nu, nv] = cloth.grid->points;
    vertices.push_back((j < 0 ? j + nv : j) * nu + (i < 0 ? i + nu : i));
  }
  for (const Side side : pin.sides) add_side(*cloth.grid, side, vertices);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

void add_pins(const Cloth& cloth, int first, Model& model) {
  for (const Pin& pin : cloth.pins) {
    Vec3 fixed = Vec3::Zero();
    for (const char axis : pin.axes) fixed[axis - 'x'] = 1;
    for (const int number : pinned_vertices(cloth, pin)) {
      if (number >= model.vertex_count() - first)
        throw Error(ErrorKind::invalid, fmt::format("{}: pins vertex {} of {}", quoted(cloth), number,
                                                    model.vertex_count() - first));
      const int v = model.vertex_numbers.to_model(first + number);
      model.pins.push_back({v, fixed, model.start.col(v), static_cast<int>(model.pin_motions.size())});
      model.free.col(v) = model.free.col(v).cwiseProduct(Vec3::Ones() - fixed);
    }
    model.pin_motions.push_back({pin.motion, pin.center});
  }
}

void add_cloth(const Scene& scene, const Cloth& cloth, Model& model) {
  // 0. An order that suits the cache: that of a grid does
  Mesh mesh = rest_mesh(cloth);
  if (!mesh.uv.empty() && std::ssize(mesh.uv) != mesh.vertex_count())
    throw Error(ErrorKind::invalid, fmt::format("{}: expected uv of all {} vertices or of none, got {}",
                                                quoted(cloth), mesh.vertex_count(), mesh.uv.size()));
  Topology topology = build_topology(mesh.vertex_count(), mesh.triangles, quoted(cloth));
  const int first = model.vertex_count(), count = mesh.vertex_count();
  const MeshOrder order = cloth.grid ? MeshOrder() : local_order(mesh);
  if (!order.empty()) {
    mesh = reordered(mesh, order);
    topology = build_topology(count, mesh.triangles, quoted(cloth));
  }
  model.vertex_numbers.append(first, count, order.vertices);
  model.triangle_numbers.append(static_cast<int>(model.triangles.size()),
                                static_cast<int>(mesh.triangles.size()), order.triangles);

  // 1. Vertices
  model.cloths.push_back({cloth.name, first, count, static_cast<int>(model.triangles.size()),
                          static_cast<int>(mesh.triangles.size()), *cloth.fabric.thickness});
  const auto grow = [&](Points& points, const Points& tail) {
    points.conservativeResize(3, first + count);
    points.rightCols(count) = tail;
  };
  Points start = mesh.positions;
  jitter(cloth, scene.seed, start);
  grow(model.start, start);
  grow(model.start_velocity, cloth.velocity.replicate(1, count));
  grow(model.free, Points::Ones(3, count));
  model.mass.conservativeResize(first + count);
  model.mass.tail(count).setZero();
  model.half_thickness.conservativeResize(first + count);
  model.half_thickness.tail(count).setConstant(*cloth.fabric.thickness / 2);
  model.uv.insert(model.uv.end(), mesh.uv.begin(), mesh.uv.end());
  model.uv.resize(first + count, Vec2::Zero());
  add_masses(cloth, mesh, model, first);

  // 2. Elements
  for (const auto& [a, b, c] : mesh.triangles) model.triangles.push_back({first + a, first + b, first + c});
  for (const RestTriangle& triangle : rest_triangles(cloth, mesh)) model.rest_triangles.push_back(triangle);
  for (const auto& [a, b] : topology.edges) {
    model.edges.push_back({first + a, first + b});
    model.edge_length.push_back((mesh.positions.col(b) - mesh.positions.col(a)).norm());
  }
  for (const std::string& doubt : doubts(cloth, mesh, topology))
    model.warnings.push_back(quoted(cloth) + ": " + doubt);
  for (const std::string& word : add_elements(cloth, mesh, topology, first, model.energies))
    model.warnings.push_back(quoted(cloth) + ": " + word);

  // 3. Pins and words
  add_pins(cloth, first, model);
  for (const std::string& repair : mesh.repairs) model.warnings.push_back(quoted(cloth) + ": " + repair);
}

// Of a mesh that contact can hold cloth apart from. What a user of the library brings was not read by us.
void check_body(const Collider& collider) {
  const auto expect = [&](bool holds, const std::string& words) {
    if (!holds) throw Error(ErrorKind::invalid, fmt::format("collider \"{}\": {}", collider.name, words));
  };
  expect(collider.mesh && collider.mesh->mesh, "has the shape mesh but no mesh");
  const Mesh& mesh = *collider.mesh->mesh;
  expect(!mesh.triangles.empty() && mesh.positions.allFinite(),
         "its mesh must have triangles, and be finite");
  build_topology(mesh.vertex_count(), mesh.triangles, fmt::format("collider \"{}\"", collider.name));
  const Incidence around = build_incidence(mesh.vertex_count(), mesh.triangles);
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (around.begin[v] == around.begin[v + 1])
      expect(false, fmt::format("vertex {} belongs to no triangle: remove it", v));
  if (!collider.frames) return;
  expect(collider.frames->shapes && !collider.frames->shapes->empty(), "has frames without shapes");
  for (const Points& shape : *collider.frames->shapes)
    expect(shape.cols() == mesh.vertex_count() && shape.allFinite(),
           fmt::format("each frame must have {} finite vertices, as its mesh has", mesh.vertex_count()));
}

void add_colliders(const Scene& scene, Model& model) {
  model.colliders = scene.colliders;
  for (const Collider& collider : scene.colliders) {
    if (collider.shape != Shape::mesh) continue;
    check_body(collider);
    for (const std::string& repair : collider.mesh->mesh->repairs)
      model.warnings.push_back(fmt::format("collider \"{}\": {}", collider.name, repair));
  }
}

// What is asked of the wind and does nothing.
void doubt_wind(const Wind& wind, std::vector<std::string>& warnings) {
  const bool flows = !wind.velocity.isZero(0) || wind.gust > 0;
  if (wind.law == WindLaw::aerodynamic && flows && wind.air_density == 0)
    warnings.push_back("wind blows without air: its air_density is 0 (1.2 kg/m^3 at room temperature)");
  if (wind.law == WindLaw::aerodynamic && !wind.pressure.isZero(0))
    warnings.push_back("wind does not press: its pressure is for law mosegaard, and its law is aerodynamic");
  if (wind.law == WindLaw::mosegaard && flows)
    warnings.push_back(
        "wind does not flow: velocity and gust are for law aerodynamic, and its law is mosegaard");
}

}  // namespace

Stencil<3> user_triangle(const Model& model, int number) {
  Stencil<3> triangle = model.triangles[model.triangle_numbers.to_model(number)];
  for (int& v : triangle) v = model.vertex_numbers.to_user(v);
  return triangle;
}

Model build_model(const Scene& given) {
  const Scene scene = resolved(given);
  Model model;
  for (const Cloth& cloth : scene.cloths) add_cloth(scene, cloth, model);
  const int n = model.vertex_count();

  model.inverse_mass = model.free * model.mass.cwiseInverse().asDiagonal();
  model.triangle_incidence = build_incidence(n, model.triangles);
  model.energies.each([&](auto& energy) {
    energy.incidence = build_incidence(n, energy.vertices);
    energy.colouring = colour(n, energy.vertices);
  });

  add_colliders(scene, model);
  model.gravity = scene.gravity;
  model.damping = scene.damping;
  model.wind = scene.wind;
  model.seed = scene.seed;
  model.self_collision = scene.self_collision;
  doubt_wind(scene.wind, model.warnings);
  if (!scene.self_collision.enabled && model.cloths.size() > 1)
    model.warnings.push_back(fmt::format(
        "self_collision is off: the {} cloths pass through each other and themselves", model.cloths.size()));
  if (scene.self_collision.enabled) {
    model.self_distance = scene.self_collision.distance.value_or(2 * model.half_thickness.maxCoeff());
    if (!(model.self_distance > 0))
      throw Error(ErrorKind::invalid, "self_collision: give a distance, as the cloth has no thickness");
  }
  return model;
}

State initial_state(const Model& model) {
  State state;
  state.positions = model.start;
  state.velocities = model.start_velocity.cwiseProduct(model.free);
  apply_pins(model, scripted_input(model, 0, 0), state.positions);
  return state;
}

}  // namespace muslin
