#include "muslin/io/array_series.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "muslin/io/bytes.h"

namespace muslin {

namespace {

class ArraySeries final : public SeriesWriter {
 public:
  ArraySeries(const SeriesSetting& setting, const std::string& name, std::unique_ptr<ArrayFile> file)
      : setting_(setting),
        file_(std::move(file)),
        positions_(series_file(setting, name)),
        poses_(series_file(setting, name)) {
    for (const WrittenBody& body : setting.colliders)
      shapes_.push_back(body.deforms ? series_file(setting, name) : nullptr);
  }

  void add(const SeriesFrame& frame) override {
    for (const Points& cloth : frame.cloths) positions_->append(bytes_of(cloth));
    std::string bytes;
    for (const Pose& pose : frame.poses)
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) append_little(bytes, pose.rotation(row, column));
        append_little(bytes, pose.translation[row]);
      }
    poses_->append(bytes);
    for (std::size_t c = 0; c < shapes_.size(); ++c)
      if (shapes_[c]) shapes_[c]->append(bytes_of(frame.colliders[c]));
    ++frames_;
  }

  void finish(FileSums& sums) override {
    const auto vertices = static_cast<std::size_t>(setting_.cloth_vertices);
    file_->add("positions", ArrayType::float64, {frames_, vertices, 3}, "", positions_.get());
    add_times();
    add_meshes();
    if (!setting_.colliders.empty())
      file_->add("collider_poses", ArrayType::float64, {frames_, setting_.colliders.size(), 3, 4}, "",
                 poses_.get());
    for (std::size_t c = 0; c < setting_.colliders.size(); ++c) add_collider(c);
    file_->finish(sums);
  }

 private:
  static std::string bytes_of(const Points& points) {
    std::string bytes;
    for (const double x : points.reshaped()) append_little(bytes, x);
    return bytes;
  }

  void add_times() {
    std::string bytes;
    for (std::size_t k = 0; k < frames_; ++k)
      append_little(bytes, static_cast<double>(k) * setting_.frame_time);
    file_->add("times", ArrayType::float64, {frames_}, bytes, nullptr);
  }

  void add_triangles(const std::string& name, const std::vector<WrittenBody>& bodies) {
    std::string bytes;
    std::size_t count = 0;
    for (const WrittenBody& body : bodies) {
      for (const Stencil<3>& triangle : body.triangles)
        for (const int v : triangle) append_little(bytes, std::int32_t{body.first_vertex + v});
      count += body.triangles.size();
    }
    file_->add(name, ArrayType::int32, {count, 3}, bytes, nullptr);
  }

  void add_meshes() {
    add_triangles("triangles", setting_.cloths);
    std::string pinned, first;
    std::size_t pins = 0;
    for (const WrittenBody& body : setting_.cloths) {
      append_little(first, std::int32_t{body.first_vertex});
      for (const int v : body.pinned) append_little(pinned, std::int32_t{body.first_vertex + v});
      pins += body.pinned.size();
    }
    file_->add("pinned", ArrayType::int32, {pins}, pinned, nullptr);
    file_->add("cloth_first_vertex", ArrayType::int32, {setting_.cloths.size()}, first, nullptr);
  }

  /// Its vertices in the frame of its pose: frames × n × 3 of one that deforms, else n × 3.
  void add_collider(std::size_t c) {
    const WrittenBody& body = setting_.colliders[c];
    const auto vertices = static_cast<std::size_t>(body.vertex_count);
    add_triangles(fmt::format("collider_{}_triangles", c), {body});
    const std::string name = fmt::format("collider_{}_vertices", c);
    if (body.deforms)
      file_->add(name, ArrayType::float64, {frames_, vertices, 3}, "", shapes_[c].get());
    else
      file_->add(name, ArrayType::float64, {vertices, 3}, bytes_of(body.shape), nullptr);
  }

  const SeriesSetting& setting_;
  std::unique_ptr<ArrayFile> file_;
  std::unique_ptr<GrowingFile> positions_, poses_;
  std::vector<std::unique_ptr<GrowingFile>> shapes_;  ///< one a collider; null: it does not deform
  std::size_t frames_ = 0;
};

}  // namespace

std::unique_ptr<SeriesWriter> make_array_series(const SeriesSetting& setting, const std::string& name,
                                                std::unique_ptr<ArrayFile> file) {
  return std::make_unique<ArraySeries>(setting, name, std::move(file));
}

}  // namespace muslin
