// ParaView's list of the files of a series with their times.
#include <fmt/format.h>

#include <memory>

#include "muslin/io/frame_series.h"
#include "muslin/io/run_folder.h"

namespace muslin {

namespace {

class PvdSeries final : public SeriesWriter {
 public:
  explicit PvdSeries(const SeriesSetting& setting) : file_(series_file(setting, kName)) {
    file_->append(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "<Collection>\n");
  }
  void add(const SeriesFrame& frame) override {
    file_->append(
        fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", frame.time, frame_file(frame.frame, "vtp")));
  }
  void finish(FileSums& sums) override {
    file_->append("</Collection>\n</VTKFile>\n");
    finish_file(kName, *file_, sums);
  }

 private:
  static constexpr const char* kName = "run.pvd";
  std::unique_ptr<GrowingFile> file_;
};

}  // namespace

std::unique_ptr<SeriesWriter> make_vtp_series(const SeriesSetting& setting) {
  return std::make_unique<PvdSeries>(setting);
}

}  // namespace muslin
