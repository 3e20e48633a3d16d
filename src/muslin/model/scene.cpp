#include "muslin/model/scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <concepts>
#include <map>

#include "muslin/core/text.h"
#include "muslin/geometry/closed_surface.h"
#include "muslin/model/collider_shape.h"
#include "muslin/model/elements.h"
#include "muslin/model/fabrics.h"
#include "muslin/model/field_check.h"
#include "muslin/model/mesh_files.h"
#include "muslin/model/pieces.h"
#include "muslin/model/pins.h"
#include "muslin/model/regions.h"

namespace muslin {

namespace {

class SceneCheck {
 public:
  SceneCheck(const Scene& scene, std::vector<Problem> field_problems)
      : scene_(scene), field_problems_(std::move(field_problems)), problems_(field_problems_) {}

  std::vector<Problem> run() {
    check_names();
    if (scene_.cloths.empty()) add("/cloths", "must hold at least one cloth");
    for (size_t i = 0; i < scene_.cloths.size(); ++i)
      if (const std::string path = fmt::format("/cloths/{}", i); is_sound(path))
        check_cloth(path, scene_.cloths[i]);
    for (size_t i = 0; i < scene_.colliders.size(); ++i)
      if (const std::string path = fmt::format("/colliders/{}", i); is_sound(path))
        check_collider(path, scene_.colliders[i]);
    check_self_collision();
    if (scene_.dress && is_sound("/dress")) check_dress(*scene_.dress);
    check_solver();
    return std::move(problems_);
  }

 private:
  // Whether every number below is in its range, which the checks rely on.
  bool is_sound(const std::string& path) const {
    return std::none_of(field_problems_.begin(), field_problems_.end(),
                        [&](const Problem& problem) { return problem.path.starts_with(path + "/"); });
  }
  void add(const std::string& path, const std::string& message) {
    if (problems_.size() < kMaxProblems) problems_.push_back({path, message});
  }

  void check_names() {
    check_name("/name", scene_.name);
    std::map<std::string, size_t> first_use;
    for (size_t i = 0; i < scene_.cloths.size(); ++i) {
      const std::string path = fmt::format("/cloths/{}/name", i);
      const std::string& name = scene_.cloths[i].name;
      check_name(path, name);
      const auto [use, is_new] = first_use.emplace(name, i);
      if (!is_new) add(path, fmt::format("must be unique, /cloths/{} has the same name", use->second));
    }
    for (size_t i = 0; i < scene_.colliders.size(); ++i)
      check_name(fmt::format("/colliders/{}/name", i), scene_.colliders[i].name);
  }
  // Names go into lines of frames and messages.
  void check_name(const std::string& path, const std::string& name) {
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
    if (std::any_of(name.begin(), name.end(), is_control))
      add(path, "must have no line breaks or other control characters");
  }

  void check_cloth(const std::string& path, const Cloth& cloth) {
    const size_t before = problems_.size();
    if (cloth.grid && cloth.pattern) add(path, "must have either a grid or a pattern, got both");
    if (cloth.grid && cloth.mesh) add(path, "must have either a grid or a mesh, got both");
    if (!cloth.grid && !cloth.mesh && !cloth.pattern)
      add(path, "must have a grid, a mesh or a pattern, got none");
    if (cloth.pattern) check_pattern(path + "/pattern", *cloth.pattern);
    for (size_t i = 0; i < cloth.seams.size(); ++i)
      check_name(fmt::format("{}/seams/{}/name", path, i), cloth.seams[i].name);
    if (cloth.grid) check_grid(path + "/grid", *cloth.grid);
    if (cloth.mesh) check_cloth_mesh(path + "/mesh", *cloth.mesh);
    if (find_fabric(cloth.fabric.preset))
      check_elements(path, cloth);
    else
      add(path + "/fabric/preset", "is not the name of a fabric: " + cloth.fabric.preset);
    for (size_t r = 0; r < cloth.regions.size(); ++r)
      check_region(fmt::format("{}/regions/{}", path, r), cloth.regions[r], cloth);
    if (cloth.springs && cloth.springs->layout != SpringLayout::edges && !cloth.grid)
      add(path + "/springs/layout",
          fmt::format("{} needs a grid; a mesh takes edges", name_of(cloth.springs->layout)));
    for (size_t i = 0; i < cloth.pins.size(); ++i)
      check_pin(fmt::format("{}/pins/{}", path, i), cloth.pins[i], cloth);
    if (problems_.size() == before && before < kMaxProblems) check_parts(path, cloth);
  }

  void check_region(const std::string& path, const FabricRegion& region, const Cloth& cloth) {
    const bool by_name = region.group || region.material || region.object;
    if (!by_name && !region.box && !region.sphere && !region.uv_box)
      add(path, "names neither a group, material, object, box, sphere nor uv_box");
    if (by_name && cloth.grid)
      add(path, "group, material and object need a cloth with a mesh; name a box or uv_box instead");
    if (!region.fabric && !region.friction) add(path, "must have a fabric or a friction, got neither");
    if (!region.fabric) return;
    if (!find_fabric(region.fabric->preset))
      return add(path + "/fabric/preset", "is not the name of a fabric: " + region.fabric->preset);
    Cloth alone = cloth;
    alone.fabric = *region.fabric;
    check_elements(path, alone);
  }

  // What pins and regions name must be there. Of a mesh, that is known only when it has been read.
  void check_parts(const std::string& path, const Cloth& cloth) {
    if ((cloth.pins.empty() && cloth.regions.empty()) || (cloth.mesh && !cloth.mesh->mesh) ||
        (cloth.pattern && !cloth.mesh))
      return;
    const Mesh mesh = placed_mesh(cloth);
    for (size_t i = 0; i < cloth.pins.size(); ++i)
      for (const Problem& problem : pin_problems(fmt::format("{}/pins/{}", path, i), cloth.pins[i], mesh))
        add(problem.path, problem.message);
    for (const Problem& problem : region_problems(path + "/regions", cloth, mesh))
      add(problem.path, problem.message);
  }

  void check_grid(const std::string& path, const Grid& grid) {
    const std::int64_t points = std::int64_t{grid.points[0]} * grid.points[1];
    total_points_ += std::min<std::int64_t>(points, kMaxVertices + 1);
    if (points > kMaxVertices)
      add(path + "/points", fmt::format("at most {} points, got {}", kMaxVertices, points));
    else if (total_points_ > kMaxVertices)
      add(path + "/points", fmt::format("at most {} points in all cloths together, got {} up to this one",
                                        kMaxVertices, total_points_));
    if (grid.u.isZero(0)) add(path + "/u", "must not be zero");
    if (grid.v.isZero(0)) add(path + "/v", "must not be zero");
    if (!grid.u.isZero(0) && !grid.v.isZero(0) &&
        grid.u.stableNormalized().cross(grid.v.stableNormalized()).norm() < kLeastSine)
      add(path + "/v", "must not be parallel to u");
  }

  // A mesh brought in memory; its triangles are looked at where the model is built.
  void check_brought(const std::string& path, const Mesh& mesh) {
    const int count = mesh.vertex_count();
    if (count == 0) add(path, "must have vertices, has none");
    for (int v = 0; v < count; ++v)
      if (const Vec3 p = mesh.positions.col(v); !p.allFinite())
        return add(fmt::format("{}/positions/{}", path, v),
                   fmt::format("must be finite numbers [m], got ({}, {}, {})", p.x(), p.y(), p.z()));
    if (!mesh.uv.empty() && std::ssize(mesh.uv) != count)
      add(path + "/uv",
          fmt::format("must be empty or one for each of {} vertices, got {}", count, mesh.uv.size()));
    for (size_t v = 0; v < mesh.uv.size(); ++v)
      if (!mesh.uv[v].allFinite())
        return add(fmt::format("{}/uv/{}", path, v),
                   fmt::format("must be finite numbers, got ({}, {})", mesh.uv[v].x(), mesh.uv[v].y()));
    for (size_t d = 0; d < mesh.diagonals.size(); ++d)
      if (const auto [a, b] = mesh.diagonals[d]; std::min(a, b) < 0 || std::max(a, b) >= count)
        return add(fmt::format("{}/diagonals/{}", path, d),
                   fmt::format("must be two vertices from 0 to {}, got {} and {}", count - 1, a, b));
  }

  void check_mesh(const std::string& path, const MeshFile& mesh) {
    if (mesh.mesh && mesh.file.empty()) return check_brought(path, *mesh.mesh);
    if (!is_mesh_file(mesh.file))
      add(path + "/file", fmt::format("must be {}, got \"{}\"{}", kMeshFile, mesh.file,
                                      mesh.file.empty() ? ", and there is no mesh in memory" : ""));
    check_name(path + "/file", mesh.file);
  }

  void check_cloth_mesh(const std::string& path, const ClothMesh& mesh) {
    check_mesh(path, mesh);
    if (mesh.rest_mesh && !is_mesh_file(*mesh.rest_mesh))
      add(path + "/rest_mesh", fmt::format("must be {}, got \"{}\"", kMeshFile, *mesh.rest_mesh));
    if (mesh.rest_mesh) check_name(path + "/rest_mesh", *mesh.rest_mesh);
  }

  void check_pattern(const std::string& path, const PatternFile& pattern) {
    if (!pattern.file.ends_with(".json"))
      add(path + "/file", fmt::format("must be a pattern, a .json file, got \"{}\"", pattern.file));
    check_name(path + "/file", pattern.file);
  }

  // Frames of the body would be its animation, which begins once garments are on.
  void check_dress(const Dress& dress) {
    const auto body = std::find_if(scene_.colliders.begin(), scene_.colliders.end(),
                                   [&](const Collider& collider) { return collider.name == dress.body; });
    if (body == scene_.colliders.end())
      return add("/dress/body", fmt::format("must name a collider, got \"{}\"", dress.body));
    if (body->shape != Shape::mesh || body->frames)
      add("/dress/body", fmt::format("\"{}\" must be a mesh without frames", dress.body));
    else if (body->mesh && body->mesh->mesh)
      if (const std::string problem = ClosedSurface::problem(*body->mesh->mesh); !problem.empty())
        add("/dress/body", fmt::format("\"{}\" must be closed to be drawn in, and {}", dress.body, problem));
  }

  // What the cloth is made of must be able to say what the fabric says.
  void check_elements(const std::string& path, const Cloth& cloth) {
    if (cloth.springs) {
      if (cloth.membrane) add(path + "/membrane", "must be absent: springs take the membrane's place");
      if (cloth.bending) add(path + "/bending", "must be absent: springs take the bending's place");
      return;
    }
    const Membrane membrane = membrane_of(cloth);
    const std::pair<const char*, double> of_threads[] = {{"stiffening", *cloth.fabric.stiffening},
                                                         {"strain_limit", *cloth.fabric.strain_limit}};
    for (const auto& [name, value] : of_threads)
      if (value > 0 && membrane != Membrane::baraff_witkin)
        add(path + "/fabric/" + name,
            fmt::format("needs the membrane baraff_witkin, got {}", name_of(membrane)));
    if (cloth.grid && membrane == Membrane::springs)
      check_springs(path + "/fabric", *cloth.grid, cloth.fabric);
  }

  void check_springs(const std::string& path, const Grid& grid, const Fabric& fabric) {
    // On a grid of dx × dy, springs along the diagonals give all of the shear stiffness, and with it
    // shear·dx²/dy² along u and shear·dy²/dx² along v; structural springs add what is left.
    const Vec3 u = grid.u.stableNormalized(), v = grid.v.stableNormalized();
    if (u.cross(v).norm() >= kLeastSine && std::abs(u.dot(v)) > 1e-6)
      return add(path,
                 "needs u and v of the grid at right angles; a skewed grid takes springs one by one, or the "
                 "membrane baraff_witkin or stvk");
    const double dx = grid.size[0] / (grid.points[0] - 1), dy = grid.size[1] / (grid.points[1] - 1);
    const double ratio = dx * dx / (dy * dy);
    const double most = std::min(*fabric.warp / ratio, *fabric.weft * ratio);
    if (*fabric.shear <= most * (1 + 1e-12)) return;
    if (!(ratio > 0 && ratio < kInfinity)) return add(path, "springs cannot represent it on so narrow cells");
    const bool warp = *fabric.warp / ratio <= *fabric.weft * ratio;
    add(path,
        fmt::format("springs cannot represent it: the diagonals alone, which carry the shear stiffness, are "
                    "stiffer than the {0}; lower shear to at most {1:.6g} N/m, raise {0} to at least "
                    "{2:.6g} N/m, or choose the membrane baraff_witkin",
                    warp ? "warp" : "weft", most, warp ? *fabric.shear * ratio : *fabric.shear / ratio));
  }

  void check_pin(const std::string& path, const Pin& pin, const Cloth& cloth) {
    const bool by_name = pin.group || pin.material || pin.object;
    const bool by_place = pin.box || pin.sphere || pin.uv_box;
    if (pin.vertices.empty() && pin.grid.empty() && pin.sides.empty() && !by_name && !by_place)
      add(path,
          "holds neither vertices nor grid points nor sides, group, material, object, box, sphere or uv_box");
    if (by_name && cloth.grid)
      add(path,
          "group, material and object need a cloth with a mesh; name grid points, sides or a box instead");
    if (!pin.sides.empty() && !cloth.grid)
      add(path + "/sides", "needs a cloth with a grid; name vertices instead");
    check_pin_vertices(path + "/vertices", pin, cloth);
    check_pin_grid(path + "/grid", pin, cloth);
    std::string axes = pin.axes;
    std::sort(axes.begin(), axes.end());
    if (axes.empty() || axes.find_first_not_of("xyz") != axes.npos ||
        std::adjacent_find(axes.begin(), axes.end()) != axes.end())
      add(path + "/axes", fmt::format("must be one, two or three of x, y, z, got \"{}\"", pin.axes));
    check_motion(path + "/motion", pin.motion);
    if (pin.follow) check_follow(path, pin, cloth);
    if (pin.strength && axes != "xyz")
      add(path + "/strength",
          fmt::format("needs the axes xyz: a spring draws in all of them, got \"{}\"", pin.axes));
    if (pin.until && !(*pin.until > pin.since.value_or(0)))
      add(path + "/until",
          fmt::format("must be later than since ({} s), got {}", pin.since.value_or(0), *pin.until));
    for (size_t i = 0; i < pin.motion.keyframes.size(); ++i)
      if (axes != "xyz" && !pin.motion.keyframes[i].rotation.isZero(0))
        add(fmt::format("{}/motion/keyframes/{}/rotation", path, i),
            fmt::format("must be zero: only pins of axes xyz turn, these hold \"{}\"", pin.axes));
  }

  // Who follows goes where it is carried, and nowhere else.
  void check_follow(const std::string& path, const Pin& pin, const Cloth& cloth) {
    std::vector<std::string_view> names;
    for (const Collider& collider : scene_.colliders) names.push_back(collider.name);
    const auto carriers = std::count(names.begin(), names.end(), *pin.follow);
    for (const Cloth& other : scene_.cloths)
      if (other.name != cloth.name) names.push_back(other.name);
    if (const auto count = std::count(names.begin(), names.end(), *pin.follow); count != 1) {
      const std::string nearest = nearest_name(*pin.follow, names);
      add(path + "/follow",
          *pin.follow == cloth.name ? "must name another cloth or a collider, got the cloth itself"
          : count > 1
              ? fmt::format("must name one collider or cloth, {} are called \"{}\"", count, *pin.follow)
          : !nearest.empty() ? fmt::format("there is no collider or other cloth \"{}\"; did you mean \"{}\"?",
                                           *pin.follow, nearest)
          : names.empty()
              ? fmt::format("there is no collider or other cloth \"{}\", nor any other", *pin.follow)
              : fmt::format("there is no collider or other cloth \"{}\"; there are {}", *pin.follow,
                            fmt::join(names, ", ")));
    }
    if (pin.motion.keyframes.size() > 0 || !pin.motion.swing.isZero(0))
      add(path + "/motion", "must be absent where the pin follows: what it follows moves it");
    if (!pin.center.isZero(0))
      add(path + "/center", "must be absent where the pin follows: what it follows moves it");
    if (pin.axes.size() != 3)
      add(path + "/axes", fmt::format("must be xyz where the pin follows, got \"{}\"", pin.axes));
    if (carriers > 0 || std::count(names.begin(), names.end(), *pin.follow) != 1) return;
    if (!pin.strength)
      add(path + "/strength", fmt::format("is needed [N/m] to follow the cloth \"{}\": cloth gives way, so "
                                          "that a spring draws and nothing holds",
                                          *pin.follow));
    if (pin.since || pin.until)
      add(path + (pin.since ? "/since" : "/until"),
          "must be absent where the pin follows a cloth: only pins that follow colliders or none come and "
          "go");
  }

  void check_pin_vertices(const std::string& path, const Pin& pin, const Cloth& cloth) {
    // How many vertices a mesh has is known only when it is read.
    const std::int64_t count = cloth.grid ? std::int64_t{cloth.grid->points[0]} * cloth.grid->points[1]
                               : cloth.mesh && cloth.mesh->mesh ? cloth.mesh->mesh->vertex_count()
                                                                : std::numeric_limits<int>::max();
    for (size_t k = 0; k < pin.vertices.size(); ++k) {
      const int vertex = pin.vertices[k];
      if (vertex < 0)
        add(fmt::format("{}/{}", path, k), fmt::format("must be >= 0, got {}", vertex));
      else if (vertex >= count && count > 0)  // else the mesh is what is wrong
        add(fmt::format("{}/{}", path, k),
            fmt::format("must be a vertex from 0 to {}, got {}", count - 1, vertex));
    }
  }

  void check_pin_grid(const std::string& path, const Pin& pin, const Cloth& cloth) {
    if (pin.grid.empty()) return;
    if (!cloth.grid) return add(path, "needs a cloth with a grid; name vertices instead");
    const auto [columns, rows] = cloth.grid->points;
    const auto is_on = [](int index, int count) { return index >= -count && index < count; };
    for (size_t k = 0; k < pin.grid.size(); ++k) {
      const auto [i, j] = pin.grid[k];
      if (!is_on(i, columns) || !is_on(j, rows))
        add(fmt::format("{}/{}", path, k),
            fmt::format("must be a point of the {} x {} grid, got [{}, {}]", columns, rows, i, j));
    }
  }

  void check_motion(const std::string& path, const Motion& motion) {
    for (size_t i = 1; i < motion.keyframes.size(); ++i) {
      const double before = motion.keyframes[i - 1].time, time = motion.keyframes[i].time;
      if (!(time > before))
        add(fmt::format("{}/keyframes/{}/time", path, i),
            fmt::format("must be later than {} [s] of the keyframe before, got {}", before, time));
    }
  }

  void check_collider(const std::string& path, const Collider& collider) {
    if (static_cast<size_t>(collider.shape) >= EnumNames<Shape>::names.size()) return;  // its range says so
    const ColliderShape& shape = shape_of(collider);
    if (shape.is_read("axis") && collider.axis.isZero(0)) add(path + "/axis", "must not be zero");
    if (const std::string problem = shape.problem(collider); !problem.empty()) add(path, problem);
    check_motion(path + "/motion", collider.motion);
    const bool is_mesh = collider.shape == Shape::mesh;
    if (is_mesh && !collider.mesh) add(path, "must have a mesh, as its shape is mesh");
    if (!is_mesh && collider.mesh)
      add(path + "/mesh",
          fmt::format("must be absent, as the shape is {}, not mesh", name_of(collider.shape)));
    if (!is_mesh && collider.frames) add(path + "/frames", "must be absent, as the shape is not mesh");
    if (collider.mesh) check_mesh(path + "/mesh", *collider.mesh);
    if (collider.frames) check_frames(path + "/frames", *collider.frames);
  }

  void check_frames(const std::string& path, const MeshFrames& frames) {
    if (frames.shapes && frames.file.empty()) return;  // brought in memory
    const bool is_sequence = is_mesh_file(frames.file) && numbered(frames.file, 0);
    if (!is_sequence && extension_of(frames.file) != ".pc2" && !is_animation_file(frames.file))
      add(path + "/file",
          fmt::format("must be mesh files with %d or %04d for their numbers, one .pc2 file, or "
                      "one .glb or .gltf file with animations, got \"{}\"",
                      frames.file));
    if (!is_animation_file(frames.file) && frames.animation)
      add(path + "/animation", "must be absent: only .glb and .gltf files have animations");
    if (!is_animation_file(frames.file) && frames.speed)
      add(path + "/speed", "must be absent: only animations have one; others have an interval");
    check_name(path + "/file", frames.file);
  }

  void check_solver() {
    const SolverSettings& solver = scene_.solver;
    const std::vector<std::string_view> names(kFamilies.begin(), kFamilies.end());
    if (std::find(names.begin(), names.end(), solver.family) == names.end()) {
      const std::string nearest = nearest_name(solver.family, names);
      add("/solver/family", fmt::format("unknown solver \"{}\"; {}", solver.family,
                                        nearest.empty() ? fmt::format("known are {}", fmt::join(names, ", "))
                                                        : fmt::format("did you mean \"{}\"?", nearest)));
    }
    if (solver.position.method == PositionMethod::xpbd && solver.position.sweep == Sweep::jacobi)
      add("/solver/position/sweep", "xpbd sweeps are gauss_seidel or natural, got jacobi");
    check_quality("/solver/position", solver.position);
    each_family(solver, [&](std::string_view name, const auto& settings) {
      if constexpr (std::derived_from<std::remove_cvref_t<decltype(settings)>, Stepping>)
        if (name == solver.family) this->check_stepping(fmt::format("/solver/{}", name), settings);
    });
  }

  // What a quality chooses cannot be given beside it.
  void check_quality(const std::string& path, const PositionSettings& position) {
    if (scene_.solver.family == "position" && position.integrator == Integrator::sdirk2)
      add(path + "/integrator", "must be euler or bdf2, got sdirk2, which needs a minimiser");
    if (!position.quality) return;
    const auto chosen = [&](const char* name, const std::string& given) {
      add(fmt::format("{}/{}", path, name), fmt::format("is chosen by quality (\"{}\"), which must be absent "
                                                        "where {} is given, got {}",
                                                        name_of(*position.quality), name, given));
    };
    const PositionSettings standard;
    if (position.substeps) chosen("substeps", fmt::format("{}", *position.substeps));
    if (position.iterations != standard.iterations)
      chosen("iterations", fmt::format("{}", position.iterations));
    if (position.coarse != standard.coarse) chosen("coarse", "true");
    if (position.method == PositionMethod::pbd)
      add(path + "/quality", "is for xpbd: pbd holds lengths rigidly, got the method pbd");
  }

  void check_stepping(const std::string& path, const Stepping& stepping) {
    if (stepping.adaptive && stepping.integrator == Integrator::bdf2)
      add(path + "/integrator", "bdf2 needs equal steps: set adaptive to false, or take euler or sdirk2");
  }

  void check_self_collision() {
    const bool thin = std::all_of(scene_.cloths.begin(), scene_.cloths.end(),
                                  [](const Cloth& cloth) { return cloth.fabric.thickness == 0; });
    if (scene_.self_collision.enabled && !scene_.self_collision.distance && thin)
      add("/self_collision", "needs a distance, as no cloth has a thickness");
  }

  static constexpr double kLeastSine = 1e-6;  // of the angle between u and v

  const Scene& scene_;
  std::vector<Problem> field_problems_;
  std::vector<Problem> problems_;
  std::int64_t total_points_ = 0;
};

}  // namespace

std::vector<Problem> find_problems(const Scene& given) {
  FieldCheck fields;
  fields.check(given);
  Scene scene = given;
  for (Cloth& cloth : scene.cloths) {
    if (find_fabric(cloth.fabric.preset)) cloth.fabric = resolved(cloth.fabric);
    for (FabricRegion& region : cloth.regions)
      if (region.fabric && find_fabric(region.fabric->preset)) region.fabric = resolved(*region.fabric);
  }
  return SceneCheck(scene, fields.problems()).run();
}

}  // namespace muslin
