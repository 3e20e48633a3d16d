#include "muslin/io/usd_reader.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "muslin/io/part_names.h"
#include "muslin/io/polygon_mesh.h"
#include "muslin/io/scan.h"
#include "muslin/io/usd_text.h"
#include "muslin/model/motion.h"

namespace muslin {

namespace {

/// The first word of a property: a token or a path; "" where there is none.
std::string word_of(const UsdPrim& prim, std::string_view name) {
  const UsdProperty* const property = prim.find(name);
  return property && !property->value.words.empty() ? property->value.words[0] : "";
}

/// The name of the material bound to a prim itself; "" without any.
std::string material_of(const UsdPrim& prim) {
  const std::string path = word_of(prim, "material:binding");
  return path.empty() ? "" : part_name(path.substr(path.rfind('/') + 1), "material");
}

/// Prims that have a shape, and are no Mesh.
constexpr std::array<std::string_view, 14> kOtherShapes{
    "BasisCurves", "Capsule", "Cone",           "Cube",   "Cylinder", "HermiteCurves", "NurbsCurves",
    "NurbsPatch",  "Plane",   "PointInstancer", "Points", "Sphere",   "TetMesh",       "Volume"};

/// What holds for a prim and all below it.
struct Surroundings {
  Eigen::Affine3d transform;
  std::string groups;    ///< names of prims above
  std::string material;  ///< bound to one of these
};

/// What the GeomSubsets of a mesh say of a face, as numbers of them.
struct SubsetsOfFace {
  std::vector<int> groups;
  int material = -1;  ///< -1: none
  bool operator==(const SubsetsOfFace&) const = default;
};

class UsdReader {
 public:
  UsdReader(std::string_view text, const std::string& name, PolygonsAs polygons_as)
      : layer_(parse_usd_text(text, name)), mesh_(name, 0) {
    mesh_.polygons_as = polygons_as;
  }

  Mesh read() {
    world_ = world_of_layer();
    const Surroundings world{world_, "", ""};
    for (const UsdPrim& prim : layer_.children) read_prim(prim, world);
    if (!uv_.empty()) mesh_.attach_uv(std::move(uv_));
    for (const auto& [type, count] : left_out_)
      mesh_.repairs.push_back(fmt::format("left out {} {}", count, type));
    if (hidden_ > 0)
      mesh_.repairs.push_back("left out " + counted(hidden_,
                                                    "prim that is off, invisible, a guide or a proxy",
                                                    "prims that are off, invisible, guides or proxies"));
    if (sampled_ > 0)
      mesh_.repairs.push_back("took the first time sample of " +
                              counted(sampled_, "attribute", "attributes"));
    return mesh_.triangulate();
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(std::size_t line, fmt::format_string<Args...> words, Args&&... args) {
    mesh_.problems.fail(mesh_.at(line), words, std::forward<Args>(args)...);
  }

  Eigen::Affine3d world_of_layer();
  void read_prim(const UsdPrim& prim, const Surroundings& above);
  bool is_left_out(const UsdPrim& prim);
  Eigen::Affine3d transform_of(const UsdPrim& prim, const Eigen::Affine3d& above);
  Eigen::Affine3d operation(const UsdPrim& prim, const std::string& name, const UsdValue& order);
  void read_mesh(const UsdPrim& prim, const Surroundings& around);
  std::vector<int> read_whole(const UsdPrim& prim, std::string_view name, double least, double most);
  std::vector<SubsetsOfFace> read_subsets(const UsdPrim& prim, std::size_t faces);
  void name_faces(const UsdPrim& prim, const Surroundings& around, const SubsetsOfFace& subsets);
  std::vector<int> read_uv(const UsdPrim& prim, const std::vector<int>& corners, std::size_t vertices);
  const UsdValue* value_of(const UsdPrim& prim, std::string_view name);

  UsdPrim layer_;
  PolygonMesh mesh_;
  Eigen::Affine3d world_;  ///< from the layer's unit and axes to ours
  UniqueNames objects_;
  std::vector<Vec2> uv_;
  std::map<std::string, std::size_t> left_out_;  // shapes, by type
  std::size_t hidden_ = 0;
  std::size_t sampled_ = 0;
};

// Where a Mesh keeps what holds without time.
const UsdValue* UsdReader::value_of(const UsdPrim& prim, std::string_view name) {
  const UsdProperty* const property = prim.find(name);
  if (!property) return nullptr;
  if (property->is_sampled) ++sampled_;
  for (const double number : property->value.numbers)
    if (!std::isfinite(number)) fail(property->value.place, "{} must be finite, got {}", name, number);
  return &property->value;
}

// --- places ----------------------------------------------------------------------------------------

/// Metres and y up. What a layer does not say is centimetres and y up [OpenUSD, UsdGeom].
Eigen::Affine3d UsdReader::world_of_layer() {
  constexpr double kDefault = 0.01;
  Eigen::Affine3d world = Eigen::Affine3d::Identity();
  double metres = kDefault;
  const auto unit = layer_.metadata.find("metersPerUnit");
  if (unit == layer_.metadata.end())
    mesh_.repairs.emplace_back("took lengths for centimetres, as USD does without metersPerUnit");
  else if (unit->second.numbers.size() == 1 && unit->second.numbers[0] > 0 &&
           std::isfinite(unit->second.numbers[0]))
    metres = unit->second.numbers[0];
  else
    fail(unit->second.place, "metersPerUnit must be a number above 0");
  if (metres != 1) world.scale(metres);
  const auto up = layer_.metadata.find("upAxis");
  if (up == layer_.metadata.end()) return world;
  const std::string axis = up->second.words.empty() ? "" : up->second.words[0];
  if (axis != "Y" && axis != "Z")
    fail(up->second.place, "upAxis must be \"Y\" or \"Z\", got {}", quote(axis));
  if (axis == "Z") world.linear() *= (Mat3() << 1, 0, 0, 0, 0, 1, 0, -1, 0).finished();
  return world;
}

Eigen::Affine3d UsdReader::transform_of(const UsdPrim& prim, const Eigen::Affine3d& above) {
  Eigen::Affine3d transform = above;
  const UsdValue* const order = value_of(prim, "xformOpOrder");
  if (!order) return transform;
  for (std::string name : order->words) {
    constexpr std::string_view kInvert = "!invert!";
    if (name == "!resetXformStack!") {
      transform = world_;
      continue;
    }
    const bool is_inverse = name.starts_with(kInvert);
    if (is_inverse) name.erase(0, kInvert.size());
    const Eigen::Affine3d step = operation(prim, name, *order);
    if (is_inverse && !(std::abs(step.linear().determinant()) > 0))
      fail(order->place, "{} must have an inverse", quote(name));
    transform = transform * (is_inverse ? step.inverse() : step);
  }
  return transform;
}

/// One entry of xformOpOrder: "xformOp:rotateXYZ:pose".
Eigen::Affine3d UsdReader::operation(const UsdPrim& prim, const std::string& name, const UsdValue& order) {
  constexpr std::string_view kPrefix = "xformOp:";
  const UsdValue* const value = value_of(prim, name);
  if (!name.starts_with(kPrefix) || !value)
    fail(order.place, "xformOpOrder names {}, which is missing", quote(name));
  const std::string kind = name.substr(kPrefix.size(), name.find(':', kPrefix.size()) - kPrefix.size());
  const std::vector<double>& x = value->numbers;
  const auto expect = [&](std::size_t count) {
    if (x.size() != count) fail(value->place, "{} must have {} numbers, got {}", name, count, x.size());
  };
  const auto turn = [](char axis, double degrees) { return rotation_xyz(degrees * Vec3::Unit(axis - 'X')); };
  Eigen::Affine3d step = Eigen::Affine3d::Identity();
  if (kind == "translate" || kind == "scale") {
    expect(3);
    const Vec3 v(x[0], x[1], x[2]);
    kind == "scale" ? step.scale(v) : step.translate(v);
  } else if (kind == "orient") {
    expect(4);
    const Eigen::Quaterniond rotation(x[0], x[1], x[2], x[3]);  // the real part first
    if (!(rotation.norm() > 0)) fail(value->place, "{} must not be zero", name);
    step.rotate(rotation.normalized());
  } else if (kind == "transform") {
    expect(16);
    step.matrix() = Eigen::Map<const Eigen::Matrix4d>(x.data());  // USD's rows are columns: x' = x M
    if (step.matrix().row(3) != Eigen::RowVector4d(0, 0, 0, 1))
      fail(value->place, "{} must have 0 0 0 1 as its last column", name);
  } else if (kind == "rotateX" || kind == "rotateY" || kind == "rotateZ") {
    expect(1);
    step.rotate(turn(kind.back(), x[0]));
  } else if (std::string axes = kind.starts_with("rotate") ? kind.substr(6) : ""; axes.size() == 3) {
    expect(3);
    std::string sorted = axes;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != "XYZ") fail(value->place, "{} is no operation of USD", quote(name));
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)  // XYZ: about x first
      step.rotate(turn(*axis, x[static_cast<std::size_t>(*axis - 'X')]));
  } else {
    fail(value->place, "{} is no operation of USD", quote(name));
  }
  return step;
}

// --- prims -----------------------------------------------------------------------------------------

bool UsdReader::is_left_out(const UsdPrim& prim) {
  if (prim.specifier != "def") return true;  // nothing is drawn of it by itself
  const auto active = prim.metadata.find("active");
  const bool is_off =
      active != prim.metadata.end() && active->second.words == std::vector<std::string>{"false"};
  const std::string purpose = word_of(prim, "purpose");
  const bool is_hidden =
      is_off || word_of(prim, "visibility") == "invisible" || purpose == "guide" || purpose == "proxy";
  if (is_hidden) ++hidden_;
  return is_hidden;
}

void UsdReader::read_prim(const UsdPrim& prim, const Surroundings& above) {
  if (is_left_out(prim)) return;
  Surroundings here{transform_of(prim, above.transform), above.groups, above.material};
  if (const std::string bound = material_of(prim); !bound.empty()) here.material = bound;
  if (prim.type == "Mesh") read_mesh(prim, here);
  if (std::find(kOtherShapes.begin(), kOtherShapes.end(), prim.type) != kOtherShapes.end())
    ++left_out_[prim.type];
  here.groups = with_group(here.groups, group_name(prim.name, "prim"));
  for (const UsdPrim& child : prim.children)
    if (child.type != "GeomSubset") read_prim(child, here);
}

std::vector<int> UsdReader::read_whole(const UsdPrim& prim, std::string_view name, double least,
                                       double most) {
  const UsdValue* const value = value_of(prim, name);
  std::vector<int> numbers;
  if (!value) return numbers;
  numbers.reserve(value->numbers.size());
  for (const double number : value->numbers) {
    if (!(number >= least && number <= most && number == std::floor(number)))
      fail(value->place, "number {} of {} must be a whole number from {} to {}, got {}", numbers.size(), name,
           least, most, number);
    numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

void UsdReader::read_mesh(const UsdPrim& prim, const Surroundings& around) {
  constexpr double kMostCorners = 1e9;
  if (prim.find("primvars:skel:jointIndices"))
    fail(prim.place, "a skeleton deforms {}, and is not read: apply the pose, export without it",
         quote(prim.name));
  const UsdValue* const points = value_of(prim, "points");
  if (!points || points->numbers.empty()) return;
  if (points->width != 3) fail(points->place, "points must be tuples of 3 numbers, got {}", points->width);
  const std::size_t vertices = points->numbers.size() / 3, first = mesh_.positions.size();
  const std::vector<int> counts = read_whole(prim, "faceVertexCounts", 0, kMostCorners);
  const std::vector<int> corners =
      read_whole(prim, "faceVertexIndices", 0, static_cast<double>(vertices) - 1);
  std::size_t sum = 0;
  for (const int count : counts) sum += static_cast<std::size_t>(count);
  if (sum != corners.size())
    fail(prim.place, "faceVertexCounts of {} make {} corners, faceVertexIndices has {}", quote(prim.name),
         sum, corners.size());
  const std::vector<int> uv = read_uv(prim, corners, vertices);
  const std::vector<SubsetsOfFace> subsets = read_subsets(prim, counts.size());
  std::vector<bool> is_hole(counts.size());
  for (const int hole : read_whole(prim, "holeIndices", 0, static_cast<double>(counts.size()) - 1))
    is_hole[static_cast<std::size_t>(hole)] = true;

  for (std::size_t v = 0; v < vertices; ++v)
    mesh_.add_vertex(around.transform * Eigen::Map<const Vec3>(&points->numbers[3 * v]), points->place);
  mesh_.name_polygons(0, objects_.take(part_name(prim.name, "mesh")));
  const bool is_left_handed = word_of(prim, "orientation") == "leftHanded";
  const bool is_turned = is_left_handed != (around.transform.linear().determinant() < 0);
  std::size_t begin = 0;
  for (std::size_t f = 0; f < counts.size(); ++f) {
    const auto count = static_cast<std::size_t>(counts[f]);
    if (f == 0 || !(subsets[f] == subsets[f - 1])) name_faces(prim, around, subsets[f]);
    for (std::size_t k = 0; k < count && !is_hole[f]; ++k) {
      const std::size_t corner = begin + (is_turned ? count - 1 - k : k);
      mesh_.add_corner(static_cast<int>(first) + corners[corner], uv.empty() ? Polygons::kNone : uv[corner]);
    }
    if (!is_hole[f]) mesh_.end_polygon(prim.place);
    begin += count;
  }
}

/// Subsets that bind a material, and those that are groups: all but those of the family materialBind.
std::vector<SubsetsOfFace> UsdReader::read_subsets(const UsdPrim& prim, std::size_t faces) {
  std::vector<SubsetsOfFace> of_faces(faces);
  for (std::size_t k = 0; k < prim.children.size(); ++k) {
    const UsdPrim& subset = prim.children[k];
    if (subset.type != "GeomSubset") continue;
    if (const std::string type = word_of(subset, "elementType"); !type.empty() && type != "face")
      fail(subset.place, "a GeomSubset must be of elementType face, got {}", quote(type));
    const bool has_material = !word_of(subset, "material:binding").empty();
    const bool is_group = word_of(subset, "familyName") != "materialBind";
    const int number = static_cast<int>(k);
    for (const int face : read_whole(subset, "indices", 0, static_cast<double>(faces) - 1)) {
      SubsetsOfFace& its = of_faces[static_cast<std::size_t>(face)];
      if (has_material) its.material = number;
      if (is_group && (its.groups.empty() || its.groups.back() != number)) its.groups.push_back(number);
    }
  }
  return of_faces;
}

/// The faces that end from now on have these names.
void UsdReader::name_faces(const UsdPrim& prim, const Surroundings& around, const SubsetsOfFace& subsets) {
  std::string groups = around.groups;
  for (const int k : subsets.groups) groups = with_group(groups, group_name(prim.children[k].name, "subset"));
  mesh_.name_polygons(1, groups);
  mesh_.name_polygons(2,
                      subsets.material < 0 ? around.material : material_of(prim.children[subsets.material]));
}

/// Which of the listed texture coordinates each corner has; nothing without any. They are primvars:st, or
/// else the first primvar of texture coordinates.
std::vector<int> UsdReader::read_uv(const UsdPrim& prim, const std::vector<int>& corners,
                                    std::size_t vertices) {
  std::string name = "primvars:st";
  const auto is_uv = [&](const auto& entry) {
    return entry.first.starts_with("primvars:") && entry.second.type == "texCoord2f[]";
  };
  if (!prim.find(name)) {
    const auto found = std::find_if(prim.properties.begin(), prim.properties.end(), is_uv);
    if (found == prim.properties.end()) return {};
    name = found->first;
  }
  const UsdValue& values = *value_of(prim, name);
  if (values.numbers.empty()) return {};
  if (values.width != 2) fail(values.place, "{} must be tuples of 2 numbers, got {}", name, values.width);
  const UsdValues& metadata = prim.find(name)->metadata;
  const auto interpolation = metadata.find("interpolation");
  const std::string how = interpolation == metadata.end() || interpolation->second.words.empty()
                              ? ""
                              : interpolation->second.words[0];
  const bool per_corner = how == "faceVarying";
  if (!per_corner && how != "vertex" && how != "varying") return {};

  const std::size_t listed = values.numbers.size() / 2, wanted = per_corner ? corners.size() : vertices;
  std::vector<int> number = read_whole(prim, name + ":indices", 0, static_cast<double>(listed) - 1);
  if (number.empty())
    for (std::size_t k = 0; k < listed; ++k) number.push_back(static_cast<int>(k));
  if (number.size() != wanted)
    fail(values.place, "{} must have {} texture coordinates, one a {}, got {}", name, wanted,
         per_corner ? "corner" : "vertex", number.size());
  const int first = static_cast<int>(uv_.size());
  for (std::size_t k = 0; k < listed; ++k) uv_.emplace_back(values.numbers[2 * k], values.numbers[2 * k + 1]);
  std::vector<int> of_corners;
  for (std::size_t c = 0; c < corners.size(); ++c)
    of_corners.push_back(first + number[per_corner ? c : static_cast<std::size_t>(corners[c])]);
  return of_corners;
}

}  // namespace

Mesh parse_usd(std::string_view text, const std::string& name, PolygonsAs polygons_as) {
  return UsdReader(text, name, polygons_as).read();
}

}  // namespace muslin
