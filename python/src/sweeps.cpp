// Sweeps: many runs of one scene.
#include "bindings.h"
#include "muslin/sweep/figures.h"
#include "muslin/sweep/sweep_page.h"
#include "muslin/sweep/sweep_runner.h"
#include "muslin/sweep/sweep_table.h"

using namespace muslin;

namespace {

/// A sweep's folder, and who runs its lines here.
class SweepRun {
 public:
  SweepRun(const std::string& folder, const std::string& cache) : folder_(folder), runner_(folder_, cache) {}
  SweepRun(const SweepRun&) = delete;
  SweepRun& operator=(const SweepRun&) = delete;

  const SweepFolder& folder() const { return folder_; }
  SweepRunner& runner() { return runner_; }

 private:
  SweepFolder folder_;
  SweepRunner runner_;
};

// The folder of a plan: made, or gone on with; what is wrong with lines of a new one.
std::vector<std::string> begin(const std::string& folder, const std::string& text, const std::string& name,
                               const std::string& scene_file) {
  const Unlocked unlocked;
  SweepPlan plan = parse_plan(text, name);
  plan.scene = scene_file;
  if (!SweepFolder::exists(folder)) return SweepFolder::create(folder, plan);
  if (!SweepFolder(folder).is_of(plan))
    throw Error(ErrorKind::file, folder + ": holds the sweep of another plan; choose another folder");
  return {};
}

py::dict status_of(const SweepRun& sweep) {
  const SweepStatus status = sweep.folder().status();
  return py::dict(py::arg("done") = status.done, py::arg("failed") = status.failed,
                  py::arg("running") = status.running, py::arg("left") = status.left);
}

py::list troubles_of(const SweepRun& sweep) {
  py::list troubles;
  for (const auto& [line, result] : sweep.folder().failures())
    troubles.append(py::make_tuple(line, result.outcome, result.reason));
  return troubles;
}

py::list list_figures() {
  py::list list;
  for (const Figure& figure : figures())
    list.append(
        py::dict(py::arg("name") = figure.name, py::arg("doc") = figure.doc, py::arg("unit") = figure.unit));
  return list;
}

}  // namespace

void bind_sweeps(py::module_& module) {
  module.def(
      "scene_of_plan",
      [](const std::string& text, const std::string& name) { return parse_plan(text, name).scene; },
      py::arg("plan"), py::arg("name"));
  module.def("begin_sweep", &begin, py::arg("folder"), py::arg("plan"), py::arg("name"),
             py::arg("scene_file"));
  module.def("figures", &list_figures);
  module.def("plan_schema", &plan_schema);
  py::class_<SweepRun>(module, "Sweep")
      .def(py::init<const std::string&, const std::string&>(), py::arg("folder"), py::arg("cache"))
      .def("count", [](const SweepRun& sweep) { return sweep.folder().lines().size(); })
      .def("has_result",
           [](const SweepRun& sweep, int line) { return sweep.folder().result(line).has_value(); })
      .def("run",
           [](SweepRun& sweep, int line) {
             const Unlocked unlocked([&] { sweep.runner().stop(); });
             sweep.runner().run(sweep.folder().lines().at(line));
           })
      .def("stop", [](SweepRun& sweep) { sweep.runner().stop(); })  // from any thread, at any time
      .def("status", &status_of)
      .def("troubles", &troubles_of)
      .def("table", [](const SweepRun& sweep) { return sweep_json(sweep_columns(sweep.folder(), true)); })
      .def("page", [](const SweepRun& sweep) { return sweep_page(sweep.folder()); });
}
