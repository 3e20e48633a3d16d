#include "resume.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <utility>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/frame_series.h"
#include "muslin/io/run_folder.h"
#include "muslin/version.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

[[noreturn]] void refuse(const std::string& folder, const std::string& words) {
  throw Error(ErrorKind::invalid, folder + ": " + words);
}

void check_outcome(const std::string& folder, const RunRecord& record) {
  if (record.outcome == "finished")
    refuse(folder,
           fmt::format("the run is finished, {} frames: there is nothing to resume", record.scene.frames));
  if (record.outcome == "diverged")
    refuse(folder, "the run diverged, and would again: run the scene with other settings");
}

/// Loads a saved state if it, the record and the frames until then are whole; else throws Error.
void load_state(const std::string& folder, int frame, const std::string& path, const WholeRecord& run,
                Simulation& simulation) {
  simulation.load(path);
  if (simulation.frame() != frame)
    refuse(path, fmt::format("must be of frame {}, is of frame {}", frame, simulation.frame()));
  if (frame >= std::ssize(run.frames))
    refuse(path, fmt::format("must be of one of the {} frames in run.json", run.frames.size()));
  if (const std::uint64_t expected = run.frames[frame].report.hash; hash(simulation.state()) != expected)
    refuse(path, fmt::format("must have the hash {:016x} of its frame in run.json, has {:016x}", expected,
                             hash(simulation.state())));
  for (int k = 0; k <= frame; ++k) {
    if (run.frames[k].files.size() != frame_formats_of(run.record.formats).size())
      refuse(folder, fmt::format("run.json must tell of the files of frame {}", k));
    check_files(folder, run.frames[k].files);
  }
}

/// The frame of the newest saved state that could be loaded, or -1 if there is none.
int load_newest(const std::string& folder, const WholeRecord& run, Simulation& simulation,
                std::vector<std::string>& words) {
  const std::map<int, std::string> states = checkpoints_in(folder);
  std::vector<std::string> reasons;
  for (auto state = states.rbegin(); state != states.rend(); ++state) try {
      const auto& [frame, path] = *state;
      load_state(folder, frame, path, run, simulation);
      for (const std::string& reason : reasons) words.push_back("warning: " + reason);
      words.push_back(fmt::format("resumes after frame {} of {}", frame, run.record.scene.frames));
      return frame;
    } catch (const Error& error) {
      reasons.push_back(error.what());
    }
  if (!reasons.empty())
    refuse(folder, fmt::format("no saved state can be used; start the run again, with --force\n{}",
                               fmt::join(reasons, "\n")));
  return -1;
}

void cut_record(int frame, std::vector<RecordedFrame>& frames, RunRecord& record) {
  frames.resize(frame + 1);
  record.tally = {};
  for (const RecordedFrame& kept : frames) record.tally.add(kept.report);
  record.intersections.erase(record.intersections.upper_bound(frame), record.intersections.end());
  record.doubts.clear();
  record.series.clear();
  record.outcome = "running";
}

}  // namespace

ResumedRun resume_run(const std::string& folder) {
  const std::string path = (fs::path(folder) / "run.json").string();
  if (!fs::exists(path))
    refuse(folder, "holds no run.json, so there is no run to resume: start one with muslin run SCENE --out");
  ResumedRun run;
  run.output = std::make_unique<OutputFolder>(folder, true);
  WholeRecord earlier = decode_run(read_file(path), path);
  run.record = earlier.record;
  check_outcome(folder, run.record);
  run.simulation = std::make_unique<Simulation>(run.record.scene);
  const std::string others = describe_difference(run.simulation->fingerprint(), run.record.fingerprint);
  if (!others.empty()) refuse(folder, "cannot be resumed, for the scene is not what it was: " + others);
  const int frame = load_newest(folder, earlier, *run.simulation, run.words);
  if (frame < 0 && run.record.checkpoint == 0)
    refuse(folder, "was run without --checkpoint, so no state is saved: start the run again, with --force");
  if (frame < 0) run.words.push_back("no state is saved yet: the run starts over");
  cut_record(frame, earlier.frames, run.record);
  run.frames = std::move(earlier.frames);
  if (run.record.program != version())
    run.record.warnings.push_back(fmt::format("frames up to {} were made by muslin {}, the others by {}",
                                              frame, run.record.program, version()));
  return run;
}
