#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "muslin/core/check.h"
#include "muslin/core/random.h"
#include "muslin/core/revision.h"
#include "muslin/geometry/closed_surface.h"
#include "muslin/model/attachments.h"
#include "muslin/model/collider_shape.h"
#include "muslin/model/custom_elements.h"
#include "muslin/model/elements.h"
#include "muslin/model/fabrics.h"
#include "muslin/model/fastening.h"
#include "muslin/model/flatness.h"
#include "muslin/model/input.h"
#include "muslin/model/mesh_files.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"
#include "muslin/model/pieces.h"
#include "muslin/model/pins.h"
#include "muslin/model/sanity.h"
#include "muslin/model/seams.h"
#include "muslin/model/thin_body.h"

namespace muslin {

namespace {

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
// `first_user` is the number of the cloth's first vertex in the scene.
void add_masses(const Cloth& cloth, const ClothFabrics& fabrics, const RestShape& rest, Model& model,
                int first, int first_user) {
  const Mesh& mesh = rest.cloth;
  const auto user = [&](int v) { return model.vertex_numbers.to_user(first + v) - first_user; };
  for (int t = 0; t < std::ssize(mesh.triangles); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const double area = rest.area(t);
    if (!(area > 0))
      throw Error(ErrorKind::invalid, fmt::format("{}: triangle of vertices {} {} {} has no area",
                                                  quoted(cloth), user(a), user(b), user(c)));
    const double mass = area * *fabrics.of(t).density;
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

bool move_alike(const PinMotion& one, const PinMotion& other) {
  const Motion &a = one.motion, &b = other.motion;
  bool alike = one.follows == other.follows && a.keyframes.size() == b.keyframes.size() &&
               (a.keyframes.empty() || one.center == other.center) && a.swing == b.swing &&
               (a.swing.isZero(0) || (a.period == b.period && a.phase == b.phase));
  for (size_t k = 0; alike && k < a.keyframes.size(); ++k) {
    const Keyframe &here = a.keyframes[k], &there = b.keyframes[k];
    alike = here.time == there.time && here.offset == there.offset && here.rotation == there.rotation;
  }
  return alike;
}

/// Which pins of a cloth hold a vertex along an axis.
class Holders {
 public:
  explicit Holders(int vertices) : last_(3 * vertices, -1) {}

  /// The motion of one that acts at a time when another does, too; −1: none.
  int meanwhile(int vertex, int axis, const PinMotion& by, const std::vector<PinMotion>& motions) const {
    for (int h = last_[3 * vertex + axis]; h >= 0; h = all_[h].before) {
      const PinMotion& other = motions[all_[h].motion];
      if (by.since < other.until && other.since < by.until) return all_[h].motion;
    }
    return -1;
  }
  void add(int vertex, int axis, int motion) {
    int& last = last_[3 * vertex + axis];
    all_.push_back({motion, last});
    last = static_cast<int>(all_.size()) - 1;
  }

 private:
  struct Holder {
    int motion, before;
  };
  std::vector<int> last_;  // of every vertex and axis, in all_
  std::vector<Holder> all_;
};

PinMotion motion_of(const Scene& scene, const Pin& pin) {
  PinMotion by{pin.motion, pin.center, pin.since.value_or(0), pin.until.value_or(kInfinity), pin.strength};
  for (int c = 0; pin.follow && c < std::ssize(scene.colliders); ++c)
    if (scene.colliders[c].name == *pin.follow) by.follows = c;
  return by;
}

bool follows_cloth(const Pin& pin, const PinMotion& by) { return pin.follow && by.follows < 0; }

// Where several pins hold a vertex along an axis, which must move it alike, the first does. `mesh` is that of
// the scene's cloth, whose vertices begin with the user's number `first_user`.
void add_pins(const Scene& scene, const Cloth& cloth, const Mesh& mesh, int first_user, Model& model) {
  std::vector<PinMotion>& motions = model.script.pin_motions;
  const int first_motion = static_cast<int>(motions.size());
  Holders holders(model.vertex_count());
  for (const Pin& pin : cloth.pins) {
    const int motion = static_cast<int>(motions.size());
    motions.push_back(motion_of(scene, pin));
    const PinMotion& by = motions.back();
    if (follows_cloth(pin, by)) continue;  // springs do that (attach_to_cloths)
    std::vector<PinnedVertex>& pins = by.since > 0  ? model.late_pins
                                      : by.strength ? model.script.pulled
                                                    : model.script.pins;
    for (const int user : pinned_vertices(cloth, pin, mesh)) {
      const int v = model.vertex_numbers.to_model(first_user + user);
      Vec3 fixed = Vec3::Zero();
      for (const char name : pin.axes) {
        const int axis = name - 'x', held = holders.meanwhile(v, axis, by, motions);
        if (held >= 0 && !by.strength && !move_alike(motions[held], by))
          throw Error(
              ErrorKind::invalid,
              fmt::format(
                  "{}: pins/{} and pins/{} hold vertex {} and move it differently: leave it out of one",
                  quoted(cloth), motion - first_motion, held - first_motion, user));
        if (held >= 0 && !by.strength) continue;  // by another pin, or by another number, sewn to it
        if (!by.strength) holders.add(v, axis, motion);
        fixed[axis] = 1;
      }
      if (!fixed.isZero(0)) pins.push_back({v, fixed, model.start.col(v), motion});
    }
  }
}

// What follows a collider is fastened where both begin.
void fasten_followers(Model& model) {
  Controls& script = model.script;
  const std::vector<Pose> poses = poses_at(model.colliders, 0);
  std::map<int, Fastener> fasteners;
  for (auto* pins : {&script.pins, &script.pulled})
    for (PinnedVertex& pin : *pins) {
      const int c = script.pin_motions[pin.motion].follows;
      if (c < 0) continue;
      const Fastener& fastener = fasteners.try_emplace(c, model.colliders[c], c, poses[c], 0).first->second;
      pin.fastening = static_cast<int>(script.fastenings.size());
      script.fastenings.push_back(fastener.fasten(pin.place));
    }
}

// Numbers of grids are kept (order_locally, pieces.cpp), and nothing of them is sewn.
void add_grid(const Cloth& cloth, const Grid& grid, int first, Model& model) {
  const auto [nu, nv] = grid.points;
  const bool bends = cloth.acting.bend && !cloth.springs;
  model.grids.push_back({static_cast<int>(model.cloths.size()) - 1, first, nu, nv,
                         Vec2(grid.size[0] / (nu - 1), grid.size[1] / (nv - 1)),
                         bends ? Vec2(*cloth.fabric.bend, *cloth.fabric.bend_weft) : Vec2(0, 0)});
}

// A vertex is as thick as the thickest of its triangles, and has the friction that a region gives it.
void add_thickness(const ClothFabrics& fabrics, const Mesh& mesh, int first, Model& model) {
  const int count = mesh.vertex_count();
  model.half_thickness.conservativeResize(first + count);
  model.half_thickness.tail(count).setConstant(fabrics.is_one() ? *fabrics.all[0].thickness / 2 : 0);
  for (int t = 0; !fabrics.is_one() && t < std::ssize(mesh.triangles); ++t)
    for (const int v : mesh.triangles[t]) {
      double& half = model.half_thickness[first + v];
      half = std::max(half, *fabrics.of(t).thickness / 2);
    }
  if (fabrics.friction.empty() && model.friction.size() == 0) return;
  const auto before = model.friction.size();
  model.friction.conservativeResize(first + count);
  model.friction.tail(first + count - before).setConstant(std::numeric_limits<double>::quiet_NaN());
  for (int v = 0; v < std::ssize(fabrics.friction); ++v) model.friction[first + v] = fabrics.friction[v];
}

double least_thickness(const ClothFabrics& fabrics) {
  double least = *fabrics.all[0].thickness;
  for (const int f : fabrics.of_triangle) least = std::min(least, *fabrics.all[f].thickness);
  return least;
}

// `first_user` is the number of the cloth's first vertex in the scene.
void add_piece(const Scene& scene, const Cloth& cloth, const ClothFabrics& fabrics, const ClothPiece& piece,
               int first_user, Model& model) {
  const Mesh& mesh = piece.mesh;
  const RestShape rest{mesh, piece.pattern ? *piece.pattern : mesh};
  const int first = model.vertex_count(), count = mesh.vertex_count();
  const std::string name = fmt::format("cloth \"{}\"", piece.name);
  const Topology topology = build_topology(count, mesh.triangles, name);

  // 1. Vertices
  model.cloths.push_back({piece.name, first, count, static_cast<int>(model.triangles.size()),
                          static_cast<int>(mesh.triangles.size()), least_thickness(fabrics)});
  if (cloth.grid && fabrics.is_one()) add_grid(cloth, *cloth.grid, first, model);
  const auto grow = [&](Points& points, const Points& tail) {
    points.conservativeResize(3, first + count);
    points.rightCols(count) = tail;
  };
  Points start = mesh.positions;
  jitter(cloth, scene.seed, start);
  grow(model.start, start);
  grow(model.start_velocity, cloth.velocity.replicate(1, count));
  model.mass.conservativeResize(first + count);
  model.mass.tail(count).setZero();
  add_thickness(fabrics, mesh, first, model);
  model.uv.insert(model.uv.end(), mesh.uv.begin(), mesh.uv.end());
  model.uv.resize(first + count, Vec2::Zero());
  add_masses(cloth, fabrics, rest, model, first, first_user);

  // 2. Elements
  for (const auto& [a, b, c] : mesh.triangles) model.triangles.push_back({first + a, first + b, first + c});
  for (const RestTriangle& triangle : rest_triangles(cloth, rest)) model.rest_triangles.push_back(triangle);
  for (const Hinge& hinge : topology.hinges) {
    model.edges.push_back({first + hinge.v0, first + hinge.v1});
    model.edge_length.push_back(rest.edge_length(hinge));
  }

  // 3. Words
  if (const int lost = count_without_weave(cloth, rest); lost > 0)
    model.warnings.push_back(
        fmt::format("{}: the texture coordinates of {} of its {} triangles have no area and tell no "
                    "direction of the weave: "
                    "there the warp runs along x; unwrap the mesh anew",
                    name, lost, mesh.triangles.size()));
  for (const std::string& doubt : doubts(cloth, rest, topology))
    model.warnings.push_back(fmt::format("{}: {}", name, doubt));
  for (const std::string& word : add_elements(cloth, fabrics, rest, topology, first, model.energies))
    model.warnings.push_back(fmt::format("{}: {}", name, word));
}

// Where all of the scene's vertices and triangles of a cloth are in the model, before its pieces are added.
void add_numbers(const Cloth& cloth, const Mesh& mesh, const Pieces& pieces, Model& model) {
  std::vector<int> vertices, triangles;
  for (const ClothPiece& piece : pieces.pieces) {
    vertices.insert(vertices.end(), piece.vertices.begin(), piece.vertices.end());
    triangles.insert(triangles.end(), piece.triangles.begin(), piece.triangles.end());
  }
  const int first_triangle = static_cast<int>(model.triangles.size()),
            triangle_count = static_cast<int>(triangles.size());
  model.written.push_back({cloth.name, model.user_vertex_count(), mesh.vertex_count(), first_triangle,
                           triangle_count, mesh.uv, pieces.polygons});
  model.written.back().colour = cloth.colour;
  const bool is_sewn = cloth.mesh && cloth.mesh->merge > 0;
  for (int t = 0; !mesh.uv.empty() && (is_sewn || !mesh.triangle_uv.empty()) && t < triangle_count; ++t)
    model.written.back().triangle_uv.push_back(mesh.uv_of(t));
  model.vertex_numbers.append(model.vertex_count(), vertices, pieces.place);
  model.triangle_numbers.append(first_triangle, triangle_count, triangles);
}

// `closed` are the stitches of the scene that are closed.
void add_cloth(const Scene& scene, const Cloth& cloth, const std::vector<Stencil<2>>& closed, Model& model) {
  const Mesh mesh = placed_mesh(cloth);
  if (mesh.triangles.empty())
    throw Error(ErrorKind::invalid, quoted(cloth) + ": expected a mesh with triangles, got none");
  if (!mesh.uv.empty() && std::ssize(mesh.uv) != mesh.vertex_count())
    throw Error(ErrorKind::invalid, fmt::format("{}: expected uv of all {} vertices or of none, got {}",
                                                quoted(cloth), mesh.vertex_count(), mesh.uv.size()));
  const int first_user = model.user_vertex_count();
  const Pieces pieces = cut_into_pieces(cloth, mesh, closed_of(closed, first_user, mesh.vertex_count()));
  add_numbers(cloth, mesh, pieces, model);
  const ClothFabrics fabrics = fabrics_of(cloth, mesh);
  for (const ClothPiece& piece : pieces.pieces)
    add_piece(scene, cloth, fabrics_in(piece, fabrics), piece, first_user, model);
  add_pins(scene, cloth, mesh, first_user, model);
  add_seams(cloth, mesh, first_user, model);
  for (auto range = model.cloths.end() - std::ssize(pieces.pieces); range != model.cloths.end(); ++range)
    if (const std::string hint = flatness_hint(scene, cloth, model, *range); !hint.empty())
      model.warnings.push_back(fmt::format("cloth \"{}\": {}", range->name, hint));
  for (const std::string& word : pieces.words) model.warnings.push_back(quoted(cloth) + ": " + word);
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

// One that is over before the run is.
void doubt_animation(const Scene& scene, const Collider& collider, std::vector<std::string>& warnings) {
  if (!collider.frames || !is_animation_file(collider.frames->file)) return;
  const MeshFrames& frames = *collider.frames;
  const double end = frames.start + static_cast<double>(frames.shapes->size() - 1) * frames.interval;
  const double all = scene.frames * scene.frame_time;
  if (end < all - scene.frame_time)
    warnings.push_back(fmt::format(
        "collider \"{}\": its animation ends at {:.4g} s, and {} frames at {:.4g} s: from then on it "
        "stands still",
        collider.name, end, scene.frames, all));
}

void add_colliders(const Scene& scene, Model& model) {
  model.colliders = scene.colliders;
  for (const Collider& collider : scene.colliders) {
    std::shared_ptr<const ClosedSurface>& surface = model.collider_surfaces.emplace_back();
    if (collider.shape != Shape::mesh) continue;
    check_body(collider);
    if (ClosedSurface::problem(*collider.mesh->mesh).empty())
      surface = std::make_shared<const ClosedSurface>(shape_of(collider).mesh(collider, 0, 0));
    doubt_animation(scene, collider, model.warnings);
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

Model build_model(const Scene& scene) { return build_model(scene, {}); }

Model build_model(const Scene& given, const std::vector<Stencil<2>>& closed) {
  const Scene scene = with_thin_body(resolved(given));
  Model model;
  for (const Cloth& cloth : scene.cloths) add_cloth(scene, cloth, closed, model);
  const int n = model.vertex_count();

  add_stitches(model);
  add_custom_elements(scene, model);
  attach_to_cloths(scene, model);
  model.script.set_pins(std::move(model.script.pins), model.mass);
  model.triangle_incidence = build_incidence(n, model.triangles);
  model.energies.each([&](auto& energy) { energy.connect(n); });
  if (const auto known = model.friction.size(); known > 0) {  // cloths behind the last that has its own
    model.friction.conservativeResize(n);
    model.friction.tail(n - known).setConstant(std::numeric_limits<double>::quiet_NaN());
  }

  add_colliders(scene, model);
  fasten_followers(model);
  if (!model.script.pulled.empty()) model.script.set_springs(n);
  model.script.collider_offset.assign(scene.colliders.size(), Vec3::Zero());
  model.script.gravity = scene.gravity;
  model.script.wind = scene.wind;
  model.damping = scene.damping;
  model.seed = scene.seed;
  model.self_collision = scene.self_collision;
  doubt_wind(scene.wind, model.warnings);
  for (const std::string& doubt : doubts(scene)) model.warnings.push_back(doubt);
  if (!scene.self_collision.enabled && model.cloths.size() > 1)
    model.warnings.push_back(fmt::format(
        "self_collision is off: the {} cloths pass through each other and themselves", model.cloths.size()));
  if (scene.self_collision.enabled) {
    model.self_distance = scene.self_collision.distance.value_or(2 * model.half_thickness.maxCoeff());
    if (!(model.self_distance > 0))
      throw Error(ErrorKind::invalid, "self_collision: give a distance, as the cloth has no thickness");
  }
  model.revision = next_revision();
  return model;
}

Model started_from(Model model, const Points& positions) {
  if (positions.cols() != model.vertex_count())
    throw Error(ErrorKind::invalid, fmt::format("start_from: expected {} positions, got {}",
                                                model.vertex_count(), positions.cols()));
  if (!positions.allFinite()) throw Error(ErrorKind::invalid, "start_from: a position is no number");
  model.start = positions;
  model.revision = next_revision();
  return model;
}

State initial_state(const Model& model) {
  State state;
  state.positions = model.start;
  state.velocities = model.start_velocity.cwiseProduct(model.script.free);
  apply_pins(scripted_input(model, 0, 0), state.positions);
  return state;
}

}  // namespace muslin
