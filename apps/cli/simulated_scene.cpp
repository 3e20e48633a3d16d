// A scene that is simulated to be drawn.
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "commands.h"
#include "interrupt.h"
#include "muslin/audit/start.h"
#include "muslin/core/check.h"
#include "muslin/io/run_doubts.h"
#include "muslin/io/run_record.h"
#include "muslin/model/pieces.h"
#include "muslin/simulation.h"
#include "picture_source.h"
#include "progress.h"
#include "streams.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

/// States in a file without a name: it goes with the program, however that ends. 48 bytes a vertex and frame;
/// what the memory can spare, the system keeps there.
class StateFile {
 public:
  StateFile() {
    std::string path = (fs::temp_directory_path() / "muslin-XXXXXX").string();
    number_ = ::mkstemp(path.data());
    if (number_ < 0) fail("be made");
    ::unlink(path.c_str());
  }
  ~StateFile() { ::close(number_); }
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;

  void append(const State& state) {
    write(state.positions);
    write(state.velocities);
    times_.push_back(state.time);
    blocked_.push_back(state.blocked);
  }

  State read(int index, int vertices) const {
    State state;
    state.positions.resize(3, vertices);
    state.velocities.resize(3, vertices);
    state.time = times_[index];
    state.blocked = blocked_[index];
    const auto size = static_cast<off_t>(sizeof(double) * 3 * vertices);
    read(state.positions, 2 * index * size);
    read(state.velocities, (2 * index + 1) * size);
    return state;
  }

 private:
  void write(const Points& points) {
    const char* bytes = reinterpret_cast<const char*>(points.data());
    for (size_t left = sizeof(double) * points.size(); left > 0;) {
      const ssize_t count = ::write(number_, bytes, left);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail("be written");
      bytes += count;
      left -= static_cast<size_t>(count);
    }
  }

  void read(Points& points, off_t place) const {
    char* bytes = reinterpret_cast<char*>(points.data());
    for (size_t left = sizeof(double) * points.size(); left > 0;) {
      const ssize_t count = ::pread(number_, bytes, left, place);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail("be read");
      bytes += count;
      place += count;
      left -= static_cast<size_t>(count);
    }
  }

  [[noreturn]] static void fail(const char* what) {
    throw Error(ErrorKind::file,
                fmt::format("{}: the temporary file for simulated frames cannot {}: {} (TMPDIR "
                            "names another folder)",
                            fs::temp_directory_path().string(), what, std::strerror(errno)));
  }

  int number_ = -1;
  std::vector<double> times_;    // [s] of the states
  std::vector<Points> blocked_;  // mostly empty
};

Scene read(const SceneRequest& request) {
  Scene scene = read_changed_scene(find_scene(request.path), request.changes);
  if (request.last) scene.frames = *request.last;
  return scene;
}

class SimulatedScene final : public PictureSource {
 public:
  explicit SimulatedScene(const SceneRequest& request) : simulation_(read(request)) {
    frames_.resize(scene().frames + 1);
    std::iota(frames_.begin(), frames_.end(), 0);
  }

  const Scene& scene() const override { return simulation_.scene(); }
  const Model& model() const override { return simulation_.model(); }

  std::string prepare(const std::vector<int>& wanted, bool quiet) override {
    for (const auto& warnings :
         {model().warnings, check_start(model(), simulation_.state().positions, keeps_out(scene().solver))})
      for (const std::string& warning : warnings) say("warning: {}\n", warning);
    frames_.clear();
    RunRecord record;
    record.scene = scene();
    record.outcome = "finished";
    record.tally.add(simulation_.report());
    keep_if(wanted);
    Countdown countdown("simulated frame", wanted.back(), quiet);
    const InterruptibleWork work(simulation_.stop());
    while (simulation_.frame() < wanted.back() && record.outcome == "finished") {
      const FrameReport report = simulation_.step();
      if (report.step.status == Status::cancelled) {
        record.outcome = "interrupted";
        break;
      }
      record.tally.add(report);
      countdown.done(simulation_.frame());
      if (report.step.status == Status::diverged)
        record.outcome = "diverged";
      else
        keep_if(wanted);
    }
    countdown.end();
    record.open_seams = find_open_seams(record.scene);
    for (const std::string& doubt : doubts_about(record)) say("warning: {}\n", doubt);
    return record.outcome;
  }

  State state(int frame) const override {
    const auto found = std::lower_bound(frames_.begin(), frames_.end(), frame);
    MUSLIN_ASSERT(found != frames_.end() && *found == frame);
    return file_.read(static_cast<int>(found - frames_.begin()), model().vertex_count());
  }

 private:
  void keep_if(const std::vector<int>& wanted) {
    if (!std::binary_search(wanted.begin(), wanted.end(), simulation_.frame())) return;
    file_.append(simulation_.state());
    frames_.push_back(simulation_.frame());
  }

  Simulation simulation_;
  StateFile file_;
};

}  // namespace

std::unique_ptr<PictureSource> open_scene(const SceneRequest& request) {
  return std::make_unique<SimulatedScene>(request);
}
