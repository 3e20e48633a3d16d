#include "muslin/io/gltf_reader.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "muslin/io/gltf_file.h"
#include "muslin/io/gltf_rig.h"
#include "muslin/io/part_names.h"
#include "muslin/io/polygon_mesh.h"
#include "muslin/io/scan.h"

namespace muslin {

namespace {

/// Part of a mesh with one material: vertices, and triangles of them.
struct Primitive {
  std::vector<double> positions, uv, normals;  ///< 3, 2 and 3 a vertex; the latter two may be empty
  std::vector<int> corners;                    ///< 3 a triangle
  std::string material;
  std::vector<std::vector<double>> targets{};  ///< of morph targets, 3 a vertex; empty: nothing
  int influences = 0;                          ///< joints a vertex
  std::vector<int> joints{};                   ///< so many a vertex
  std::vector<double> shares{};                ///< likewise; of each vertex 1 in all

  int vertex_count() const { return static_cast<int>(positions.size() / 3); }
};

/// How corners in a row make triangles [glTF 2.0, 3.7.2.1].
enum class Mode { triangles = 4, strip = 5, fan = 6 };

std::vector<int> triangles_of(const std::vector<int>& corners, Mode mode) {
  if (mode == Mode::triangles) return corners;
  std::vector<int> triangles;
  for (std::size_t k = 0; k + 2 < corners.size(); ++k) {
    const bool is_odd = mode == Mode::strip && k % 2 == 1;
    triangles.push_back(corners[mode == Mode::fan ? 0 : is_odd ? k + 1 : k]);
    triangles.push_back(corners[is_odd ? k : k + 1]);
    triangles.push_back(corners[k + 2]);
  }
  return triangles;
}

/// Which vertices of all primitives, one behind another, are one: those that triangles name and that lie in
/// exactly one place have the number of the first; −1: no triangle names it.
std::vector<int> joined_vertices(const std::vector<Primitive>& primitives) {
  std::vector<std::array<double, 3>> places;
  std::vector<int> first;
  for (const Primitive& primitive : primitives) {
    const auto base = static_cast<int>(places.size());
    for (int v = 0; v < primitive.vertex_count(); ++v) {
      const double* const x = &primitive.positions[3 * static_cast<std::size_t>(v)];
      places.push_back({x[0] + 0.0, x[1] + 0.0, x[2] + 0.0});  // −0 is 0
    }
    first.resize(places.size(), -1);
    for (const int v : primitive.corners) first[base + v] = base + v;
  }
  std::vector<int> order;
  for (const int v : first)
    if (v >= 0) order.push_back(v);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::tie(places[a], a) < std::tie(places[b], b); });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (places[order[k]] == places[order[k - 1]]) first[order[k]] = first[order[k - 1]];
  return first;
}

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const std::string& name, const ReadNeighbour& read)
      : file_(bytes, name, read), rig_(file_), mesh_(name, 0) {}

  Mesh read() {
    read_nodes();
    if (!uv_.empty()) mesh_.attach_uv(std::move(uv_));
    mesh_.join_normals(normals_);
    note_what_was_left_out();
    return mesh_.triangulate();
  }
  std::vector<Points> read_shapes(const std::optional<std::string>& animation, double interval) {
    read_nodes();
    return rig_.shapes(parts_, animation, interval);
  }

 private:
  void read_nodes() {
    check_extensions();
    for (const GltfItem& node : roots()) read_node(node, "", 0);
  }
  void check_extensions() const;
  std::vector<GltfItem> roots() const;
  void read_node(const GltfItem& node, const std::string& groups, int depth);
  void read_mesh(const GltfItem& node, const GltfItem& mesh, const std::string& groups);
  std::vector<double> target_weights(const GltfItem& node, const GltfItem& mesh) const;
  Primitive read_primitive(const GltfItem& item, Mode mode);
  void read_targets(const GltfItem& item, Primitive& primitive);
  void read_influences(const GltfItem& item, int joint_count, Primitive& primitive) const;
  std::vector<int> read_corners(const GltfItem& item, int vertex_count) const;
  void add(const std::vector<Primitive>& primitives, GltfPart part);
  void note_what_was_left_out();
  void note(std::size_t count, const char* one, const char* many) {
    if (count > 0) mesh_.repairs.push_back("left out " + counted(count, one, many));
  }

  GltfFile file_;
  GltfRig rig_;
  PolygonMesh mesh_;
  std::vector<GltfPart> parts_;  ///< whose vertices, one behind another, are those of the mesh
  UniqueNames objects_;
  std::set<std::string> visited_;  ///< nodes, by their paths
  std::vector<Vec2> uv_;
  std::vector<std::array<float, 3>> normals_;
  std::size_t joined_ = 0, targets_ = 0, drawn_otherwise_ = 0;
};

// Of what a file needs, only that can be passed over which changes no shape.
void GltfReader::check_extensions() const {
  constexpr std::array<std::string_view, 5> kHarmless{"KHR_materials_", "KHR_texture_", "EXT_texture_",
                                                      "KHR_lights_punctual", "KHR_mesh_quantization"};
  for (const GltfItem& item : file_.elements(file_.root(), "extensionsRequired")) {
    const auto* const name = item.node->as<std::string>();
    if (!name) file_.fail(item, "must be a string, got {}", finding(*item.node));
    if (std::none_of(kHarmless.begin(), kHarmless.end(),
                     [&](std::string_view harmless) { return name->starts_with(harmless); }))
      file_.fail(item, "{} is not read: export the file without {}", quote(*name),
                 name->find("compression") != name->npos ? "compression" : "this extension");
  }
}

// The nodes of the scene that is shown first; without scenes all that are no child of another.
std::vector<GltfItem> GltfReader::roots() const {
  const std::vector<GltfItem> scenes = file_.elements(file_.root(), "scenes");
  std::vector<GltfItem> nodes;
  if (!scenes.empty()) {
    const std::optional<GltfItem> chosen = file_.find(file_.root(), "scene");
    for (const GltfItem& number :
         file_.elements(chosen ? file_.element("scenes", *chosen) : scenes.front(), "nodes"))
      nodes.push_back(file_.element("nodes", number));
    return nodes;
  }
  std::set<std::string> children;
  const std::vector<GltfItem> all = file_.elements(file_.root(), "nodes");
  for (const GltfItem& node : all)
    for (const GltfItem& child : file_.elements(node, "children"))
      children.insert(file_.element("nodes", child).path);
  std::copy_if(all.begin(), all.end(), std::back_inserter(nodes),
               [&](const GltfItem& node) { return !children.contains(node.path); });
  return nodes;
}

void GltfReader::read_node(const GltfItem& node, const std::string& groups, int depth) {
  constexpr int kDeepest = 200;
  if (depth > kDeepest) file_.fail(node, "must lie at most {} nodes deep", kDeepest);
  if (!visited_.insert(node.path).second) file_.fail(node, "must be the child of one node, got a second");
  if (const std::optional<GltfItem> mesh = file_.find(node, "mesh"))
    read_mesh(node, file_.element("meshes", *mesh), groups);
  const std::string name = file_.text(node, "name");
  for (const GltfItem& child : file_.elements(node, "children"))
    read_node(file_.element("nodes", child),
              name.empty() ? groups : with_group(groups, group_name(name, "node")), depth + 1);
}

std::vector<double> GltfReader::target_weights(const GltfItem& node, const GltfItem& mesh) const {
  const GltfItem& owner = file_.find(node, "weights") ? node : mesh;  // as glTF has it
  std::vector<double> weights;
  for (const GltfItem& weight : file_.elements(owner, "weights")) {
    const std::optional<double> number = weight.node->number();
    if (!number || !std::isfinite(*number)) file_.fail(weight, "must be a finite number");
    weights.push_back(*number);
  }
  return weights;
}

void GltfReader::read_mesh(const GltfItem& node, const GltfItem& mesh, const std::string& groups) {
  GltfPart part;
  part.node = node;
  part.weights = target_weights(node, mesh);
  const std::optional<GltfItem> skin = file_.find(node, "skin");
  if (skin) part.skin = rig_.add_skin(file_.element("skins", *skin));
  std::vector<Primitive> primitives;
  for (const GltfItem& item : file_.elements(mesh, "primitives")) {
    const std::uint32_t mode = file_.whole(item, "mode", static_cast<std::uint32_t>(Mode::triangles));
    if (mode > static_cast<std::uint32_t>(Mode::fan)) file_.fail(item, "mode must be 0 to 6, got {}", mode);
    if (mode < static_cast<std::uint32_t>(Mode::triangles)) {
      ++drawn_otherwise_;
      continue;
    }
    primitives.push_back(read_primitive(item, static_cast<Mode>(mode)));
    if (skin) read_influences(item, rig_.joint_count(part.skin), primitives.back());
    if (primitives.back().targets.size() != primitives.front().targets.size())
      file_.fail(item, "must have {} morph targets, as the primitive before, got {}",
                 primitives.front().targets.size(), primitives.back().targets.size());
  }
  const std::string of_mesh = part_name(file_.text(mesh, "name"), node.path.substr(1));
  mesh_.name_polygons(0, objects_.take(part_name(file_.text(node, "name"), of_mesh)));
  mesh_.name_polygons(1, groups);
  add(primitives, std::move(part));
}

// What morph targets add to POSITION.
void GltfReader::read_targets(const GltfItem& item, Primitive& primitive) {
  for (const GltfItem& target : file_.elements(item, "targets")) {
    std::vector<double>& moves = primitive.targets.emplace_back();
    const std::optional<GltfItem> from = file_.find(target, "POSITION");
    if (!from) continue;
    moves = file_.accessor(file_.element("accessors", *from), "VEC3");
    if (moves.size() != primitive.positions.size())
      file_.fail(target, "POSITION must have the {} elements of the primitive's, got {}",
                 primitive.vertex_count(), moves.size() / 3);
  }
}

// Which joints move a vertex, and how much: JOINTS_0 and WEIGHTS_0, JOINTS_1 and so on.
void GltfReader::read_influences(const GltfItem& item, int joint_count, Primitive& primitive) const {
  constexpr int kMostSets = 8;
  constexpr double kMostOff = 0.01;  // from 1, of the sum of weights; numbers of 8 bits are 0.004 off
  const GltfItem attributes = file_.find(item, "attributes").value_or(item);
  const auto count = static_cast<std::size_t>(primitive.vertex_count());
  std::vector<std::vector<double>> joints, weights;
  for (int set = 0; set < kMostSets; ++set) {
    const auto from = file_.find(attributes, fmt::format("JOINTS_{}", set));
    const auto shares = file_.find(attributes, fmt::format("WEIGHTS_{}", set));
    if (!from && !shares) break;
    if (!from || !shares) file_.fail(attributes, "must have both JOINTS_{0} and WEIGHTS_{0}, got one", set);
    joints.push_back(file_.accessor(file_.element("accessors", *from), "VEC4"));
    weights.push_back(file_.accessor(file_.element("accessors", *shares), "VEC4"));
    if (joints.back().size() != 4 * count || weights.back().size() != 4 * count)
      file_.fail(attributes, "JOINTS_{0} and WEIGHTS_{0} must have the {1} elements of POSITION", set, count);
  }
  if (joints.empty())
    file_.fail(attributes, "must have JOINTS_0 and WEIGHTS_0, as a skeleton moves the mesh");
  primitive.influences = static_cast<int>(4 * joints.size());
  for (std::size_t v = 0; v < count; ++v) {
    double sum = 0;
    for (const auto& set : weights)
      for (std::size_t k = 0; k < 4; ++k) sum += set[4 * v + k];
    if (!(std::abs(sum - 1) <= kMostOff))
      file_.fail(attributes, "weights of vertex {} must sum to 1, got {:.6g}", v, sum);
    for (std::size_t s = 0; s < joints.size(); ++s)
      for (std::size_t k = 0; k < 4; ++k) {
        const double joint = joints[s][4 * v + k], weight = weights[s][4 * v + k];
        if (weight < 0) file_.fail(attributes, "weights of vertex {} must be >= 0, got {:.6g}", v, weight);
        const bool exists = joint >= 0 && joint < joint_count;
        if (!exists && weight > 0)
          file_.fail(attributes, "vertex {} must have joints from 0 to {} of the skin, got {}", v,
                     joint_count - 1, joint);
        primitive.joints.push_back(exists ? static_cast<int>(joint) : 0);
        primitive.shares.push_back(weight / sum);
      }
  }
}

Primitive GltfReader::read_primitive(const GltfItem& item, Mode mode) {
  if (const auto extensions = file_.find(item, "extensions"))
    if (const auto draco = file_.find(*extensions, "KHR_draco_mesh_compression"))
      file_.fail(*draco, "compressed meshes are not read: export the file without compression");
  const std::optional<GltfItem> attributes = file_.find(item, "attributes");
  const auto read = [&](std::string_view name, std::string_view type) {
    const std::optional<GltfItem> from = attributes ? file_.find(*attributes, name) : std::nullopt;
    return from ? file_.accessor(file_.element("accessors", *from), type) : std::vector<double>();
  };
  Primitive primitive{read("POSITION", "VEC3"), read("TEXCOORD_0", "VEC2"), read("NORMAL", "VEC3"), {}, ""};
  const int count = primitive.vertex_count();
  const auto expect = [&](const std::vector<double>& values, int components, const char* name) {
    if (!values.empty() && std::ssize(values) != std::ptrdiff_t{components} * count)
      file_.fail(item, "{} must have the {} elements of POSITION, got {}", name, count,
                 std::ssize(values) / components);
  };
  expect(primitive.uv, 2, "TEXCOORD_0");
  expect(primitive.normals, 3, "NORMAL");
  primitive.corners = triangles_of(read_corners(item, count), mode);
  if (primitive.corners.size() % 3 != 0)
    file_.fail(item, "must have three corners a triangle, got {} corners", primitive.corners.size());
  if (const auto material = file_.find(item, "material")) {
    const GltfItem named = file_.element("materials", *material);
    primitive.material = part_name(file_.text(named, "name"), named.path.substr(1));
  }
  read_targets(item, primitive);
  targets_ += primitive.targets.size();
  return primitive;
}

// Without indices, every vertex is a corner.
std::vector<int> GltfReader::read_corners(const GltfItem& item, int vertex_count) const {
  std::vector<int> corners;
  const std::optional<GltfItem> indices = file_.find(item, "indices");
  if (!indices) {
    corners.resize(vertex_count);
    std::iota(corners.begin(), corners.end(), 0);
    return corners;
  }
  const GltfItem accessor = file_.element("accessors", *indices);
  for (const double number : file_.accessor(accessor, "SCALAR")) {
    if (!(number >= 0 && number < vertex_count && number == static_cast<int>(number)))
      file_.fail(accessor, "element {} must be a vertex from 0 to {}, got {}", corners.size(),
                 vertex_count - 1, number);
    corners.push_back(static_cast<int>(number));
  }
  return corners;
}

void GltfReader::add(const std::vector<Primitive>& primitives, GltfPart part) {
  const std::vector<int> first = joined_vertices(primitives);
  const bool is_mirrored = part.influences == 0 && rig_.transform_of(part.node).linear().determinant() < 0;
  const int first_number = static_cast<int>(mesh_.positions.size());
  std::vector<int> number(first.size(), -1);  // in the whole mesh
  // 1. Vertices, as the part has them and then as they are at rest
  std::vector<Vec3> places;
  std::vector<std::vector<Vec3>> moves(primitives.empty() ? 0 : primitives.front().targets.size());
  for (const Primitive& primitive : primitives)
    part.influences = std::max(part.influences, primitive.influences);
  std::size_t base = 0;
  for (const Primitive& primitive : primitives) {
    const auto vertices = static_cast<std::size_t>(primitive.vertex_count());
    for (std::size_t v = 0; v < vertices; ++v) {
      const int same = first[base + v];
      if (same < 0) continue;
      if (same != static_cast<int>(base + v)) {
        number[base + v] = number[same];
        ++joined_;
        continue;
      }
      number[base + v] = first_number + static_cast<int>(places.size());
      places.emplace_back(Eigen::Map<const Vec3>(&primitive.positions[3 * v]));
      for (std::size_t k = 0; k < moves.size(); ++k)
        moves[k].push_back(primitive.targets[k].empty()
                               ? Vec3(Vec3::Zero())
                               : Vec3(Eigen::Map<const Vec3>(&primitive.targets[k][3 * v])));
      for (int k = 0; k < part.influences; ++k) {
        const std::size_t at =
            v * static_cast<std::size_t>(primitive.influences) + static_cast<std::size_t>(k);
        part.joints.push_back(k < primitive.influences ? primitive.joints[at] : 0);
        part.shares.push_back(k < primitive.influences ? primitive.shares[at] : 0);
      }
    }
    base += vertices;
  }
  const auto in_columns = [](const std::vector<Vec3>& vectors) {
    Points points(3, static_cast<Eigen::Index>(vectors.size()));
    for (std::size_t v = 0; v < vectors.size(); ++v) points.col(static_cast<Eigen::Index>(v)) = vectors[v];
    return points;
  };
  part.base = in_columns(places);
  for (const std::vector<Vec3>& target : moves) part.targets.push_back(in_columns(target));
  const Points at_rest = rig_.at_rest(part);
  for (const Vec3 place : at_rest.colwise()) mesh_.add_vertex(place, 0);
  parts_.push_back(std::move(part));

  // 2. Triangles
  base = 0;
  for (const Primitive& primitive : primitives) {
    const int first_uv = static_cast<int>(uv_.size()), first_normal = static_cast<int>(normals_.size());
    for (std::size_t v = 0; v < primitive.uv.size(); v += 2)
      uv_.emplace_back(primitive.uv[v], 1 - primitive.uv[v + 1]);  // v goes down in glTF
    for (std::size_t v = 0; v < primitive.normals.size(); v += 3)
      normals_.push_back({static_cast<float>(primitive.normals[v]),
                          static_cast<float>(primitive.normals[v + 1]),
                          static_cast<float>(primitive.normals[v + 2])});
    mesh_.name_polygons(2, primitive.material);
    for (std::size_t c = 0; c < primitive.corners.size(); c += 3) {
      std::array<int, 3> corners{primitive.corners[c], primitive.corners[c + 1], primitive.corners[c + 2]};
      if (is_mirrored) std::swap(corners[1], corners[2]);
      for (const int v : corners)
        mesh_.add_corner(number[base + static_cast<std::size_t>(v)],
                         primitive.uv.empty() ? Polygons::kNone : first_uv + v,
                         primitive.normals.empty() ? Polygons::kNone : first_normal + v);
      mesh_.end_polygon(0);
    }
    base += static_cast<std::size_t>(primitive.vertex_count());
  }
}

void GltfReader::note_what_was_left_out() {
  if (joined_ > 0)
    mesh_.repairs.push_back("joined " + counted(joined_, "vertex", "vertices") +
                            " to others of their mesh in the same place, as glTF splits them");
  note(file_.elements(file_.root(), "animations").size(), "animation", "animations");
  const auto acts = [](const GltfPart& part) {
    return !part.targets.empty() &&
           std::any_of(part.weights.begin(), part.weights.end(), [](double w) { return w != 0; });
  };
  if (std::none_of(parts_.begin(), parts_.end(), acts)) note(targets_, "morph target", "morph targets");
  note(drawn_otherwise_, "primitive of points or lines", "primitives of points or lines");
}

}  // namespace

Mesh parse_gltf(std::string_view bytes, const std::string& name, const ReadNeighbour& read) {
  return GltfReader(bytes, name, read).read();
}

std::vector<Points> parse_gltf_animation(std::string_view bytes, const std::string& name,
                                         const ReadNeighbour& read,
                                         const std::optional<std::string>& animation, double interval) {
  return GltfReader(bytes, name, read).read_shapes(animation, interval);
}

}  // namespace muslin
