// A running cloth, and the reports of its frames.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "bindings.h"
#include "interrupt.h"
#include "muslin/energy/energies.h"
#include "muslin/model/report_fields.h"
#include "muslin/model/rest_watch.h"

using namespace muslin;

namespace {

// --- reports ---------------------------------------------------------------------------------------

py::object value_of(double number) {
  return std::isfinite(number) ? py::object(py::float_(number)) : py::none();
}
py::object value_of(bool truth) { return py::bool_(truth); }
py::object value_of(int number) { return py::int_(number); }
py::object value_of(std::int64_t number) { return py::int_(number); }
py::object value_of(const Vec3& v) { return py::make_tuple(v.x(), v.y(), v.z()); }
py::object value_of(Failure failure) {
  return failure == Failure::none ? py::object(py::none()) : py::str(std::string(name_of(failure)));
}
template <class E>
requires std::is_enum_v<E> py::object value_of(E value) { return py::str(std::string(name_of(value))); }
py::object value_of(std::uint64_t hash) {
  static const char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (int k = 15; k >= 0; --k, hash >>= 4) text[k] = digits[hash & 15];
  return py::str(text);
}
template <class T>
py::object value_of(const std::optional<T>& value) {
  return value ? value_of(*value) : py::none();
}

// The other way round: from what value_of gave for a value that was left out, none is itself.
void read(const py::object& value, double& number) {
  if (!value.is_none())
    number = value.cast<double>();
  else if (std::isfinite(number))
    number = std::numeric_limits<double>::quiet_NaN();
}
void read(const py::object& value, bool& truth) { truth = value.cast<bool>(); }
void read(const py::object& value, int& number) { number = value.cast<int>(); }
void read(const py::object& value, std::int64_t& number) { number = value.cast<std::int64_t>(); }
void read(const py::object& value, std::uint64_t& hash) {
  hash = std::stoull(value.cast<std::string>(), nullptr, 16);
}
void read(const py::object& value, Vec3& v) {
  const auto [x, y, z] = value.cast<std::array<double, 3>>();
  v = {x, y, z};
}
template <class E>
requires std::is_enum_v<E>
void read(const py::object& value, E& member) {
  if (value.is_none()) return;
  const auto& names = EnumNames<E>::names;
  const auto found = std::find(names.begin(), names.end(), value.cast<std::string>());
  if (found != names.end()) member = static_cast<E>(found - names.begin());
}
template <class T>
void read(const py::object& value, std::optional<T>& member) {
  if (!value.is_none()) read(value, member.emplace());
}

/// visit(name, value, FieldInfo) for everything that a report tells.
template <class Report, class Visit>
void all_fields(Report& report, const Visit& visit) {
  report_fields(report, visit);
  report_times(report, visit);
}

// "root mean square of the force left over at a vertex [N]"
std::string doc_of(const FieldInfo& info) {
  return std::string(info.doc) + (info.unit.empty() ? "" : " [" + std::string(info.unit) + "]");
}

void bind_report(py::module_& module) {
  py::class_<FrameReport> report(module, "Report", "What a frame tells; `fields` names all of it.");
  py::list names;
  int count = 0;
  const FrameReport without{};
  all_fields(without, [&](const char* name, const auto& value, const FieldInfo& info) {
    const auto get = [number = count++](const FrameReport& asked) {
      py::object found = py::none();
      int k = 0;
      all_fields(asked, [&](const char*, const auto& one, const FieldInfo&) {
        if (k++ == number) found = value_of(one);
      });
      return found;
    };
    const std::string absent = value_of(value).is_none() ? ", or None" : "";
    report.def_property_readonly(name, get, (doc_of(info) + absent).c_str());
    names.append(name);
  });
  report.attr("fields") = py::tuple(names);
  const auto as_dict = [](const py::object& self) {
    py::dict values;
    for (const py::handle name : self.attr("fields")) values[name] = self.attr(name);
    return values;
  };
  report.def("asdict", as_dict, "All fields by name.");
  const auto from_dict = [](const py::dict& values) {
    FrameReport read_back;
    all_fields(read_back, [&](const char* name, auto& member, const FieldInfo&) {
      read(py::object(values[name]), member);
    });
    return read_back;
  };
  report.def(py::pickle(as_dict, from_dict));
  report.def("__repr__",
             [=](const py::object& self) { return py::str("<muslin.Report {}>").format(as_dict(self)); });
}

// --- stepping --------------------------------------------------------------------------------------

bool is_main_thread() {
  const py::object main = py::module_::import("threading").attr("main_thread")();
  return main.attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

Status status_of(const StepReport& report) { return report.status; }
Status status_of(const FrameReport& report) { return report.step.status; }

// Makes a frame without the interpreter's lock, so that other threads run; Ctrl-C stops it within the frame.
template <class Report>
Report make_frame_until(Simulation& simulation, Report (Simulation::*make)(), bool& interrupted) {
  std::optional<InterruptScope> scope;
  if (is_main_thread()) scope.emplace(simulation.stop());
  Report report;
  {
    const Unlocked unlocked([&] { simulation.stop().request(); });
    report = (simulation.*make)();
  }
  interrupted = scope && scope->came();
  if (interrupted) simulation.stop().take_back();  // or it would end the next frame
  return report;
}

template <class Report>
Report make_frame(Run& run, Report (Simulation::*make)()) {
  const Change change(run);
  for (;;) {
    bool interrupted = false;
    const Report report = make_frame_until(run.simulation, make, interrupted);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    // Who listens for Ctrl-C and raises nothing wants the frame all the same.
    if (!interrupted || status_of(report) != Status::cancelled) return report;
  }
}

FrameReport step(Run& run) { return make_frame(run, &Simulation::step); }

std::string advance(Run& run) { return std::string(name_of(make_frame(run, &Simulation::advance).status)); }

// --- what there is ---------------------------------------------------------------------------------

py::array_t<double> in_user_order(const Simulation& simulation, const Points& columns) {
  const Numbering& numbers = simulation.model().vertex_numbers;
  return numbers.same() ? rows_of(columns) : rows_of(numbers.to_user(columns));
}

// Numbers of the state for reading: its own memory where the order is the model's, else a copy.
py::array_t<double> read_only(const std::shared_ptr<Run>& run, Points State::*member,
                              std::weak_ptr<Lent> Run::*slot) {
  const Turn turn(*run);
  const Points& columns = run->simulation.state().*member;
  py::array_t<double> rows;
  if (!run->simulation.model().vertex_numbers.same()) {
    rows = in_user_order(run->simulation, columns);
  } else {
    std::shared_ptr<Lent> lent = ((*run).*slot).lock();
    if (!lent || lent->is_own) {
      lent = std::make_shared<Lent>();
      (*run).*slot = lent;
    }
    const py::capsule owner(new std::shared_ptr<Lent>(lent),
                            [](void* reader) { delete static_cast<std::shared_ptr<Lent>*>(reader); });
    rows = py::array_t<double>({columns.cols(), Eigen::Index{3}}, columns.data(), owner);
  }
  rows.attr("setflags")(py::arg("write") = false);
  return rows;
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

// Of pins (vertices, reaction), of colliders (vertices, normal, friction), of vertices in the user's order.
py::tuple reactions(const Simulation& simulation) {
  const Reactions found = simulation.reactions();
  const auto numbers = [](const Vec3& v) { return py::make_tuple(v.x(), v.y(), v.z()); };
  py::list pins, colliders;
  for (const PinReaction& pin : found.pins) pins.append(py::make_tuple(pin.vertices, numbers(pin.reaction)));
  for (const ColliderLoad& load : found.colliders)
    colliders.append(py::make_tuple(load.vertices, numbers(load.normal), numbers(load.friction)));
  return py::make_tuple(pins, colliders, in_user_order(simulation, found.vertices));
}

// In the order of triangles().
py::array_t<double> tension(const Simulation& simulation) {
  const Model& model = simulation.model();
  const Scalars all = simulation.tension();
  const auto count = static_cast<py::ssize_t>(model.triangles.size());
  py::array_t<double> rows(count);
  auto at = rows.mutable_unchecked<1>();
  for (py::ssize_t t = 0; t < count; ++t) at(t) = all[model.triangle_numbers.to_model(static_cast<int>(t))];
  return rows;
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
  const Unlocked unlocked;
  const Simulation& simulation = run.simulation;
  return check_start(simulation.model(), simulation.state().positions, keeps_out(simulation.scene().solver),
                     repaired);
}

int repair(Run& run) {
  const Change change(run);
  const Unlocked unlocked;
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
  type.def("positions",
           [](const std::shared_ptr<Run>& run) { return read_only(run, &State::positions, &Run::positions); })
      .def("velocities",
           [](const std::shared_ptr<Run>& run) {
             return read_only(run, &State::velocities, &Run::velocities);
           })
      .def("forces", in_turn(+[](const Simulation& s) { return in_user_order(s, elastic_forces(s)); }))
      .def("external_forces", in_turn(+[](const Simulation& s) {
             const Points& force = s.controls().force;
             return in_user_order(s, force.cols() > 0 ? force : Points::Zero(3, s.model().vertex_count()));
           }))
      .def("reactions", in_turn(&reactions))
      .def("tension", in_turn(&tension))
      .def("masses", in_turn(&masses))
      .def("triangles", in_turn(&triangles))
      .def("pinned", in_turn(&pinned))
      .def("set_positions",
           [](Run& run, const Rows& rows) {
             const Change change(run);
             run.simulation.set_positions(points_of("positions", rows));
           })
      .def("set_velocities",
           [](Run& run, const Rows& rows) {
             const Change change(run);
             run.simulation.set_velocities(points_of("velocities", rows));
           })
      .def("push", [](Run& run, const Rows& rows) {
        const Change change(run);
        run.simulation.push(points_of("push", rows));
      });
}

void bind_hands(py::class_<Run, std::shared_ptr<Run>>& type) {
  type.def("hold",
           [](Run& run, int vertex) {
             const Change change(run);
             run.simulation.hold(vertex);
           })
      .def("hold",
           [](Run& run, int vertex, const std::array<double, 3>& place) {
             const Change change(run);
             run.simulation.hold(vertex, Vec3(place[0], place[1], place[2]));
           })
      .def("attach",
           [](Run& run, const std::vector<int>& vertices, int collider) {
             const Change change(run);
             run.simulation.attach(vertices, collider);
           })
      .def("let_go",
           [](Run& run, int vertex) {
             const Change change(run);
             run.simulation.let_go(vertex);
           })
      .def("pull",
           [](Run& run, int vertex, const std::array<double, 3>& place) {
             const Change change(run);
             run.simulation.pull(vertex, Vec3(place[0], place[1], place[2]));
           })
      .def("release",
           [](Run& run) {
             const Change change(run);
             run.simulation.release();
           })
      .def("carry", [](Run& run, int collider, const std::array<double, 3>& offset) {
        const Change change(run);
        run.simulation.carry(collider, Vec3(offset[0], offset[1], offset[2]));
      });
}

void bind_saving(py::class_<Run, std::shared_ptr<Run>>& type) {
  type.def("save",
           [](Run& run, const std::string& path) {
             const Change change(run);
             const Unlocked unlocked;
             run.simulation.save(path);
           })
      .def("load",
           [](Run& run, const std::string& path) {
             const Change change(run);
             const Unlocked unlocked;
             run.simulation.load(path);
           })
      .def("saved", in_turn(+[](const Simulation& s) { return py::bytes(s.saved()); }))
      .def("load_saved",
           [](Run& run, const py::bytes& bytes) {
             const Change change(run);
             run.simulation.load_saved(bytes);
           })
      .def("reset", [](Run& run) {
        const Change change(run);
        run.simulation.reset();
      });
}

}  // namespace

void bind_simulation(py::module_& module) {
  bind_report(module);
  py::class_<Run, std::shared_ptr<Run>> type(module, "Simulation");
  py::class_<RestWatch>(module, "RestWatch")
      .def(py::init<double>())
      .def("look", [](RestWatch& watch, Run& run) {
        const Turn turn(run);
        const State& state = run.simulation.state();
        return watch.look(state.time, state.velocities);
      });
  type.def(py::init([](const SceneHandle& handle) {
             const Unlocked unlocked;
             return std::make_shared<Run>(handle.scene);
           }),
           py::arg("scene"))
      .def("step", &step)
      .def("advance", &advance)
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
             const Change change(run);
             run.simulation.set_threads(count);
           })
      .def("stop", [](Run& run) { run.simulation.stop().request(); })  // from any thread, at any time
      .def("check", &check)
      .def("repair", &repair);
  bind_arrays(type);
  bind_hands(type);
  bind_saving(type);
}
