#include "muslin/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "muslin/audit/start.h"
#include "muslin/compare/common_step.h"
#include "muslin/compare/pictures.h"
#include "muslin/compare/reference_step.h"
#include "muslin/compare/sweep.h"
#include "muslin/compare/trace.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/core/timer.h"

namespace muslin {

namespace {

constexpr int kMostReferenceSteps = 100;  // a solver, unless told otherwise
constexpr int kMostPictureVertices = 1600;
constexpr int kMostPictureFrames = 61;
constexpr double kMostPictureNumbers = 1.5e6;  // coordinates of all pictures together: about 4 MB of page

/// A solver on its way through the scene.
struct Runner {
  SolverRecord& record;
  std::unique_ptr<Solver> solver;  ///< null: it never began
  State state;
  ContactForm form = ContactForm::energy;

  bool runs() const { return solver && record.failure.empty(); }
};

/// All solvers and the reference, side by side through the frames of a scene.
class Race {
 public:
  Race(const Scene& scene, const CompareOptions& options, const CompareWatcher& watcher)
      : options_(options), watcher_(watcher), model_(build_model(scene)) {
    describe(scene);
    const SolverSettings reference = reference_settings(scene, result_.step);
    if (const std::string refusal = find_refusal(model_, reference); !refusal.empty())
      throw Error(ErrorKind::invalid, "there is no reference to compare with: " + refusal);
    references_.emplace(scene, result_.step);
    result_.reference.name = "reference";
    result_.reference.label = "Reference";
    result_.reference.summary = "the exact minimum of every step";
    runners_.push_back(
        {result_.reference, make_solver(reference), initial_state(model_), ContactForm::energy});
    result_.solvers.resize(options.solvers.size());
    for (size_t s = 0; s < options.solvers.size(); ++s) enter(options.solvers[s], result_.solvers[s]);
    plan_pictures();
  }

  Comparison run() {
    if (watcher_.began) watcher_.began(result_);
    take_pictures(0);
    for (int frame = 1; frame <= result_.frames && !interrupted(); ++frame) {
      if (std::count(trace_frames_.begin(), trace_frames_.end(), frame)) trace(frame);
      for (Runner& runner : runners_)
        if (!interrupted() && runner.runs()) attempt(runner, [&] { run_frame(runner, frame); });
      if (interrupted()) {
        forget(frame);
        break;
      }
      take_pictures(frame);
      if (watcher_.frame) watcher_.frame(result_, frame);
      if (!runners_.front().runs()) break;
    }
    for (const SweepRequest& request : options_.sweeps)
      if (!interrupted()) result_.sweeps.push_back(sweep({model_, result_, starts_}, request, watcher_));
    interrupted();
    return std::move(result_);
  }

 private:
  void describe(const Scene& scene) {
    result_.scene = scene;
    result_.scene.solver = settled(scene.solver, model_, scene.frame_time);
    result_.frames = options_.frames.value_or(scene.frames);
    result_.step = common_step(scene, model_, options_.substeps);
    result_.iterations = options_.iterations;
    result_.every = options_.every.value_or((result_.frames + kMostReferenceSteps - 1) / kMostReferenceSteps);
    result_.every = std::max(1, result_.every);
    result_.threads = threads();
    result_.vertex_count = model_.vertex_count();
    result_.triangle_count = static_cast<int>(model_.triangles.size());
    result_.weight = model_.mass.sum() * model_.script.gravity.norm();
    result_.warnings = model_.warnings;
    for (const std::string& warning : check_start(model_, initial_state(model_).positions, false))
      result_.warnings.push_back(warning);
    result_.notes = overruled(scene, result_.step);
    const int frames = result_.frames;
    for (const SweepRequest& request : options_.sweeps) check_sweep(request, scene, frames);
    std::set<int> traced(options_.trace_frames.begin(), options_.trace_frames.end());
    if (traced.empty() && frames > 0) traced = {1, std::max(1, (frames + 1) / 3), frames};
    if (!traced.empty() && (*traced.begin() < 1 || *traced.rbegin() > frames))
      throw Error(ErrorKind::invalid, fmt::format("trace: frames must be between 1 and {}", frames));
    trace_frames_.assign(traced.begin(), traced.end());
  }

  void enter(const std::string& name, SolverRecord& record) {
    const Method& method = find_method(name);
    record.name = method.name;
    record.label = method.label;
    record.summary = method.summary;
    runners_.push_back({record, nullptr, initial_state(model_), ContactForm::energy});
    attempt(runners_.back(), [&] {
      const SolverSettings settings = settings_for(method, result_.scene, result_.step, options_.iterations);
      if (const std::string refusal = find_refusal(model_, settings); !refusal.empty())
        throw Error(ErrorKind::invalid, refusal);
      if (keeps_out(settings)) check_start(model_, runners_.back().state.positions, true);  // throws
      runners_.back().solver = make_solver(settings);
      runners_.back().form = contact_form(model_, settings);
      record.limits = limits_of(*runners_.back().solver, model_, settings, result_.scene.frame_time);
    });
  }

  // A family says what it cannot run with an Error, at the latest in its first step.
  template <class Action>
  void attempt(Runner& runner, const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      if (&runner == &runners_.front()) throw;  // without a reference there is nothing to compare
      runner.record.failure = error.what();
      runner.record.refused = runner.record.frames.empty();
    }
  }

  void plan_pictures() {
    const int vertices = std::min(model_.vertex_count(), kMostPictureVertices);
    const double room = kMostPictureNumbers / (3.0 * vertices * double(runners_.size()));
    result_.pictures = picture_mesh(model_, result_.frames, kMostPictureVertices,
                                    std::clamp(static_cast<int>(room), 2, kMostPictureFrames));
  }

  void take_pictures(int frame) {
    const std::vector<int>& frames = result_.pictures.frames;
    if (!std::binary_search(frames.begin(), frames.end(), frame)) return;
    for (Runner& runner : runners_)
      if (runner.runs())
        runner.record.pictures.push_back(picked(runner.state.positions, result_.pictures.vertices));
  }

  bool interrupted() {
    result_.interrupted = result_.interrupted || (watcher_.stop && watcher_.stop());
    return result_.interrupted;
  }

  ReferenceStep take_reference_step(const State& before, const Input& input, ContactForm form) {
    ReferenceStep reference = references_->take(model_, before, input, form);
    count(reference);
    return reference;
  }

  void count(const ReferenceStep& reference) {
    if (interrupted()) return;  // in which the step may have been cut off
    ++result_.reference_steps;
    if (!reference.reference().converged) ++result_.unconverged_reference_steps;
  }

  // Every solver takes one step from where the reference trajectory is at the beginning of a frame.
  void trace(int frame) {
    const State start = runners_.front().state;
    const double time = (frame - 1) * result_.scene.frame_time;
    const Input input = scripted_input(model_, time, time + result_.step.h);
    std::map<ContactForm, ReferenceStep> taken;
    const auto reference = [&](ContactForm form) -> ReferenceStep& {
      const auto held = taken.find(form);
      if (held != taken.end()) return held->second;
      return taken.try_emplace(form, take_reference_step(start, input, form)).first->second;
    };
    result_.traces.push_back({frame, time, reference(ContactForm::energy).reference()});
    starts_.push_back(start);
    for (size_t r = 1; r < runners_.size(); ++r)
      if (Runner& runner = runners_[r]; runner.solver && !runner.record.refused && !interrupted())
        attempt(runner, [&] {
          runner.record.traces.push_back(
              trace_step(model_, *runner.solver, start, input, result_.step.h, reference(runner.form)));
        });
  }

  TakenStep take_steps(Runner& runner, int frame, FrameRow& row) {
    const double h = result_.step.h, time = (frame - 1) * result_.scene.frame_time;
    const bool is_reference = &runner == &runners_.front();
    TakenStep last;
    if (is_reference) runner.solver->watch([&](const Points& iterate) { last.minimum = iterate; });
    for (int s = 0; s < result_.step.substeps && row.step.status != Status::diverged; ++s) {
      last.before = runner.state;
      last.input = scripted_input(model_, time + s * h, time + (s + 1) * h);
      const Timer timer(row.ms);
      last.report = take_step(model_, *runner.solver, last.input, runner.state, h);
      accumulate(row.step, last.report);
    }
    runner.solver->watch({});
    last.after = runner.state;
    return last;
  }

  // A frame that not all solvers have reached is no part of a comparison.
  void forget(int frame) {
    for (Runner& runner : runners_) {
      std::vector<FrameRow>& rows = runner.record.frames;
      if (!rows.empty() && rows.back().frame == frame) rows.pop_back();
    }
  }

  void run_frame(Runner& runner, int frame) {
    // 1. The frame's steps
    FrameRow row;
    row.frame = frame;
    const TakenStep last = take_steps(runner, frame, row);
    row.time = runner.state.time;

    // 2. What a person looks at
    const Points& x = runner.state.positions;
    row.strain = edge_strain(model_, x);
    row.kinetic_energy = kinetic_energy(model_, runner.state.velocities);
    row.elastic_energy = elastic_energy(model_.energies, x);
    row.potential_energy = potential_energy(model_, model_.script.gravity, x);
    if (!(row.strain.max <= kAbsurdStrain)) row.step.status = Status::diverged;

    // 3. The last step against the reference's step from the same state
    if (row.step.status != Status::diverged) hold_against_reference(runner, last, row);

    // 4. The trajectory against the reference's
    row.error.position = position_error(x, runners_.front().state.positions);
    if (row.step.status == Status::diverged) give_up(runner, frame);
    runner.record.frames.push_back(row);
  }

  void hold_against_reference(const Runner& runner, const TakenStep& last, FrameRow& row) {
    const bool is_reference = &runner == &runners_.front();
    row.has_reference = is_reference || row.frame == result_.frames || (row.frame - 1) % result_.every == 0;
    if (!row.has_reference) return;
    if (is_reference) {
      ReferenceStep reference(model_, result_.step, last, runner.form);
      count(reference);
      row.error = reference.error(last.minimum);
    } else {
      row.error = take_reference_step(last.before, last.input, runner.form).error(runner.state.positions);
    }
  }

  void give_up(Runner& runner, int frame) {
    SolverRecord& record = runner.record;
    record.diverged = true;
    record.failure = fmt::format("diverged in frame {}", frame);
    if (record.name != "explicit") return;
    SolverSettings settings = result_.scene.solver;
    settings.family = "explicit";
    settings.explicit_.substeps.reset();
    record.failure +=
        fmt::format(": a step of {:.3g} s is too long for it, it needs {} a frame", result_.step.h,
                    make_solver(settings)->substeps(model_, model_.script, result_.scene.frame_time));
  }

  const CompareOptions& options_;
  const CompareWatcher& watcher_;
  Model model_;
  Comparison result_;
  std::optional<References> references_;
  std::vector<Runner> runners_;  // the reference first
  std::vector<int> trace_frames_;
  std::vector<State> starts_;  // of traces
};

}  // namespace

Comparison compare(const Scene& scene, const CompareOptions& options, const CompareWatcher& watcher) {
  return Race(scene, options, watcher).run();
}

}  // namespace muslin
