#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "muslin/io/folder_lock.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/run_record.h"
#include "muslin/simulation.h"

/// The folder that a run fills: frames as they come, run.json at the end and every few seconds. No other run
/// may write there meanwhile.
class OutputFolder {
 public:
  /// "": nothing will be written. Throws muslin::Error(file) if the folder cannot be made, another run writes
  /// there, or `force` is false and it holds an earlier one.
  OutputFolder(const std::string& folder, const std::set<std::string>& formats, bool force);

  /// The state as a frame in every format, entered in the record. The first one takes the place of an earlier
  /// run: what that recorded is removed, and nothing else.
  void write_frame(const muslin::Simulation& simulation, muslin::RunRecord& record);

  void write_record(const muslin::RunRecord& record);
  bool record_is_due() const { return Clock::now() - last_record_ > std::chrono::seconds(5); }

 private:
  using Clock = std::chrono::steady_clock;

  void refuse_earlier_run() const;

  std::filesystem::path folder_;
  bool force_, first_ = true;
  std::optional<muslin::FolderLock> lock_;
  std::vector<std::pair<std::string, std::unique_ptr<muslin::FrameWriter>>> writers_;
  Clock::time_point last_record_ = Clock::now();
};
