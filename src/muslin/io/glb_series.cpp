// glTF 2.0, binary: every frame but the first is a morph target; an animation turns one on after another.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "muslin/core/check.h"
#include "muslin/io/bytes.h"
#include "muslin/io/frame_series.h"

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFloat = 5126, kUnsigned = 5125;                // types of components
constexpr int kVertexBuffer = 34962, kElementBuffer = 34963;  // targets of views
constexpr std::uint64_t kMostBytes = std::numeric_limits<std::uint32_t>::max();

template <class Numbers>
std::string floats(const Numbers& numbers) {
  std::string bytes;
  for (const double x : numbers) append_little(bytes, static_cast<float>(x));
  return bytes;
}

/// The least or greatest coordinates as the file has them.
Json limits(const Vec3& coordinates) {
  Json list = Json::array();
  for (const double x : coordinates) list.push_back(static_cast<double>(static_cast<float>(x)));
  return list;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json accessor(int view, int component, std::size_t count, const char* type) {
  return {{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}};
}

/// A dull surface, of a colour if there is one.
Json material(const std::string& name, const std::optional<Colour>& colour) {
  Json look{{"metallicFactor", 0}, {"roughnessFactor", 0.8}};
  if (colour) {
    const auto [red, green, blue] = linear(*colour);
    look["baseColorFactor"] = {red, green, blue, 1};
  }
  return {{"name", name}, {"doubleSided", true}, {"pbrMetallicRoughness", look}};
}

/// A vertex attribute of three coordinates.
Json positions_accessor(int view, const Points& points) {
  Json json = accessor(view, kFloat, points.cols(), "VEC3");
  json["min"] = limits(points.rowwise().minCoeff());
  json["max"] = limits(points.rowwise().maxCoeff());
  return json;
}

/// The chunk of numbers, in the order in which views are made of it.
class Binary {
 public:
  /// Numbers of views.
  int add(std::string bytes, int target = 0) {
    const std::size_t size = bytes.size();
    return add_view({nullptr, std::move(bytes)}, size, target);
  }
  int add(const GrowingFile& file, int target = 0) { return add_view({&file, ""}, file.size(), target); }

  std::uint64_t size() const { return size_; }
  const Json& views() const { return views_; }
  void write(GrowingFile& file) const {
    for (const Part& part : parts_) part.file ? append_file(*part.file, file) : file.append(part.bytes);
  }

 private:
  struct Part {
    const GrowingFile* file;
    std::string bytes;
  };
  int add_view(Part part, std::size_t size, int target) {
    Json view{{"buffer", 0}, {"byteOffset", size_}, {"byteLength", size}};
    if (target == kVertexBuffer && part.file) view["byteStride"] = 12;  // of all morph targets of a mesh
    if (target != 0) view["target"] = target;
    views_.push_back(std::move(view));
    parts_.push_back(std::move(part));
    size_ += size;
    return static_cast<int>(parts_.size()) - 1;
  }
  std::vector<Part> parts_;
  Json views_ = Json::array();
  std::uint64_t size_ = 0;
};

/// The surface of a body as glTF has it: a vertex has one texture coordinate. Where islands of the texture
/// meet, it has copies, behind all vertices of the body.
struct SplitSurface {
  std::vector<int> copied;  ///< vertex, of each copy
  std::vector<Vec2> uv;     ///< one a vertex and copy, or none
  std::vector<Stencil<3>> triangles;

  /// Positions of the vertices, with those of the copies behind them.
  Points with_copies(const Points& vertices) const {
    Points all(3, vertices.cols() + std::ssize(copied));
    all.leftCols(vertices.cols()) = vertices;
    all.rightCols(std::ssize(copied)) = vertices(Eigen::all, copied);
    return all;
  }
};

SplitSurface split_surface(const WrittenBody& body) {
  if (body.triangle_uv.empty()) return {{}, body.uv, body.triangles};
  SplitSurface surface{{}, body.uv, {}};
  std::map<std::tuple<int, double, double>, int> numbers;
  for (int v = 0; v < body.vertex_count; ++v) numbers[{v, body.uv[v].x(), body.uv[v].y()}] = v;
  const auto number = [&](int vertex, const Vec2& uv) {
    const auto [entry, is_new] =
        numbers.try_emplace({vertex, uv.x(), uv.y()}, static_cast<int>(surface.uv.size()));
    if (is_new) {
      surface.copied.push_back(vertex);
      surface.uv.push_back(uv);
    }
    return entry->second;
  };
  for (std::size_t t = 0; t < body.triangles.size(); ++t) {
    Stencil<3> triangle = body.triangles[t];
    for (int k = 0; k < 3; ++k) triangle[k] = number(triangle[k], body.triangle_uv[t][k]);
    surface.triangles.push_back(triangle);
  }
  return surface;
}

/// A mesh, with what waits until all frames are known.
struct GlbBody {
  const WrittenBody* body;
  SplitSurface surface;
  int view = 0;                                    ///< number of the view of its morph targets, if it has any
  Points base{3, 0};                               ///< as the file has frame 0
  Pose pose{};                                     ///< in frame 0
  std::unique_ptr<GrowingFile> targets{};          ///< displacements; null: does not deform
  std::unique_ptr<GrowingFile> accessors{};        ///< JSON of them
  std::unique_ptr<GrowingFile> places{}, turns{};  ///< of every frame; null: does not move
  Eigen::Quaterniond turn{1, 0, 0, 0};             ///< in the last frame
};

class GlbSeries final : public SeriesWriter {
 public:
  explicit GlbSeries(const SeriesSetting& setting) : setting_(setting), file_(series_file(setting, kName)) {
    int views = 0;
    const auto add = [&](const WrittenBody& body) {
      GlbBody made{&body, split_surface(body)};
      const bool is_cloth = body.collider < 0;
      if (is_cloth || body.deforms) {
        made.view = views++;
        made.targets = series_file(setting, kName);
        made.accessors = series_file(setting, kName);
      }
      if (!is_cloth && moves(setting.model->colliders[body.collider].motion)) {
        made.places = series_file(setting, kName);
        made.turns = series_file(setting, kName);
      }
      bodies_.push_back(std::move(made));
    };
    for (const WrittenBody& body : setting.cloths) add(body);
    for (const WrittenBody& body : setting.colliders) add(body);
  }

  void add(const SeriesFrame& frame) override {
    const std::size_t cloths = frame.cloths.size();
    for (std::size_t k = 0; k < cloths; ++k) add_shape(frame.frame, frame.cloths[k], bodies_[k]);
    for (std::size_t k = 0; k < frame.colliders.size(); ++k) {
      add_shape(frame.frame, frame.colliders[k], bodies_[cloths + k]);
      add_pose(frame.frame, frame.poses[k], bodies_[cloths + k]);
    }
    times_ += floats(std::array{frame.time});
    last_time_ = frame.time;
    ++frames_;
  }

  void finish(FileSums& sums) override {
    Binary binary;
    if (targets() > 0)
      for (const GlbBody& body : bodies_)
        if (body.targets) binary.add(*body.targets, kVertexBuffer);
    const Json rest = describe(binary);
    write(rest, binary);
    finish_file(kName, *file_, sums);
  }

 private:
  static constexpr const char* kName = "run.glb";
  int targets() const { return frames_ - 1; }

  void add_shape(int frame, const Points& vertices, GlbBody& body) {
    if (frame > 0 && !body.targets) return;
    const Points shape = body.surface.with_copies(vertices);
    if (frame == 0) {
      body.base = shape.cast<float>().cast<double>();
      return;
    }
    const Points displacement = (shape - body.base).cast<float>().cast<double>();
    Json json = positions_accessor(body.view, displacement);
    json["byteOffset"] = body.targets->size();
    body.accessors->append((frame > 1 ? "," : "") + text_of(json));
    body.targets->append(floats(displacement.reshaped()));
    if (body.targets->size() > kMostBytes) refuse_size(body.targets->size());
  }

  static void add_pose(int frame, const Pose& pose, GlbBody& body) {
    if (frame == 0) body.pose = pose;
    if (!body.places) return;
    Eigen::Quaterniond turn(pose.rotation);
    if (turn.dot(body.turn) < 0) turn.coeffs() *= -1;  // the short way from the frame before
    body.turn = turn;
    body.places->append(floats(pose.translation));
    body.turns->append(floats(turn.coeffs()));  // x, y, z, w
  }

  [[noreturn]] void refuse_size(std::uint64_t size) const {
    throw Error(
        ErrorKind::invalid,
        fmt::format("{}: a glTF file holds at most {} bytes, {} frames would take more ({}); run fewer "
                    "frames, or choose another format",
                    setting_.path_of(kName), kMostBytes, frames_, size));
  }

  // --- the description ---------------------------------------------------------------------------------

  /// All but the morph targets' accessors, which come first: {"accessors": those behind them, …}.
  Json describe(Binary& binary) const {
    Json json{{"asset", {{"version", "2.0"}, {"generator", "Muslin"}}},
              {"scene", 0},
              {"scenes", {{{"nodes", Json::array()}}}},
              {"nodes", Json::array()},
              {"meshes", Json::array()},
              {"materials", Json::array({material("cloth", {})})},
              {"accessors", Json::array()}};
    if (targets() > 0)
      json["animations"] = {{{"name", "run"}, {"channels", Json::array()}, {"samplers", Json::array()}}};
    const auto add_accessor = [&](Json accessor_json) {
      json["accessors"].push_back(std::move(accessor_json));
      return target_accessors() + static_cast<int>(json["accessors"].size()) - 1;
    };
    int times = -1;
    if (targets() > 0) {
      Json one = accessor(binary.add(times_), kFloat, frames_, "SCALAR");
      one["min"] = {0};
      one["max"] = {static_cast<double>(static_cast<float>(last_time_))};
      times = add_accessor(std::move(one));
    }
    for (const GlbBody& body : bodies_) describe_mesh(body, binary, add_accessor, json);
    for (std::size_t b = 0; b < bodies_.size() && targets() > 0; ++b)
      describe_motion(static_cast<int>(b), times, binary, add_accessor, json["animations"][0]);
    if (targets() > 0 && json["animations"][0]["channels"].empty()) json.erase("animations");
    json["bufferViews"] = binary.views();
    json["buffers"] = {{{"byteLength", binary.size()}}};
    return json;
  }

  int target_accessors() const {
    int count = 0;
    for (const GlbBody& body : bodies_)
      if (body.targets) count += targets();
    return count;
  }

  template <class AddAccessor>
  void describe_mesh(const GlbBody& one, Binary& binary, const AddAccessor& add_accessor, Json& json) const {
    const WrittenBody& body = *one.body;
    Json attributes{{"POSITION", add_accessor(positions_accessor(
                                     binary.add(floats(one.base.reshaped()), kVertexBuffer), one.base))}};
    const SplitSurface& surface = one.surface;
    if (!surface.uv.empty()) {
      std::string bytes;
      for (const Vec2& uv : surface.uv) bytes += floats(Vec2(uv.x(), 1 - uv.y()));  // v goes down in glTF
      attributes["TEXCOORD_0"] = add_accessor(
          accessor(binary.add(std::move(bytes), kVertexBuffer), kFloat, surface.uv.size(), "VEC2"));
    }
    std::string corners;
    for (const Stencil<3>& triangle : surface.triangles)
      for (const int v : triangle) append_little(corners, static_cast<std::uint32_t>(v));
    const int indices = add_accessor(accessor(binary.add(std::move(corners), kElementBuffer), kUnsigned,
                                              3 * surface.triangles.size(), "SCALAR"));
    std::size_t look = 0;  // of all that the scene says no colour of
    if (body.colour) {
      look = json["materials"].size();
      json["materials"].push_back(material(body.name, body.colour));
    }
    Json mesh{{"name", body.name},
              {"primitives", {{{"attributes", attributes}, {"indices", indices}, {"material", look}}}}};
    if (!body.pinned.empty()) mesh["extras"] = {{"pinned", body.pinned}};
    Json node{{"name", body.name}, {"mesh", json["meshes"].size()}};
    if (body.collider >= 0) {
      const Eigen::Quaterniond turn(one.pose.rotation);
      node["rotation"] = {turn.x(), turn.y(), turn.z(), turn.w()};
      node["translation"] = {one.pose.translation.x(), one.pose.translation.y(), one.pose.translation.z()};
    }
    json["scenes"][0]["nodes"].push_back(json["nodes"].size());
    json["nodes"].push_back(std::move(node));
    json["meshes"].push_back(std::move(mesh));
  }

  template <class AddAccessor>
  void describe_motion(int number, int times, Binary& binary, const AddAccessor& add_accessor,
                       Json& animation) const {
    const GlbBody& body = bodies_[number];
    const auto add = [&](const char* path, Json output) {
      const std::size_t sampler = animation["samplers"].size();
      animation["samplers"].push_back({{"input", times}, {"output", add_accessor(std::move(output))}});
      animation["channels"].push_back({{"sampler", sampler}, {"target", {{"node", number}, {"path", path}}}});
    };
    if (body.targets) add("weights", weights_accessor(binary));
    if (!body.places) return;
    add("translation", accessor(binary.add(*body.places), kFloat, frames_, "VEC3"));
    add("rotation", accessor(binary.add(*body.turns), kFloat, frames_, "VEC4"));
  }

  /// In frame k the target k − 1 has the weight 1 and all others 0: of frames · targets numbers, so few are
  /// none that only they are written.
  Json weights_accessor(Binary& binary) const {
    std::string places, ones;
    const std::uint64_t count = std::uint64_t(frames_) * targets();
    if (count > kMostBytes) refuse_size(count);
    for (int k = 1; k < frames_; ++k) {
      append_little(places, static_cast<std::uint32_t>(std::uint64_t(k) * targets() + k - 1));
      append_little(ones, 1.0f);
    }
    return {{"componentType", kFloat},
            {"count", count},
            {"type", "SCALAR"},
            {"sparse",
             {{"count", targets()},
              {"indices", {{"bufferView", binary.add(std::move(places))}, {"componentType", kUnsigned}}},
              {"values", {{"bufferView", binary.add(std::move(ones))}}}}}};
  }

  // --- the file ------------------------------------------------------------------------------------------

  void write(const Json& rest, const Binary& binary) {
    std::string header("glTF");
    for (const std::uint32_t number : {2, 0, 0}) append_little(header, number);
    file_->append(header + "JSON");
    const std::size_t begin = file_->size();
    const char* separator = "{";
    for (const auto& [name, value] : rest.items()) {
      file_->append(std::exchange(separator, ",") + text_of(name) + ":");
      if (name == "accessors")
        write_accessors(value);
      else if (name == "meshes")
        write_meshes(value);
      else
        file_->append(text_of(value));
    }
    file_->append("}");
    while (file_->size() % 4 != 0) file_->append(" ");
    const std::size_t json_size = file_->size() - begin;
    const std::uint64_t size = file_->size() + 8 + binary.size();
    if (size > kMostBytes) refuse_size(size);
    file_->append(number_bytes(binary.size()) + std::string("BIN\0", 4));
    binary.write(*file_);
    file_->replace(8, number_bytes(size) + number_bytes(json_size));
  }

  static std::string number_bytes(std::uint64_t number) {
    std::string bytes;
    append_little(bytes, static_cast<std::uint32_t>(number));
    return bytes;
  }

  void write_accessors(const Json& others) {
    file_->append("[");
    if (targets() > 0)
      for (const GlbBody& body : bodies_)
        if (body.accessors) {
          append_file(*body.accessors, *file_);
          file_->append(",");
        }
    file_->append(text_of(others).substr(1));
  }

  void write_meshes(const Json& meshes) {
    int next = 0;
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      file_->append(m == 0 ? "[" : ",");
      std::string text = text_of(meshes[m]);
      if (bodies_[m].targets && targets() > 0) {
        std::string list = "\"targets\":[";
        for (int k = 0; k < targets(); ++k)
          list += fmt::format("{}{{\"POSITION\":{}}}", k > 0 ? "," : "", next++);
        text.insert(text.find("\"attributes\""), list + "],");
      }
      file_->append(text);
    }
    file_->append("]");
  }

  const SeriesSetting& setting_;
  std::unique_ptr<GrowingFile> file_;
  std::vector<GlbBody> bodies_;  ///< cloths, then colliders
  std::string times_;
  double last_time_ = 0;
  int frames_ = 0;
};

}  // namespace

std::unique_ptr<SeriesWriter> make_glb_series(const SeriesSetting& setting) {
  return std::make_unique<GlbSeries>(setting);
}

}  // namespace muslin
