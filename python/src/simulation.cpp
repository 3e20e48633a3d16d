// A running cloth, and the reports of its frames.
#include <cmath>
#include <optional>

#include "bindings.h"
#include "interrupt.h"
#include "muslin/energy/energies.h"

using namespace muslin;

namespace {

// --- reports ---------------------------------------------------------------------------------------

std::optional<double> if_finite(double number) {
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

py::tuple triple(const Vec3& v) { return py::make_tuple(v.x(), v.y(), v.z()); }

std::string hex(std::uint64_t number) {
  static const char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (int k = 15; k >= 0; --k, number >>= 4) text[k] = digits[number & 15];
  return text;
}

/// visit(name, what it is, how it is got from a report) for everything that a report tells.
template <class Visit>
void report_fields(const Visit& visit) {
  using Report = const FrameReport&;
  visit("frame", "number of the frame", [](Report r) { return r.frame; });
  visit("time", "[s]", [](Report r) { return r.time; });
  visit("status", "ok, not_converged, diverged or cancelled: the worst of the frame's steps",
        [](Report r) { return std::string(name_of(r.step.status)); });
  visit("failure", "why a run that diverged cannot go on, or None", [](Report r) -> py::object {
    return r.failure == Failure::none ? py::object(py::none()) : py::str(std::string(name_of(r.failure)));
  });
  visit("hash", "of the state, 16 hexadecimal digits: equal states have equal ones",
        [](Report r) { return hex(r.hash); });
  visit("iterations", "of the solver, summed", [](Report r) { return r.step.iterations; });
  visit("linear_iterations", "of conjugate gradients, summed",
        [](Report r) { return r.step.linear_iterations; });
  visit("distance_left",
        "estimated root mean square distance to the minimum at which a step of quasi_newton ended [m], or "
        "None",
        [](Report r) { return r.step.distance_left; });
  visit("residual", "root mean square of the force left over at a vertex [N], or None",
        [](Report r) { return r.step.residual; });
  visit("lost_gravity", "fraction of the weight that the last step left unbalanced, or None",
        [](Report r) { return r.step.lost_gravity; });
  visit("last_move", "largest move of a vertex in the last iteration [m]",
        [](Report r) { return r.step.last_move; });
  visit("contacts", "vertices pushed out, or pairs that repel", [](Report r) { return r.step.contacts; });
  visit("min_gap", "smallest gap to colliders [m], or None",
        [](Report r) { return if_finite(r.step.min_gap); });
  visit("least_distance", "of cloth to anything, as far as it was looked for [m], or None",
        [](Report r) { return if_finite(r.step.least_distance); });
  visit("blocked", "by how much colliders or pins are short of their targets [m]",
        [](Report r) { return r.step.blocked; });
  visit("jammed", "cloth that cannot give way is in the way of colliders or pins",
        [](Report r) { return r.step.jammed; });
  visit("strain_max", "largest strain of an edge", [](Report r) { return r.strain_max; });
  visit("strain_p99", "99th percentile of the same", [](Report r) { return r.strain_p99; });
  visit("strain_mean", "mean of its absolute value", [](Report r) { return r.strain_mean; });
  visit("limit_ratio", "largest strain of warp and weft over their limit, or None",
        [](Report r) { return r.limit_ratio; });
  visit("kinetic_energy", "[J]", [](Report r) { return r.kinetic_energy; });
  visit("elastic_energy", "[J]", [](Report r) { return r.elastic_energy; });
  visit("potential_energy", "[J] -sum m g.x", [](Report r) { return r.potential_energy; });
  visit("center_of_mass", "(x, y, z) [m]", [](Report r) { return triple(r.center_of_mass); });
  visit("free_fall_error", "(x, y, z) of the centre of mass minus exact free fall [m], or None",
        [](Report r) -> py::object {
          return r.free_fall_error ? py::object(triple(*r.free_fall_error)) : py::none();
        });
  visit("solve_ms", "in the solver [ms]", [](Report r) { return r.step.solve_ms; });
  visit("contact_ms", "in contact [ms]", [](Report r) { return r.step.contact_ms; });
  visit("ms", "wall time of the frame [ms]", [](Report r) { return r.ms; });
}

void bind_report(py::module_& module) {
  py::class_<FrameReport> report(module, "Report", "What a frame tells; `fields` names all of it.");
  py::list names;
  report_fields([&](const char* name, const char* doc, auto get) {
    report.def_property_readonly(name, get, doc);
    names.append(name);
  });
  report.attr("fields") = py::tuple(names);
  const auto as_dict = [](const py::object& self) {
    py::dict values;
    for (const py::handle name : self.attr("fields")) values[name] = self.attr(name);
    return values;
  };
  report.def("asdict", as_dict, "All fields by name.");
  report.def("__repr__",
             [=](const py::object& self) { return py::str("<muslin.Report {}>").format(as_dict(self)); });
}

// --- stepping --------------------------------------------------------------------------------------

bool is_main_thread() {
  const py::object main = py::module_::import("threading").attr("main_thread")();
  return main.attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

// Steps without the interpreter's lock, so that other threads run; Ctrl-C stops it within the frame.
FrameReport step_until(Simulation& simulation, bool& interrupted) {
  std::optional<InterruptScope> scope;
  if (is_main_thread()) scope.emplace(simulation.stop());
  FrameReport report;
  {
    const py::gil_scoped_release release;
    report = simulation.step();
  }
  interrupted = scope && scope->came();
  if (interrupted) simulation.stop().take_back();  // or it would end the next frame
  return report;
}

FrameReport step(Run& run) {
  const Turn turn(run);
  for (;;) {
    bool interrupted = false;
    FrameReport report = step_until(run.simulation, interrupted);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    // Who listens for Ctrl-C and raises nothing wants the frame all the same.
    if (!interrupted || report.step.status != Status::cancelled) return report;
  }
}

// --- what there is ---------------------------------------------------------------------------------

py::array_t<double> in_user_order(const Simulation& simulation, const Points& columns) {
  const Numbering& numbers = simulation.model().vertex_numbers;
  return numbers.same() ? rows_of(columns) : rows_of(numbers.to_user(columns));
}

Points elastic_forces(const Simulation& simulation) {
  const Points& positions = simulation.state().positions;
  Points gradient = Points::Zero(3, positions.cols());
  Scratch scratch;
  add_elastic_gradient(simulation.model().energies, positions, scratch, gradient);
  return -gradient;
}

py::array_t<double> masses(const Simulation& simulation) {
  const Model& model = simulation.model();
  py::array_t<double> all(model.user_vertex_count());
  auto at = all.mutable_unchecked<1>();
  for (int v = 0; v < model.user_vertex_count(); ++v) at(v) = model.mass[model.vertex_numbers.to_model(v)];
  return all;
}

py::array_t<std::int32_t> triangles(const Simulation& simulation) {
  const Model& model = simulation.model();
  const auto count = static_cast<py::ssize_t>(model.triangles.size());
  py::array_t<std::int32_t> rows({count, py::ssize_t{3}});
  auto at = rows.mutable_unchecked<2>();
  for (py::ssize_t t = 0; t < count; ++t) {
    const Stencil<3> corners = user_triangle(model, static_cast<int>(t));
    for (int k = 0; k < 3; ++k) at(t, k) = corners[k];
  }
  return rows;
}

std::vector<int> pinned(const Simulation& simulation) {
  std::vector<int> held;
  for (int v = 0; v < simulation.model().user_vertex_count(); ++v)
    if (simulation.is_held(v)) held.push_back(v);
  return held;
}

std::vector<std::string> check(Run& run, bool repaired) {
  const Turn turn(run);
  const py::gil_scoped_release release;
  const Simulation& simulation = run.simulation;
  return check_start(simulation.model(), simulation.state().positions, keeps_out(simulation.scene().solver),
                     repaired);
}

int repair(Run& run) {
  const Turn turn(run);
  const py::gil_scoped_release release;
  const Untangled untangled = untangle(run.simulation.model(), run.simulation.state().positions);
  run.simulation.start_from(untangled.positions);
  return untangled.pairs;
}

/// A call of `action(simulation, …)` in its turn.
template <class Result, class... Arguments>
auto in_turn(Result (*action)(const Simulation&, Arguments...)) {
  return [action](Run& run, Arguments... arguments) {
    const Turn turn(run);
    return action(run.simulation, std::forward<Arguments>(arguments)...);
  };
}

void bind_arrays(py::class_<Run, std::shared_ptr<Run>>& type) {
  type.def("positions", in_turn(+[](const Simulation& s) { return in_user_order(s, s.state().positions); }))
      .def("velocities", in_turn(+[](const Simulation& s) { return in_user_order(s, s.state().velocities); }))
      .def("forces", in_turn(+[](const Simulation& s) { return in_user_order(s, elastic_forces(s)); }))
      .def("external_forces", in_turn(+[](const Simulation& s) {
             const Points& force = s.controls().force;
             return in_user_order(s, force.cols() > 0 ? force : Points::Zero(3, s.model().vertex_count()));
           }))
      .def("masses", in_turn(&masses))
      .def("triangles", in_turn(&triangles))
      .def("pinned", in_turn(&pinned))
      .def("set_positions",
           [](Run& run, const Rows& rows) {
             const Turn turn(run);
             run.simulation.set_positions(points_of("positions", rows));
           })
      .def("set_velocities",
           [](Run& run, const Rows& rows) {
             const Turn turn(run);
             run.simulation.set_velocities(points_of("velocities", rows));
           })
      .def("push", [](Run& run, const Rows& rows) {
        const Turn turn(run);
        run.simulation.push(points_of("push", rows));
      });
}

void bind_hands(py::class_<Run, std::shared_ptr<Run>>& type) {
  type.def("hold",
           [](Run& run, int vertex) {
             const Turn turn(run);
             run.simulation.hold(vertex);
           })
      .def("hold",
           [](Run& run, int vertex, const std::array<double, 3>& place) {
             const Turn turn(run);
             run.simulation.hold(vertex, Vec3(place[0], place[1], place[2]));
           })
      .def("let_go",
           [](Run& run, int vertex) {
             const Turn turn(run);
             run.simulation.let_go(vertex);
           })
      .def("pull",
           [](Run& run, int vertex, const std::array<double, 3>& place) {
             const Turn turn(run);
             run.simulation.pull(vertex, Vec3(place[0], place[1], place[2]));
           })
      .def("release",
           [](Run& run) {
             const Turn turn(run);
             run.simulation.release();
           })
      .def("carry", [](Run& run, int collider, const std::array<double, 3>& offset) {
        const Turn turn(run);
        run.simulation.carry(collider, Vec3(offset[0], offset[1], offset[2]));
      });
}

void bind_saving(py::class_<Run, std::shared_ptr<Run>>& type) {
  type.def("save",
           [](Run& run, const std::string& path) {
             const Turn turn(run);
             const py::gil_scoped_release release;
             run.simulation.save(path);
           })
      .def("load",
           [](Run& run, const std::string& path) {
             const Turn turn(run);
             const py::gil_scoped_release release;
             run.simulation.load(path);
           })
      .def("saved", in_turn(+[](const Simulation& s) { return py::bytes(s.saved()); }))
      .def("load_saved",
           [](Run& run, const py::bytes& bytes) {
             const Turn turn(run);
             run.simulation.load_saved(bytes);
           })
      .def("reset", [](Run& run) {
        const Turn turn(run);
        run.simulation.reset();
      });
}

}  // namespace

void bind_simulation(py::module_& module) {
  bind_report(module);
  py::class_<Run, std::shared_ptr<Run>> type(module, "Simulation");
  type.def(py::init([](const SceneHandle& handle) {
             const py::gil_scoped_release release;
             return std::make_shared<Run>(handle.scene);
           }),
           py::arg("scene"))
      .def("step", &step)
      .def("report", in_turn(+[](const Simulation& s) { return s.report(); }))
      .def("frame", in_turn(+[](const Simulation& s) { return s.frame(); }))
      .def("time", in_turn(+[](const Simulation& s) { return s.state().time; }))
      .def("substeps", in_turn(+[](const Simulation& s) { return s.substeps(); }))
      .def("vertex_count", in_turn(+[](const Simulation& s) { return s.model().user_vertex_count(); }))
      .def("warnings", in_turn(+[](const Simulation& s) { return s.model().warnings; }))
      .def("limits", in_turn(+[](const Simulation& s) { return s.limits(); }))
      .def("colliders", in_turn(+[](const Simulation& s) {
             std::vector<std::string> names;
             for (const Collider& collider : s.model().colliders) names.push_back(collider.name);
             return names;
           }))
      .def("threads", in_turn(+[](const Simulation& s) { return s.threads(); }))
      .def("set_threads",
           [](Run& run, int count) {
             const Turn turn(run);
             run.simulation.set_threads(count);
           })
      .def("stop", [](Run& run) { run.simulation.stop().request(); })  // from any thread, at any time
      .def("check", &check)
      .def("repair", &repair);
  bind_arrays(type);
  bind_hands(type);
  bind_saving(type);
}
