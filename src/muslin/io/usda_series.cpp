// USD as text: a mesh a cloth or collider, with samples of what changes. A time code is a frame.
#include <fmt/format.h>

#include <cctype>
#include <iterator>
#include <memory>
#include <set>

#include "muslin/io/frame_series.h"

namespace muslin {

namespace {

/// A name as USD wants it, that no other prim has: letters, digits and _, the first one no digit.
std::string identifier(const std::string& name, std::set<std::string>& taken) {
  std::string made;
  for (const char c : name) made += std::isalnum(static_cast<unsigned char>(c)) && c > 0 ? c : '_';
  if (made.empty() || std::isdigit(static_cast<unsigned char>(made[0]))) made.insert(0, 1, '_');
  std::string unique = made;
  for (int k = 2; !taken.insert(unique).second; ++k) unique = fmt::format("{}_{}", made, k);
  return unique;
}

/// "[(x, y, z), …]" in single precision, with the fewest digits that give back the bits.
std::string points_text(const Points& points) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  text.push_back('[');
  for (int v = 0; v < points.cols(); ++v)
    fmt::format_to(out, "{}({}, {}, {})", v > 0 ? ", " : "", static_cast<float>(points(0, v)),
                   static_cast<float>(points(1, v)), static_cast<float>(points(2, v)));
  text.push_back(']');
  return fmt::to_string(text);
}

/// "[1, 2, …]"
template <class Numbers>
std::string list_text(const Numbers& numbers) {
  fmt::memory_buffer text;
  text.push_back('[');
  bool first = true;
  for (const int number : numbers) {
    fmt::format_to(std::back_inserter(text), "{}{}", first ? "" : ", ", number);
    first = false;
  }
  text.push_back(']');
  return fmt::to_string(text);
}

/// A matrix for row vectors: x · matrix.
std::string matrix_text(const Pose& pose) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "( ");
  for (int k = 0; k < 3; ++k)
    fmt::format_to(out, "({}, {}, {}, 0), ", pose.rotation(0, k), pose.rotation(1, k), pose.rotation(2, k));
  fmt::format_to(out, "({}, {}, {}, 1) )", pose.translation[0], pose.translation[1], pose.translation[2]);
  return fmt::to_string(text);
}

/// The smallest box about points, as USD has it.
std::string extent_text(const Points& points) {
  Points box(3, 2);
  box << points.rowwise().minCoeff(), points.rowwise().maxCoeff();
  return points_text(box);
}

/// A mesh whose samples wait in files of their own until all frames are known.
class UsdMesh {
 public:
  UsdMesh(const SeriesSetting& setting, const WrittenBody& body, const char* name)
      : body_(body), extents_(series_file(setting, name)) {
    const bool is_cloth = body.collider < 0;
    if (is_cloth || body.deforms) points_ = series_file(setting, name);
    if (!is_cloth && moves(setting.model->colliders[body.collider].motion))
      poses_ = series_file(setting, name);
  }

  void add_points(int frame, const Points& points) {
    if (frame > 0 && !points_) return;
    if (!points_) fixed_ = points;
    if (points_) points_->append(fmt::format("            {}: {},\n", frame, points_text(points)));
    if (points_) extents_->append(fmt::format("            {}: {},\n", frame, extent_text(points)));
  }

  void add_pose(int frame, const Pose& pose) {
    if (frame == 0) first_pose_ = pose;
    if (poses_) poses_->append(fmt::format("            {}: {},\n", frame, matrix_text(pose)));
  }

  void write(const std::string& name, GrowingFile& file) const {
    file.append(fmt::format("    def Mesh \"{}\"\n    {{\n", name));
    std::vector<int> counts;
    for (std::size_t p = 0; p < body_.face_end.size(); ++p)
      counts.push_back(body_.face_end[p] - (p > 0 ? body_.face_end[p - 1] : 0));
    file.append("        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1\n");
    file.append(fmt::format("        int[] faceVertexCounts = {}\n", list_text(counts)));
    file.append(fmt::format("        int[] faceVertexIndices = {}\n", list_text(body_.corners)));
    if (points_) {
      write_samples("point3f[] points", *points_, file);
      write_samples("float3[] extent", *extents_, file);
    } else {
      file.append(fmt::format("        point3f[] points = {}\n", points_text(fixed_)));
      file.append(fmt::format("        float3[] extent = {}\n", extent_text(fixed_)));
    }
    if (!body_.uv.empty()) write_uv(file);
    if (body_.colour) {
      const auto [red, green, blue] = linear(*body_.colour);
      file.append(
          fmt::format("        color3f[] primvars:displayColor = [({}, {}, {})]\n", red, green, blue));
    }
    if (!body_.pinned.empty())
      file.append(fmt::format("        custom int[] muslin:pinned = {}\n", list_text(body_.pinned)));
    if (body_.collider >= 0) write_pose(file);
    file.append("    }\n\n");
  }

 private:
  static void write_samples(std::string_view attribute, const GrowingFile& samples, GrowingFile& file) {
    file.append(fmt::format("        {}.timeSamples = {{\n", attribute));
    append_file(samples, file);
    file.append("        }\n");
  }

  void write_uv(GrowingFile& file) const {
    const bool is_cut = !body_.corner_uv.empty();
    fmt::memory_buffer text;
    for (const Vec2& uv : is_cut ? body_.corner_uv : body_.uv)
      fmt::format_to(std::back_inserter(text), "{}({}, {})", text.size() > 0 ? ", " : "",
                     static_cast<float>(uv.x()), static_cast<float>(uv.y()));
    file.append(fmt::format(
        "        texCoord2f[] primvars:st = [{}] (\n            interpolation = \"{}\"\n        )\n",
        fmt::to_string(text), is_cut ? "faceVarying" : "vertex"));
  }

  void write_pose(GrowingFile& file) const {
    if (poses_)
      write_samples("matrix4d xformOp:transform", *poses_, file);
    else
      file.append(fmt::format("        matrix4d xformOp:transform = {}\n", matrix_text(first_pose_)));
    file.append("        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n");
  }

  const WrittenBody& body_;
  std::unique_ptr<GrowingFile> points_, extents_, poses_;  ///< null: does not change
  Points fixed_{3, 0};
  Pose first_pose_;
};

class UsdaSeries final : public SeriesWriter {
 public:
  explicit UsdaSeries(const SeriesSetting& setting) : setting_(setting), file_(series_file(setting, kName)) {
    for (const WrittenBody& body : setting.cloths) meshes_.emplace_back(setting, body, kName);
    for (const WrittenBody& body : setting.colliders) meshes_.emplace_back(setting, body, kName);
  }

  void add(const SeriesFrame& frame) override {
    const std::size_t cloths = frame.cloths.size();
    for (std::size_t k = 0; k < cloths; ++k) meshes_[k].add_points(frame.frame, frame.cloths[k]);
    for (std::size_t k = 0; k < frame.colliders.size(); ++k) {
      meshes_[cloths + k].add_points(frame.frame, frame.colliders[k]);
      meshes_[cloths + k].add_pose(frame.frame, frame.poses[k]);
    }
    last_ = frame.frame;
  }

  void finish(FileSums& sums) override {
    file_->append(
        fmt::format("#usda 1.0\n(\n    defaultPrim = \"Muslin\"\n    endTimeCode = {}\n"
                    "    metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = {}\n"
                    "    framesPerSecond = {}\n    upAxis = \"Y\"\n)\n\ndef Xform \"Muslin\"\n{{\n",
                    last_, 1 / setting_.frame_time, 1 / setting_.frame_time));
    std::set<std::string> taken;
    for (std::size_t k = 0; k < meshes_.size(); ++k) {
      const bool is_cloth = k < setting_.cloths.size();
      const WrittenBody& body =
          is_cloth ? setting_.cloths[k] : setting_.colliders[k - setting_.cloths.size()];
      meshes_[k].write(identifier(body.name, taken), *file_);
    }
    file_->append("}\n");
    finish_file(kName, *file_, sums);
  }

 private:
  static constexpr const char* kName = "run.usda";
  const SeriesSetting& setting_;
  std::unique_ptr<GrowingFile> file_;
  std::vector<UsdMesh> meshes_;  ///< cloths, then colliders
  int last_ = 0;
};

}  // namespace

std::unique_ptr<SeriesWriter> make_usda_series(const SeriesSetting& setting) {
  return std::make_unique<UsdaSeries>(setting);
}

}  // namespace muslin
