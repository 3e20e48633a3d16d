#include "muslin/io/cs184.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "muslin/io/complaints.h"
#include "muslin/io/field_reader.h"

// The format of the cloth exercise of CS184, UC Berkeley. What its files leave unsaid is fixed in its
// program: 90 frames a second of 30 steps each, Verlet with springs limited to 1.1 times their length [Provot
// 1995].

namespace muslin {

namespace {

struct Cs184Cloth {
  double damping = 0, density = 1, ks = 0;
  bool enable_structural = true, enable_shearing = true, enable_bending = true;
  int orientation = 0;
  double width = 1, height = 1;
  int num_width_points = 2, num_height_points = 2;
  double thickness = 0;
  std::vector<std::array<int, 2>> pinned;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("damping", self.damping, {"loss of velocity a step", "%", Range::between(0, 100)});
    visit("density", self.density, {"mass per area", "kg/m^2", Range::positive()});
    visit("ks", self.ks, {"stiffness of each spring", "N/m", Range::not_negative()});
    visit("enable_structural", self.enable_structural, {"structural springs pull"});
    visit("enable_shearing", self.enable_shearing, {"shear springs pull"});
    visit("enable_bending", self.enable_bending, {"bend springs pull"});
    visit("orientation", self.orientation, {"0: horizontal; 1: vertical", "", Range::between(0, 1)});
    visit("width", self.width, {"width", "m", Range::positive()});
    visit("height", self.height, {"height", "m", Range::positive()});
    visit("num_width_points", self.num_width_points, {"points across", "", Range::between(2, 1e9)});
    visit("num_height_points", self.num_height_points, {"points along", "", Range::between(2, 1e9)});
    visit("thickness", self.thickness, {"half the distance points keep", "m", Range::not_negative()});
    visit("pinned", self.pinned, {"pinned points [x, y]", "", Range::between(0, 1e9)});
  }
};

struct Cs184Sphere {
  Vec3 origin = Vec3::Zero();
  double radius = 1, friction = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("origin", self.origin, {"centre", "m"});
    visit("radius", self.radius, {"radius", "m", Range::positive()});
    visit("friction", self.friction, {"friction", "", Range::not_negative()});
  }
};

struct Cs184Plane {
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitY();
  double friction = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("point", self.point, {"a point of the plane", "m"});
    visit("normal", self.normal, {"its normal"});
    visit("friction", self.friction, {"friction", "", Range::not_negative()});
  }
};

struct Cs184Scene {
  Cs184Cloth cloth;
  std::optional<Cs184Sphere> sphere;
  std::optional<Cs184Plane> plane;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("cloth", self.cloth, {"the cloth"});
    visit("sphere", self.sphere, {"a sphere"});
    visit("plane", self.plane, {"a plane"});
  }
};

constexpr int kSteps = 30;           // a frame
constexpr double kFrameRate = 90;    // [1/s]
constexpr double kBendFactor = 0.2;  // of ks
constexpr double kJitter = 0.001;    // [m]

Cloth convert(const Cs184Cloth& from) {
  Cloth cloth;
  Grid& grid = cloth.grid.emplace();
  grid.points = {from.num_width_points, from.num_height_points};
  grid.size = {from.width, from.height};
  grid.diagonals = Diagonals::forward;
  if (from.orientation == 0) {
    grid.origin = Vec3::UnitY();
  } else {
    grid.v = Vec3::UnitY();
    grid.jitter = kJitter;
  }
  const double count = static_cast<double>(from.num_width_points) * from.num_height_points;
  cloth.vertex_mass = from.width * from.height * from.density / count;
  cloth.fabric.thickness = 0;  // colliders touch at their surface
  Springs& springs = cloth.springs.emplace();
  springs.structural = from.enable_structural ? from.ks : 0;
  springs.shear = from.enable_shearing ? from.ks : 0;
  springs.bend = from.enable_bending ? kBendFactor * from.ks : 0;
  if (!from.pinned.empty()) cloth.pins.emplace_back().grid = from.pinned;
  return cloth;
}

Collider convert(const Cs184Sphere& from) {
  Collider sphere;
  sphere.name = "sphere";
  sphere.center = from.origin;
  sphere.radius = from.radius;
  sphere.friction = from.friction;
  sphere.friction_law = FrictionLaw::cs184;
  return sphere;
}

Collider convert(const Cs184Plane& from) {
  Collider plane;
  plane.name = "plane";
  plane.shape = Shape::plane;
  plane.center = from.point;
  plane.axis = from.normal;
  plane.friction = from.friction;
  plane.friction_law = FrictionLaw::cs184;
  return plane;
}

ExplicitSettings settings(double damping_percent) {
  ExplicitSettings steps;
  steps.substeps = kSteps;
  steps.velocity_loss = damping_percent / 100;
  steps.verlet = true;
  steps.spring_forces = true;
  steps.stretch_limit = 1.1;
  steps.limit_sweeps = 1;
  steps.split = Split::mass;
  return steps;
}

Scene convert(const Cs184Scene& from) {
  Scene scene;
  scene.frame_time = 1 / kFrameRate;
  scene.frames = 300;
  scene.gravity = {0, -9.8, 0};
  scene.cloths.push_back(convert(from.cloth));
  if (from.sphere) scene.colliders.push_back(convert(*from.sphere));
  if (from.plane) scene.colliders.push_back(convert(*from.plane));
  if (from.cloth.thickness > 0) {
    scene.self_collision.enabled = true;
    scene.self_collision.distance = 2 * from.cloth.thickness;
    scene.self_collision.relaxation = 1.0 / kSteps;
  }
  scene.solver.family = "explicit";
  scene.solver.explicit_ = settings(from.cloth.damping);
  return scene;
}

// The CS184 key that a problem of the converted scene comes from.
std::string original_path(const Scene& scene, const std::string& path) {
  if (path.starts_with("/cloths/0/grid/points")) return "/cloth/num_width_points";
  if (const std::string pins = "/cloths/0/pins/0/grid"; path.starts_with(pins))
    return "/cloth/pinned" + path.substr(pins.size());
  for (size_t i = 0; i < scene.colliders.size(); ++i)
    if (path == fmt::format("/colliders/{}/axis", i)) return "/plane/normal";
  return "/cloth";
}

}  // namespace

bool is_cs184(const JsonNode& root) {
  const JsonNode* cloth = root.find("cloth");
  if (!cloth || !cloth->as<JsonNode::Object>()) return false;
  bool has_ours = root.find("$schema") != nullptr;
  const auto visit = [&](std::string_view name, const auto&, const FieldInfo&) {
    has_ours = has_ours || root.find(name) != nullptr;
  };
  const Scene ours;
  Scene::fields(ours, visit);
  return !has_ours;
}

std::string converted_path(std::string_view path) {
  struct Pair {
    std::string_view theirs, ours;
  };
  constexpr Pair kPairs[] = {{"cloth/damping", "solver/explicit/velocity_loss (its percent over 100)"},
                             {"cloth/density", "cloths/0/vertex_mass (the cloth's mass over its points)"},
                             {"cloth/ks", "cloths/0/springs/structural, with shear and bend beside it"},
                             {"cloth/enable_structural", "cloths/0/springs/structural"},
                             {"cloth/enable_shearing", "cloths/0/springs/shear"},
                             {"cloth/enable_bending", "cloths/0/springs/bend"},
                             {"cloth/orientation", "cloths/0/grid/v"},
                             {"cloth/width", "cloths/0/grid/size"},
                             {"cloth/height", "cloths/0/grid/size"},
                             {"cloth/num_width_points", "cloths/0/grid/points"},
                             {"cloth/num_height_points", "cloths/0/grid/points"},
                             {"cloth/thickness", "self_collision/distance (twice it)"},
                             {"cloth/pinned", "cloths/0/pins/0/grid"},
                             {"sphere/origin", "colliders/0/center"},
                             {"sphere/radius", "colliders/0/radius"},
                             {"sphere/friction", "colliders/0/friction"},
                             {"plane/point", "colliders/0/center (after a sphere: colliders/1)"},
                             {"plane/normal", "colliders/0/axis (after a sphere: colliders/1)"},
                             {"plane/friction", "colliders/0/friction (after a sphere: colliders/1)"}};
  std::string name(path.substr(path.starts_with('/') ? 1 : 0));
  std::replace(name.begin(), name.end(), '.', '/');
  for (const auto& [theirs, ours] : kPairs)
    if (name == theirs) return std::string(ours);
  return "";
}

Scene convert_cs184(const JsonDocument& document) {
  Complaints complaints;
  const auto from = read_described<Cs184Scene>(document, FieldReader::Missing::is_wrong, complaints);
  complaints.raise(document);

  Scene scene = convert(from);
  scene.name = std::filesystem::path(document.name).stem().string();
  for (const Problem& problem : find_problems(scene))
    complaints.add(document.root, {original_path(scene, problem.path), problem.message});
  complaints.raise(document);
  return scene;
}

}  // namespace muslin
