// The command that writes the frames of an earlier run in other formats.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/folder_lock.h"
#include "muslin/io/frame_series.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/run_folder.h"
#include "picture_source.h"
#include "streams.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

struct ConvertOptions {
  std::string run, out;
  std::vector<std::string> formats;
  bool force = false, quiet = false;
};

/// Frames 0 to the last, none of them missing.
int count_frames(const std::string& run, const std::vector<int>& frames) {
  for (int k = 0; k < std::ssize(frames); ++k)
    if (frames[k] != k)
      throw Error(ErrorKind::file,
                  fmt::format("{}: must hold frames 0 to {}, frame {} is missing", run, frames.back(), k));
  return static_cast<int>(frames.size());
}

void make_target(const ConvertOptions& options) {
  std::error_code error;
  if (fs::equivalent(options.run, options.out, error))
    throw Error(ErrorKind::invalid,
                "--out: must be another folder than that of the run: there the run has its own files");
  fs::create_directories(options.out, error);
  if (error)
    throw Error(ErrorKind::file, fmt::format("{}: cannot be made: {}", options.out, error.message()));
}

void convert(const ConvertOptions& options) {
  const std::unique_ptr<RecordedSource> source = open_frames(options.run);
  const std::vector<int> wanted = source->frames();
  const int count = count_frames(options.run, wanted);
  make_target(options);
  const FolderLock lock(options.out);
  source->prepare(wanted, true);
  std::vector<std::pair<std::string, std::unique_ptr<FrameWriter>>> writers;
  for (const std::string& format : frame_formats_of(options.formats))
    writers.emplace_back(format, make_frame_writer(format));
  FrameSeries series(options.formats, source->model(), source->scene().frame_time, options.out,
                     options.force);
  for (const int frame : wanted) {
    const State state = source->state(frame);
    for (const auto& [format, writer] : writers)
      write_file((fs::path(options.out) / frame_file(frame, format)).string(),
                 writer->encode(source->model(), state, source->blocked(frame)), options.force);
    series.add(state.positions, source->blocked(frame));
  }
  const FileSums files = series.finish();
  if (options.quiet) return;
  say("{}: {} frames", options.out, count);
  for (const auto& [name, sum] : files) say(", {}", name);
  say("\n");
}

}  // namespace

void add_convert_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convert", R"(Write the frames of a run for other programs.

Examples:
  muslin convert o --to pc2 --out blender         a mesh, run.obj, and its point cache, run.pc2
  muslin convert o --to glb,usda --out shared     run.glb and run.usda
  muslin convert o --to vtp --out paraview        frame_0000.vtp ... and run.pvd

RUN is a folder that muslin run wrote, with frames as OBJ or PLY, or run.pc2, which has single precision. What is written is
what muslin run --format would have written, byte for byte, but for velocities in .vtp: frames do not hold them, so they are
the way since the frame before over its time. Which program reads what, and how: docs/formats.md.
)");
  const auto o = std::make_shared<ConvertOptions>();
  const auto not_empty = [](const std::string& folder) { return folder.empty() ? "is empty" : ""; };
  command->add_option("RUN", o->run, "folder of the run")->required()->check(not_empty);
  command->add_option("--to", o->formats, "formats, separated by commas: see muslin list formats")
      ->delimiter(',')
      ->check(CLI::IsMember(all_formats()))
      ->required();
  command->add_option("-o,--out", o->out, "folder for the files; made if it is not there")
      ->required()
      ->check(not_empty);
  command->add_flag("--force", o->force, "replace files of those names");
  command->add_flag("-q,--quiet", o->quiet, "say nothing of what was written");
  command->callback([o] { convert(*o); });
}
