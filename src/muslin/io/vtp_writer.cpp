// VTK PolyData: XML, with the numbers as raw bytes behind it.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>

#include "muslin/contact/vertices/gap.h"
#include "muslin/io/bytes.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/written_bodies.h"
#include "muslin/model/measure.h"

namespace muslin {

namespace {

/// Arrays of a file: their places in the XML, and their bytes.
class Arrays {
 public:
  /// The element of an array of the numbers that `bytes` holds.
  void add(std::string_view type, std::string_view name, int components, const std::string& bytes) {
    fmt::format_to(std::back_inserter(xml_),
                   "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
                   "offset=\"{}\"/>\n",
                   type, name, components, bytes_.size());
    append_little(bytes_, static_cast<std::uint64_t>(bytes.size()));
    bytes_ += bytes;
  }
  void line(std::string_view text) {
    xml_.append(text.data(), text.data() + text.size());
    xml_.push_back('\n');
  }
  std::string file() const {
    return fmt::to_string(xml_) + "<AppendedData encoding=\"raw\">\n_" + bytes_ +
           "\n</AppendedData>\n</VTKFile>\n";
  }

 private:
  fmt::memory_buffer xml_;
  std::string bytes_;
};

template <class Number, class Numbers>
std::string bytes_of(const Numbers& numbers) {
  std::string bytes;
  for (const auto number : numbers) append_little(bytes, static_cast<Number>(number));
  return bytes;
}

/// Cloths, then colliders, as one surface.
struct Surface {
  std::vector<WrittenBody> cloths, colliders;
  int cloth_vertices = 0, vertices = 0, polygons = 0;

  explicit Surface(const Model& model) : cloths(written_cloths(model)), colliders(written_colliders(model)) {
    for (const WrittenBody& body : cloths) cloth_vertices += body.vertex_count;
    vertices = cloth_vertices;
    for (const WrittenBody& body : colliders) vertices += body.vertex_count;
    each([&](const WrittenBody& body) { polygons += static_cast<int>(body.face_end.size()); });
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (const WrittenBody& body : cloths) visit(body);
    for (const WrittenBody& body : colliders) visit(body);
  }
};

class VtpWriter final : public FrameWriter {
 public:
  std::string encode_frame(const Model& model, const State& state,
                           const BlockedBodies& blocked) const override {
    const Surface& surface = surface_of(model);
    Arrays arrays;
    arrays.line("<?xml version=\"1.0\"?>");
    arrays.line(
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">");
    arrays.line("<PolyData>");
    arrays.line(
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
                    "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">",
                    surface.vertices, surface.polygons));
    arrays.line("<PointData>");
    add_fields(model, state, surface, arrays);
    arrays.line("</PointData>\n<CellData>");
    add_bodies(surface, arrays);
    arrays.line("</CellData>\n<Points>");
    add_points(model, state, blocked, surface, arrays);
    arrays.line("</Points>\n<Polys>");
    add_polygons(surface, arrays);
    arrays.line("</Polys>\n</Piece>\n</PolyData>");
    return arrays.file();
  }

 private:
  /// Made once for a model: bodies are meshes that take long to cut, and do not change but for their places.
  const Surface& surface_of(const Model& model) const {
    if (!surface_ || revision_ != model.revision) surface_.emplace(model);
    revision_ = model.revision;
    return *surface_;
  }

  /// What is known of vertices of cloth, and not of those of colliders.
  static void add_fields(const Model& model, const State& state, const Surface& surface, Arrays& arrays) {
    const auto add = [&](std::string_view name, const auto& values) {
      const int components = static_cast<int>(values.rows());
      std::string bytes;
      for (int v = 0; v < surface.cloth_vertices; ++v)
        for (int k = 0; k < components; ++k)
          append_little(bytes, static_cast<float>(values(k, model.vertex_numbers.to_model(v))));
      for (int k = 0; k < components * (surface.vertices - surface.cloth_vertices); ++k)
        append_little(bytes, std::numeric_limits<float>::quiet_NaN());
      arrays.add("Float32", name, components, bytes);
    };
    add("velocity", state.velocities);
    add("strain", principal_strain(model, state.positions).transpose().eval());
    add("elastic_energy", elastic_density(model, state.positions).transpose().eval());
    add("gap", measure_gaps(model, state).transpose().eval());
    std::vector<int> pinned(surface.vertices);
    for (const WrittenBody& body : surface.cloths)
      for (const int v : body.pinned) pinned[body.first_vertex + v] = 1;
    arrays.add("Int8", "pinned", 1, bytes_of_flags(pinned));
  }

  static std::string bytes_of_flags(const std::vector<int>& flags) { return {flags.begin(), flags.end()}; }

  /// Which cloth a polygon is of: 0, 1, …; colliders follow.
  static void add_bodies(const Surface& surface, Arrays& arrays) {
    std::vector<int> bodies;
    int number = 0;
    surface.each(
        [&](const WrittenBody& body) { bodies.insert(bodies.end(), body.face_end.size(), number++); });
    arrays.add("Int32", "body", 1, bytes_of<std::int32_t>(bodies));
  }

  static void add_points(const Model& model, const State& state, const BlockedBodies& blocked,
                         const Surface& surface, Arrays& arrays) {
    std::string bytes;
    for (const WrittenBody& body : surface.cloths)
      bytes += bytes_of<double>(positions_of_body(model, body, state.positions).reshaped());
    for (const WrittenBody& body : surface.colliders) {
      const Pose pose = pose_of_body(model, body, state.time, blocked);
      const Points local = shape_of_body(model, body, state.time);
      const Points places = (pose.rotation * local).colwise() + pose.translation;
      bytes += bytes_of<double>(places.reshaped());
    }
    arrays.add("Float64", "Points", 3, bytes);
  }

  static void add_polygons(const Surface& surface, Arrays& arrays) {
    std::string corners, ends;
    int first_vertex = 0, first_corner = 0;
    surface.each([&](const WrittenBody& body) {
      for (const int v : body.corners) append_little(corners, std::int32_t{first_vertex + v});
      for (const int end : body.face_end) append_little(ends, std::int32_t{first_corner + end});
      first_vertex += body.vertex_count;
      first_corner += static_cast<int>(body.corners.size());
    });
    arrays.add("Int32", "connectivity", 1, corners);
    arrays.add("Int32", "offsets", 1, ends);
  }

  mutable std::optional<Surface> surface_;
  mutable std::uint64_t revision_ = 0;  ///< of its model
};

}  // namespace

std::unique_ptr<FrameWriter> make_vtp_writer() { return std::make_unique<VtpWriter>(); }

}  // namespace muslin
