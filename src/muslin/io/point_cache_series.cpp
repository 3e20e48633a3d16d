// PC2 and MDD: where every point is in every frame, in single precision, beside a mesh that has the faces.
#include <cstdint>
#include <memory>

#include "muslin/io/bytes.h"
#include "muslin/io/frame_series.h"

namespace muslin {

namespace {

/// The points of one frame, of all cloths or of all colliders in the world.
using Bodies = std::vector<Points>;

int count_points(const Bodies& bodies) {
  int count = 0;
  for (const Points& body : bodies) count += static_cast<int>(body.cols());
  return count;
}

/// One point cache.
class PointCache {
 public:
  virtual ~PointCache() = default;
  virtual void add(const Bodies& bodies, double time) = 0;
  virtual void finish(FileSums& sums) = 0;
};

/// Little-endian: "POINTCACHE2\0", int32 version 1, int32 points, float32 first frame and frames a sample,
/// int32 samples, then x, y, z of every point of every sample.
class Pc2File final : public PointCache {
 public:
  Pc2File(const SeriesSetting& setting, const std::string& name)
      : name_(name), file_(series_file(setting, name)) {}

  void add(const Bodies& bodies, double) override {
    std::string bytes;
    if (samples_ == 0) bytes = header(count_points(bodies));
    for (const Points& body : bodies)
      for (const double x : body.reshaped()) append_little(bytes, static_cast<float>(x));
    file_->append(bytes);
    ++samples_;
  }

  void finish(FileSums& sums) override {
    std::string samples;
    append_little(samples, samples_);
    file_->replace(kSamplesPlace, samples);
    finish_file(name_, *file_, sums);
  }

 private:
  static constexpr std::size_t kSamplesPlace = 28;

  static std::string header(std::int32_t points) {
    std::string bytes("POINTCACHE2\0", 12);
    append_little(bytes, std::int32_t{1});
    append_little(bytes, points);
    append_little(bytes, 0.0f);
    append_little(bytes, 1.0f);
    append_little(bytes, std::int32_t{0});  // samples: `finish` knows
    return bytes;
  }

  std::string name_;
  std::unique_ptr<GrowingFile> file_;
  std::int32_t samples_ = 0;
};

/// Big-endian: int32 frames, int32 points, float32 time of every frame [s], then x, y, z of every point of
/// every frame. The times are known last: points wait in a file of their own.
class MddFile final : public PointCache {
 public:
  MddFile(const SeriesSetting& setting, const std::string& name)
      : name_(name),
        file_(series_file(setting, name)),
        times_(series_file(setting, name)),
        points_(series_file(setting, name)) {}

  void add(const Bodies& bodies, double time) override {
    std::string bytes;
    for (const Points& body : bodies)
      for (const double x : body.reshaped()) append_big(bytes, static_cast<float>(x));
    points_->append(bytes);
    std::string stamp;
    append_big(stamp, static_cast<float>(time));
    times_->append(stamp);
    count_ = count_points(bodies);
    ++frames_;
  }

  void finish(FileSums& sums) override {
    std::string header;
    append_big(header, frames_);
    append_big(header, count_);
    file_->append(header);
    append_file(*times_, *file_);
    append_file(*points_, *file_);
    finish_file(name_, *file_, sums);
  }

 private:
  std::string name_;
  std::unique_ptr<GrowingFile> file_, times_, points_;
  std::int32_t frames_ = 0, count_ = 0;
};

template <class File>
class PointCacheSeries final : public SeriesWriter {
 public:
  PointCacheSeries(const SeriesSetting& setting, const std::string& extension)
      : cloths_(setting, "run." + extension) {
    if (!setting.colliders.empty()) colliders_ = std::make_unique<File>(setting, "colliders." + extension);
  }

  void add(const SeriesFrame& frame) override {
    cloths_.add(frame.cloths, frame.time);
    if (!colliders_) return;
    Bodies placed;
    for (std::size_t c = 0; c < frame.colliders.size(); ++c)
      placed.emplace_back((frame.poses[c].rotation * frame.colliders[c]).colwise() +
                          frame.poses[c].translation);
    colliders_->add(placed, frame.time);
  }

  void finish(FileSums& sums) override {
    cloths_.finish(sums);
    if (colliders_) colliders_->finish(sums);
  }

 private:
  File cloths_;
  std::unique_ptr<File> colliders_;
};

}  // namespace

std::unique_ptr<SeriesWriter> make_pc2_series(const SeriesSetting& setting) {
  return std::make_unique<PointCacheSeries<Pc2File>>(setting, "pc2");
}

std::unique_ptr<SeriesWriter> make_mdd_series(const SeriesSetting& setting) {
  return std::make_unique<PointCacheSeries<MddFile>>(setting, "mdd");
}

}  // namespace muslin
