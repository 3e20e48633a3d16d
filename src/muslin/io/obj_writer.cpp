#include "muslin/io/frame_writer.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <iterator>
#include <utility>

namespace muslin {

namespace {

/// The name without what would end its line or join it to the next.
std::string printable(std::string name) {
  for (char& c : name)
    if ((c >= 0 && c < ' ') || c == '\x7f' || c == '\\' || c == '#') c = '_';
  return name;
}

// --- normals ---------------------------------------------------------------------------------------

/// Normals of polygons, joined at the vertices where the file joins them.
struct CornerNormals {
  std::vector<Vec3> normals;
  std::vector<int> of_corner;  ///< index into them, or Polygons::kNone
};

/// Twice the area of a polygon along its normal.
Vec3 area_of(const Polygons& polygons, int polygon, const Points& positions) {
  const int begin = polygons.begin_of(polygon), end = polygons.end[polygon];
  const Vec3 first = positions.col(polygons.corners[begin]);
  Vec3 area = Vec3::Zero();
  for (int c = begin + 1; c + 1 < end; ++c)
    area += Vec3(positions.col(polygons.corners[c]) - first)
                .cross(Vec3(positions.col(polygons.corners[c + 1]) - first));
  return area;
}

/// One a polygon: whether it is said not to be smooth (s off).
std::vector<bool> flat_polygons(const Polygons& polygons) {
  std::vector<bool> flat(polygons.count());
  for (std::size_t p = 0; p < polygons.parts.size(); ++p) {
    const int s = polygons.parts[p].smoothing;
    const bool is_flat =
        s != Polygons::kNone && (polygons.smoothings[s] == "off" || polygons.smoothings[s] == "0");
    std::fill(flat.begin() + polygons.parts[p].first, flat.begin() + polygons.end_of_part(p), is_flat);
  }
  return flat;
}

/// `positions` are those of the file's vertices.
CornerNormals corner_normals(const Polygons& polygons, const Points& positions) {
  constexpr int kNone = Polygons::kNone;
  CornerNormals result;
  result.of_corner.assign(polygons.corners.size(), kNone);
  if (polygons.corner_normal.empty()) return result;
  // The normals of a vertex make a list: first, then next of each.
  struct Entry {
    int number, next;
  };
  std::vector<Entry> entries;
  std::vector<int> first(positions.cols(), kNone);
  const std::vector<bool> flat = flat_polygons(polygons);
  for (int p = 0; p < polygons.count(); ++p) {
    const Vec3 area = area_of(polygons, p, positions);
    for (int c = polygons.begin_of(p); c < polygons.end[p]; ++c) {
      if (polygons.corner_normal[c] == kNone) continue;
      const int number = flat[p] ? kNone - 1 - p : polygons.corner_normal[c];  // a flat one shares none
      int& head = first[polygons.corners[c]];
      int entry = head;
      while (entry != kNone && entries[entry].number != number) entry = entries[entry].next;
      if (entry == kNone) {
        entry = static_cast<int>(entries.size());
        entries.push_back({number, std::exchange(head, entry)});
        result.normals.emplace_back(Vec3::Zero());
      }
      result.normals[entry] += area;
      result.of_corner[c] = entry;
    }
  }
  for (Vec3& normal : result.normals) normal.stableNormalize();
  return result;
}

// --- text ------------------------------------------------------------------------------------------

/// Text with the fewest digits that give back every coordinate bit by bit.
class ObjText {
 public:
  ObjText(const Model& model, const State& state) : model_(model), state_(state) {
    has_uv_ = std::any_of(model.written.begin(), model.written.end(), [](const WrittenMesh& mesh) {
      return std::any_of(mesh.uv.begin(), mesh.uv.end(), [](const Vec2& uv) { return uv != Vec2::Zero(); });
    });
  }

  std::string write() {
    for (const WrittenMesh& mesh : model_.written) mesh.polygons ? add_polygons(mesh) : add_triangles(mesh);
    return fmt::to_string(text_);
  }

 private:
  /// `format` is one of FMT_COMPILE: of a run's time, reading formats took a seventh.
  template <class Format, class... Args>
  void line(const Format& format, const Args&... args) {
    fmt::format_to(std::back_inserter(text_), format, args...);
    text_.push_back('\n');
  }

  void add_vertices(const Points& positions) {
    for (const auto& x : positions.colwise()) line(FMT_COMPILE("v {} {} {}"), x.x(), x.y(), x.z());
  }
  void add_uv(const std::vector<Vec2>& uv) {
    for (const Vec2& place : uv) line(FMT_COMPILE("vt {} {}"), place.x(), place.y());
    uv_count_ += static_cast<int>(uv.size());
  }
  /// One a vertex; (0, 0) where a mesh has none but another has.
  std::vector<Vec2> uv_of_vertices(const WrittenMesh& mesh) const {
    std::vector<Vec2> uv = has_uv_ ? mesh.uv : std::vector<Vec2>();
    if (has_uv_) uv.resize(mesh.vertex_count, Vec2::Zero());
    return uv;
  }

  Points positions_of(const WrittenMesh& mesh) const {
    Points positions(3, mesh.vertex_count);
    for (int v = 0; v < mesh.vertex_count; ++v)
      positions.col(v) = state_.positions.col(model_.vertex_numbers.to_model(mesh.first_vertex + v));
    return positions;
  }

  void add_triangles(const WrittenMesh& mesh) {
    line(FMT_COMPILE("o {}"), printable(mesh.name));
    const int first_uv = uv_count_ + 1 - mesh.first_vertex;
    add_vertices(positions_of(mesh));
    add_uv(uv_of_vertices(mesh));
    for (int t = mesh.first_triangle; t < mesh.first_triangle + mesh.triangle_count; ++t) {
      const auto [a, b, c] = user_triangle(model_, t);
      if (has_uv_)
        line(FMT_COMPILE("f {}/{} {}/{} {}/{}"), a + 1, a + first_uv, b + 1, b + first_uv, c + 1,
             c + first_uv);
      else
        line(FMT_COMPILE("f {} {} {}"), a + 1, b + 1, c + 1);
    }
  }

  void add_polygons(const WrittenMesh& mesh) {
    const Polygons& polygons = *mesh.polygons;
    for (const std::string& library : polygons.libraries) line(FMT_COMPILE("mtllib {}"), printable(library));
    Polygons::Part now;
    now.object = polygons.parts[0].object;
    line(FMT_COMPILE("o {}"), object_name(mesh, now.object));
    const Points positions = positions_of(mesh);
    add_vertices(positions);
    const int first_uv = uv_count_ + 1, first_normal = normal_count_ + 1;
    add_uv(polygons.corner_uv.empty() ? uv_of_vertices(mesh) : polygons.uv);
    const CornerNormals normals = corner_normals(polygons, positions);
    for (const Vec3& n : normals.normals) line(FMT_COMPILE("vn {:.6g} {:.6g} {:.6g}"), n.x(), n.y(), n.z());
    normal_count_ += static_cast<int>(normals.normals.size());

    const bool uv_by_vertex = polygons.corner_uv.empty() && has_uv_;
    for (std::size_t p = 0; p < polygons.parts.size(); ++p) {
      add_names(mesh, polygons.parts[p], now);
      for (int polygon = polygons.parts[p].first; polygon < polygons.end_of_part(p); ++polygon) {
        text_.push_back('f');
        for (int c = polygons.begin_of(polygon); c < polygons.end[polygon]; ++c) {
          const int vertex = polygons.corners[c];
          const int uv = uv_by_vertex                  ? vertex
                         : !polygons.corner_uv.empty() ? polygons.corner_uv[c]
                                                       : Polygons::kNone;
          add_corner(mesh.first_vertex + vertex + 1, uv, first_uv, normals.of_corner[c], first_normal);
        }
        text_.push_back('\n');
      }
    }
  }

  void add_corner(int vertex, int uv, int first_uv, int normal, int first_normal) {
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, FMT_COMPILE(" {}"), vertex);
    if (uv != Polygons::kNone) fmt::format_to(out, FMT_COMPILE("/{}"), uv + first_uv);
    if (normal != Polygons::kNone)
      fmt::format_to(out, "{}{}", uv == Polygons::kNone ? "//" : "/", normal + first_normal);
  }

  static std::string object_name(const WrittenMesh& mesh, int object) {
    return printable(object == Polygons::kNone ? mesh.name : mesh.polygons->objects[object]);
  }

  /// The names that the polygons of a part have and those above it have not.
  void add_names(const WrittenMesh& mesh, const Polygons::Part& part, Polygons::Part& now) {
    for (const Naming& naming : kNamings) {
      const int name = part.*naming.of_part;
      if (name == now.*naming.of_part) continue;
      if (naming.keyword == kObject.keyword)
        line(FMT_COMPILE("o {}"), object_name(mesh, name));
      else if (name != Polygons::kNone)
        line(FMT_COMPILE("{} {}"), naming.keyword, printable((mesh.polygons.get()->*naming.names)[name]));
      else
        line(FMT_COMPILE("{}"), naming.keyword == kSmoothing.keyword ? "s off" : naming.keyword);
    }
    now = part;
  }

  const Model& model_;
  const State& state_;
  bool has_uv_;
  int uv_count_ = 0, normal_count_ = 0;
  fmt::memory_buffer text_;
};

class ObjWriter final : public FrameWriter {
 public:
  std::string encode_frame(const Model& model, const State& state, const BlockedBodies&) const override {
    return ObjText(model, state).write();
  }
};

}  // namespace

std::unique_ptr<FrameWriter> make_obj_writer() { return std::make_unique<ObjWriter>(); }

}  // namespace muslin
