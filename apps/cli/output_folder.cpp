#include "output_folder.h"

#include <fmt/format.h>

#include <utility>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/run_folder.h"
#include "muslin/io/sha256.h"

namespace fs = std::filesystem;
using namespace muslin;

OutputFolder::OutputFolder(const std::string& folder, const std::set<std::string>& formats, bool force)
    : folder_(folder), force_(force) {
  for (const std::string& format : formats) writers_.push_back({format, make_frame_writer(format)});
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw Error(ErrorKind::file, fmt::format("{}: cannot be made: {}", folder, error.message()));
  lock_.emplace(folder);
  if (!force_) refuse_earlier_run();
}

// Frames without a run.json count, too: they would seem to belong to this run.
void OutputFolder::refuse_earlier_run() const {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name == "run.json" || frame_of_file(name))
      throw Error(ErrorKind::file,
                  fmt::format("{}: holds an earlier run ({}); use --force to replace it, or another --out",
                              folder_.string(), name));
  }
}

void OutputFolder::write_frame(const Simulation& simulation, RunRecord& record) {
  if (folder_.empty()) return;
  auto& sums = record.files.emplace_back();
  std::vector<std::unique_ptr<GrowingFile>> files;
  for (const auto& [format, writer] : writers_) {
    const std::string name = frame_file(simulation.frame(), format);
    const std::string content = writer->encode(simulation.model(), simulation.state());
    files.push_back(std::make_unique<GrowingFile>((folder_ / name).string(), force_));
    files.back()->append(content);
    sums[name] = sha256(content);
  }
  if (std::exchange(first_, false) && force_) remove_run(folder_.string());
  for (const auto& file : files) file->finish();
}

void OutputFolder::write_record(const RunRecord& record) {
  if (folder_.empty()) return;
  write_file((folder_ / "run.json").string(), encode_run(record), true);
  last_record_ = Clock::now();
}
