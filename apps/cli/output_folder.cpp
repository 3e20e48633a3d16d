#include "output_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/run_folder.h"
#include "muslin/io/sha256.h"
#include "streams.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {
constexpr std::size_t kKeptCheckpoints = 2;
}

OutputFolder::OutputFolder(const std::string& folder, bool force) : folder_(folder), force_(force) {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw Error(ErrorKind::file, fmt::format("{}: cannot be made: {}", folder, error.message()));
  lock_.emplace(folder);
  if (lock_->is_weak())
    say("warning: {}: its file system has no locks: the file {} alone keeps other runs out, and must be "
        "removed if this "
        "one is killed\n",
        folder, FolderLock::kName);
  if (!force_) refuse_earlier_run();
}

// Frames without a run.json count, too: they would seem to belong to this run.
void OutputFolder::refuse_earlier_run() const {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name == "run.json" || frame_of_file(name) || is_series_file(name))
      throw Error(ErrorKind::file,
                  fmt::format("{}: holds an earlier run ({}); use --force to replace it, or another --out",
                              folder_.string(), name));
  }
}

void OutputFolder::write_frame(const Simulation& simulation, const FrameReport& report,
                               const RunRecord& record) {
  if (folder_.empty()) return;
  if (writers_.empty())
    for (const std::string& format : frame_formats_of(record.formats))
      writers_.push_back({format, make_frame_writer(format)});
  std::map<std::string, std::string> sums;
  std::vector<std::unique_ptr<GrowingFile>> files;
  std::vector<std::string> written;
  const BlockedBodies blocked = blocked_bodies(simulation.model(), simulation.state());
  for (const auto& [format, writer] : writers_) {
    const std::string name = frame_file(simulation.frame(), format);
    const std::string content = writer->encode(simulation.model(), simulation.state(), blocked);
    files.push_back(std::make_unique<GrowingFile>((folder_ / name).string(), force_));
    files.back()->append(content);
    sums[name] = sha256(content);
    written.push_back((folder_ / name).string());
  }
  if (std::exchange(first_, false)) {
    begin_series(simulation, record);  // which may refuse
    begin(record);
  }
  // A frame is there in all of its files, or in none
  for (std::size_t k = 0; k < files.size(); ++k) try {
      files[k]->finish_unflushed();
    } catch (const Error&) {
      remove_files({written.begin(), written.begin() + static_cast<std::ptrdiff_t>(k)});
      throw;
    }
  add_row({report, std::move(sums), simulation.reactions(), blocked}, record);
  unflushed_.insert(unflushed_.end(), written.begin(), written.end());
  series_->add(simulation.state().positions, blocked);
}

void OutputFolder::add_row(const RecordedFrame& frame, const RunRecord& record) {
  if (folder_.empty()) return;
  if (!rows_) rows_ = std::make_unique<GrowingFile>((folder_ / "run.json.rows").string(), true);
  const auto looked = record.intersections.find(frame.report.frame);
  rows_->append(
      encode_row(frame, looked == record.intersections.end() ? std::nullopt : std::optional(looked->second)));
}

void OutputFolder::begin_series(const Simulation& simulation, const RunRecord& record) {
  series_ = std::make_unique<FrameSeries>(record.formats, simulation.model(), simulation.scene().frame_time,
                                          folder_.string(), force_);
}

void OutputFolder::finish_series(RunRecord& record) {
  if (series_) record.series = series_->finish();
}

// Saved states go first: they must not be taken for this run's.
void OutputFolder::begin(const RunRecord& record) {
  const RunFiles earlier = force_ ? files_of_run(folder_.string()) : RunFiles();
  remove_files(earlier.checkpoints);
  write_record(record);  // which has no row yet
  remove_files(earlier.frames);
  remove_files(earlier.series);
}

// Many files are flushed sooner together than each as it comes: a frame took seven milliseconds.
void OutputFolder::write_record(const RunRecord& record) {
  if (folder_.empty()) return;
  for (const std::string& file : std::exchange(unflushed_, {})) flush_file(file);
  GrowingFile file((folder_ / "run.json").string(), true);
  file.append(encode_head(record));
  if (rows_) append_file(*rows_, file);
  file.append(encode_tail(rows_ != nullptr));
  file.finish();
  last_record_ = Clock::now();
}

void OutputFolder::write_checkpoint(const Simulation& simulation, const RunRecord& record) {
  if (folder_.empty() || checkpoints_.contains(simulation.frame())) return;
  write_record(record);
  flush_folder(folder_.string());
  write_file((folder_ / checkpoint_file(simulation.frame())).string(), simulation.saved(), true);
  flush_folder(folder_.string());
  checkpoints_.insert(simulation.frame());
  drop_old_checkpoints();
}

void OutputFolder::drop_old_checkpoints() {
  while (checkpoints_.size() > kKeptCheckpoints) {
    remove_files({(folder_ / checkpoint_file(*checkpoints_.begin())).string()});
    checkpoints_.erase(checkpoints_.begin());
  }
}

void OutputFolder::go_on_after(const Simulation& simulation, const RunRecord& record,
                               const std::vector<RecordedFrame>& earlier) {
  first_ = false;
  const int last = earlier.back().report.frame;
  for (const RecordedFrame& frame : earlier) add_row(frame, record);
  const auto [checkpoints, frames, series] = files_of_run(folder_.string());
  write_record(record);
  remove_files(series);
  const auto frame_of = [](const std::string& path) {
    return frame_of_file(fs::path(path).filename().string());
  };
  for (const std::string& path : frames)
    if (frame_of(path) > last) remove_files({path});
  for (const auto& [frame, path] : checkpoints_in(folder_.string())) {
    if (frame > last)
      remove_files({path});
    else
      checkpoints_.insert(frame);
  }
  drop_old_checkpoints();  // one may be left of a run that was killed before it did
  begin_series(simulation, record);
  if (series_->empty()) return;
  const RunFolder run = read_run_folder(folder_.string());
  for (int frame = 0; frame <= last; ++frame)
    series_->add(read_frame(run, frame, simulation.model()), earlier[frame].blocked);
}
