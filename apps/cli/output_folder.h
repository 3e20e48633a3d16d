#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "muslin/io/folder_lock.h"
#include "muslin/io/frame_series.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/run_record.h"
#include "muslin/simulation.h"

/// The folder that a run fills: frames as they come, saved states, run.json at the end and every few seconds.
/// No other run may write there meanwhile.
///
/// A process may be killed at any moment. Every file is complete or absent, and run.json is the first of a
/// run, so that frames always belong to it. A run.json comes once its frames are on the disk, and a saved
/// state after the frames that it follows and a run.json that has them. So whatever is there, the newest
/// saved state and run.json are enough to go on.
class OutputFolder {
 public:
  /// "": nothing will be written. Throws muslin::Error(file) if the folder cannot be made, another run writes
  /// there, or `force` is false and it holds an earlier one.
  OutputFolder(const std::string& folder, bool force);

  /// The state as a frame in every format, with its row of run.json, `report`. The first one takes the place
  /// of an earlier run: what that recorded is removed, and nothing else.
  void write_frame(const muslin::Simulation& simulation, const muslin::FrameReport& report,
                   const muslin::RunRecord& record);
  /// Whether the folder holds this run: its first frame is there.
  bool has_begun() const { return !first_; }
  /// The next row of run.json alone, with what the record knows of its intersections.
  void add_row(const muslin::RecordedFrame& frame, const muslin::RunRecord& record);

  /// Series of the frames so far get their names, and are entered in the record.
  void finish_series(muslin::RunRecord& record);

  void write_record(const muslin::RunRecord& record);
  bool record_is_due() const { return Clock::now() - last_record_ > std::chrono::seconds(5); }

  /// Saves the state and the record for `muslin run --resume`; of earlier states one is kept.
  void write_checkpoint(const muslin::Simulation& simulation, const muslin::RunRecord& record);

  /// Goes on after `earlier` frames that are in the folder: later frames and states are removed, and series
  /// begin anew with the frames that stay.
  void go_on_after(const muslin::Simulation& simulation, const muslin::RunRecord& record,
                   const std::vector<muslin::RecordedFrame>& earlier);

 private:
  using Clock = std::chrono::steady_clock;

  void refuse_earlier_run() const;
  void begin(const muslin::RunRecord& record);
  void begin_series(const muslin::Simulation& simulation, const muslin::RunRecord& record);
  void drop_old_checkpoints();

  std::filesystem::path folder_;
  bool force_, first_ = true;
  std::vector<std::string> unflushed_;  ///< frames since the last record
  std::optional<muslin::FolderLock> lock_;
  std::vector<std::pair<std::string, std::unique_ptr<muslin::FrameWriter>>> writers_;
  std::unique_ptr<muslin::FrameSeries> series_;
  std::unique_ptr<muslin::GrowingFile> rows_;  ///< of run.json so far; never gets its name
  std::set<int> checkpoints_;                  ///< frames of the states of this run
  Clock::time_point last_record_ = Clock::now();
};
