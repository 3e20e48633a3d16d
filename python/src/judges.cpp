// What judges frames, and what compares solvers.
#include <utility>

#include "bindings.h"

using namespace muslin;

namespace {

// --- frames ----------------------------------------------------------------------------------------

/// Judges frames of a scene one after another.
class FrameJudge {
 public:
  FrameJudge(const SceneHandle& handle, std::optional<double> within)
      : frame_time_(handle.scene.frame_time),
        model_(build_model(resolved(handle.scene))),
        judge_(model_, within.value_or(4 * model_.half_thickness.maxCoeff())) {}
  FrameJudge(const FrameJudge&) = delete;
  FrameJudge& operator=(const FrameJudge&) = delete;

  int vertex_count() const { return model_.user_vertex_count(); }
  int frame_count() const { return static_cast<int>(verdicts_.size()); }

  /// The next frame, in the user's order; `in_place`: moving colliders are where the scene has them.
  void add(const Points& positions, bool in_place) {
    if (positions.cols() != vertex_count())
      throw Error(ErrorKind::invalid, "check_frames: expected positions of " +
                                          std::to_string(vertex_count()) + " vertices, got " +
                                          std::to_string(positions.cols()));
    if (!positions.allFinite()) throw Error(ErrorKind::invalid, "check_frames: a position is no number");
    judge(model_.vertex_numbers.to_model(positions), in_place);
  }

  /// The next frame, as a run of the scene has written it.
  void add_frame(const RunFolder& run) {
    judge(read_frame(run, frame_count(), model_), !run.blocked.contains(frame_count()));
  }

  /// After the last frame: a dict for each.
  py::list finish() {
    if (!verdicts_.empty()) doubt_crossings(judge_.surface(), before_.places, verdicts_);
    py::list list;
    for (int frame = 0; frame < frame_count(); ++frame) list.append(verdict(frame, verdicts_[frame]));
    return list;
  }

 private:
  /// Positions in the model's order.
  void judge(const Points& positions, bool in_place) {
    const double time = frame_count() * frame_time_;
    Moment moment{time, places_with_bodies(model_, positions, time), in_place};
    verdicts_.push_back(judge_.judge(moment, before_, earlier_));
    earlier_ = std::exchange(before_, std::move(moment));
  }

  int vertex(int v) const { return user_vertex(model_, v).number; }
  int triangle(int t) const { return user_triangle_of(model_, t).number; }
  const std::string& collider(int c) const { return model_.colliders[c].name; }

  py::dict verdict(int frame, const Verdict& v) const {
    py::list meeting, inside, cut, through;
    for (const auto& [a, b] : v.meeting) {
      const UserElement other = user_triangle_of(model_, b);
      meeting.append(py::make_tuple(triangle(a), other.number,
                                    other.collider ? py::object(py::str(other.collider->name)) : py::none()));
    }
    for (const InsideVertex& in : v.inside)
      inside.append(py::make_tuple(vertex(in.vertex), collider(in.collider), in.depth));
    for (const CutTriangle& c : v.cut)
      cut.append(py::make_tuple(triangle(c.triangle), collider(c.collider), c.depth));
    for (const ThroughVertex& t : v.through)
      through.append(py::make_tuple(vertex(t.vertex), collider(t.collider)));
    py::dict words;
    words["frame"] = frame;
    words["clean"] = v.clean();
    words["intersecting"] = meeting;
    words["least_gap"] = v.gap ? py::object(py::float_(v.gap->distance)) : py::none();
    words["inside"] = inside;
    words["cut"] = cut;
    words["crossings"] = v.crossings.size();
    words["doubted_crossings"] = v.doubted.size();
    words["through"] = through;
    words["possible_through"] = v.possible.size();
    return words;
  }

  double frame_time_;  // [s]
  Model model_;
  Judge judge_;
  Moment before_{}, earlier_{};
  std::vector<Verdict> verdicts_;
};

// --- solvers ---------------------------------------------------------------------------------------

using Sweeps = std::vector<std::vector<std::pair<std::string, std::vector<double>>>>;

std::vector<SweepRequest> requests_of(const Sweeps& sweeps) {
  std::vector<SweepRequest> requests;
  for (const auto& sweep : sweeps) {
    SweepRequest& request = requests.emplace_back();
    for (const auto& [name, values] : sweep) {
      const auto& names = EnumNames<SweepAxis>::names;
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        throw Error(ErrorKind::invalid,
                    "compare: a sweep is of iterations, dt or resolution, got \"" + name + "\"");
      request.push_back({static_cast<SweepAxis>(found - names.begin()), values});
    }
  }
  return requests;
}

// What is said of an interrupt waits until the comparison has ended.
py::tuple compare_solvers(const SceneHandle& handle, const CompareOptions& options,
                          const py::object& progress) {
  bool raised = false;  // an exception of Python's is set
  const auto with_python = [&](const auto& action) {
    const py::gil_scoped_acquire acquire;
    if (raised) return;
    try {
      action();
      raised = PyErr_CheckSignals() != 0;
    } catch (py::error_already_set& error) {
      error.restore();
      raised = true;
    }
  };
  CompareWatcher watcher;
  watcher.frame = [&](const Comparison& comparison, int frame) {
    with_python([&] {
      if (!progress.is_none()) progress(frame, comparison.frames);
    });
  };
  watcher.stop = [&] {
    with_python([] {});
    return raised || Unlocked::must_end();
  };
  std::string json, page;
  {
    const Unlocked unlocked;
    const Comparison comparison = compare(handle.scene, options, watcher);
    if (!raised) {
      json = compare_json(comparison);
      page = compare_page(comparison);
    }
  }
  if (raised) throw py::error_already_set();
  return py::make_tuple(json, page);
}

}  // namespace

void bind_judges(py::module_& module) {
  py::class_<FrameJudge>(module, "FrameJudge")
      .def(py::init<const SceneHandle&, std::optional<double>>(), py::arg("scene"), py::arg("within"))
      .def("add",
           [](FrameJudge& judge, const Rows& rows, bool in_place) {
             const Points positions = points_of("check_frames", rows);
             const Unlocked unlocked;
             judge.add(positions, in_place);
           })
      .def("add_frame", &FrameJudge::add_frame, py::call_guard<Unlocked>())
      .def("finish", &FrameJudge::finish);
  py::class_<RunFolder>(module, "RunFolder")
      .def(py::init(&read_run_folder), py::arg("folder"), py::call_guard<Unlocked>())
      .def("scene",
           [](const RunFolder& run) { return std::make_shared<SceneHandle>(SceneHandle{run.scene}); })
      .def("count_frames", &count_frames)
      .def("changed_files", &changed_files, py::call_guard<Unlocked>());
  module.def(
      "compare",
      [](const SceneHandle& handle, const std::vector<std::string>& solvers, std::optional<int> frames,
         std::optional<int> substeps, std::optional<int> iterations, std::optional<int> every,
         const std::vector<int>& trace, const Sweeps& sweeps, const py::object& progress) {
        return compare_solvers(
            handle, CompareOptions{solvers, frames, substeps, iterations, every, trace, requests_of(sweeps)},
            progress);
      },
      py::arg("scene"), py::arg("solvers"), py::arg("frames"), py::arg("substeps"), py::arg("iterations"),
      py::arg("every"), py::arg("trace"), py::arg("sweeps"), py::arg("progress"));
}
